import { announce } from "./announce.ts";
import { element } from "./element.ts";
import { icon } from "./icons.ts";
import type { Session } from "./session.ts";

const SHOWN_MS = 12_000;

/** Shows the last action for a while. A warning stays until it is dismissed or something else is done. */
export function notice(session: Session): HTMLElement {
  const text = element("span");
  const panel = element(
    "div",
    { class: "notice", hidden: true },
    text,
    element(
      "button",
      {
        type: "button",
        class: "quiet-button",
        "aria-label": "Dismiss",
        onclick: () => session.notice.set(null),
      },
      icon("cross"),
    ),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  session.notice.watch((notice) => {
    clearTimeout(timer);
    // Hiding the panel would lose the focus.
    if (notice === null && panel.contains(document.activeElement)) document.getElementById("main")?.focus();
    panel.hidden = notice === null;
    text.textContent = notice?.text ?? "";
    panel.classList.toggle("undone", notice?.isWarning === true);
    if (notice === null) return;
    announce(notice.text);
    if (!notice.isWarning) timer = setTimeout(() => session.notice.set(null), SHOWN_MS);
  });
  return panel;
}
