import { announce } from "./announce.ts";
import { element } from "./element.ts";
import { icon } from "./icons.ts";
import type { Session } from "./session.ts";

const SHOWN_MS = 12_000;

/** What was done last, for a while. */
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
        onclick: () => session.notice.set(""),
      },
      icon("cross"),
    ),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  session.notice.watch((sentence) => {
    clearTimeout(timer);
    panel.hidden = sentence === "";
    text.textContent = sentence;
    if (sentence === "") return;
    announce(sentence);
    timer = setTimeout(() => session.notice.set(""), SHOWN_MS);
  });
  return panel;
}
