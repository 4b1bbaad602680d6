import { element } from "./element.ts";
import type { Session, Source } from "./session.ts";

/** Chooses between the library that the server has and the one that this browser keeps. Without the former there is no choice. */
export function libraryChoice(session: Session): HTMLElement {
  const name = element("span", { dir: "auto" });
  const [served, browser] = [choice(session, "served"), choice(session, "browser")];
  const note = element("p", { class: "hint choice-note" });
  const panel = element(
    "div",
    { class: "library-choice", hidden: true },
    element(
      "fieldset",
      { class: "segments" },
      element("legend", { class: "unseen" }, "Library"),
      element("label", {}, served, name),
      element("label", {}, browser, element("span", {}, "This browser")),
    ),
    note,
  );
  const show = () => {
    const found = session.served.current;
    panel.hidden = found === null;
    if (found === null) return;
    const isServed = session.source.current === "served";
    name.textContent = found.name;
    [served.checked, browser.checked] = [isServed, !isServed];
    note.textContent = isServed
      ? `${found.file} on the computer that serves this page${found.isWritable ? "" : "; only read here"}`
      : "Kept in this browser; nothing leaves it";
  };
  for (const value of [session.served, session.source, session.phase]) value.watch(show);
  return panel;
}

function choice(session: Session, source: Source): HTMLInputElement {
  return element("input", {
    type: "radio",
    name: "library",
    value: source,
    onchange: () => void session.switchTo(source),
  });
}
