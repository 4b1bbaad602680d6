import { element } from "./element.ts";

const region = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
document.body.append(region);

/** Announces a text to screen readers. */
export function announce(text: string): void {
  region.textContent = text;
}
