import { element } from "./element.ts";
import { icon } from "./icons.ts";

/** Where theme-first.js looks for the user's choice. Both must name the same key. */
const KEY = "selfsame-theme";

type Theme = "light" | "dark";

/** A button that switches between light and dark. Until it is used, the system's setting applies. */
export function themeButton(): HTMLButtonElement {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const button = element("button", { type: "button", class: "quiet-button" });
  const current = (): Theme =>
    (document.documentElement.dataset["theme"] as Theme | undefined) ?? (system.matches ? "dark" : "light");
  const show = () => {
    const other = current() === "dark" ? "light" : "dark";
    button.replaceChildren(icon(other === "dark" ? "moon" : "sun"));
    button.setAttribute("aria-label", `Switch to ${other}`);
    button.title = `Switch to ${other}`;
  };
  button.addEventListener("click", () => {
    const other = current() === "dark" ? "light" : "dark";
    document.documentElement.dataset["theme"] = other;
    try {
      localStorage.setItem(KEY, other);
    } catch {
      // The page has no access to storage: the choice lasts until the user leaves the page.
    }
    show();
  });
  system.addEventListener("change", show);
  show();
  return button;
}
