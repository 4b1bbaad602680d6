import { pickers, sampleButton } from "./add-panel.ts";
import { element } from "./element.ts";
import type { Session } from "./session.ts";

/** What a new user sees before there is a document. */
export function welcome(session: Session): HTMLElement {
  const panel = element(
    "section",
    { class: "welcome", "aria-labelledby": "welcome-title", hidden: true },
    element("h1", { id: "welcome-title" }, "Same query, same chunks, on every device."),
    element(
      "p",
      { class: "lead" },
      "Search your notes by meaning and by words, in this browser. Nothing leaves it. And any other device that holds the same notes finds the same passages, in the same order, with the same scores, to the last bit.",
    ),
    element(
      "div",
      { class: "drop-here" },
      element("p", { class: "by-drop" }, element("strong", {}, "Drop files or a folder here")),
      element("p", { class: "by-choice" }, element("strong", {}, "Choose files or a folder")),
      element("p", { class: "hint" }, "Markdown, text, code, HTML, PDF, Word, EPUB, notebooks"),
      element("div", { class: "by-choice" }, element("div", { class: "buttons" }, ...pickers(session))),
      element("div", { class: "buttons" }, sampleButton(session, "button primary")),
    ),
  );
  const show = () => {
    const isEmpty = session.stats.current?.documents === 0;
    panel.hidden = !isEmpty || session.work.current !== null || !session.isWritable;
  };
  session.stats.watch(show);
  session.work.watch(show);
  return panel;
}
