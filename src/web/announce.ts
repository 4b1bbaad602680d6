import { element } from "./element.ts";

const region = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
document.body.append(region);

/** Says something to those who listen to the page. */
export function announce(text: string): void {
  region.textContent = text;
}
