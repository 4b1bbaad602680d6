import { element } from "./element.ts";
import type { Session } from "./session.ts";

/** Where a person writes a note: a dialog, so that a long text has room on a phone too. */
export function noteDialog(session: Session): HTMLDialogElement {
  const name = element("input", {
    id: "note-name",
    type: "text",
    required: true,
    value: "note.md",
    spellcheck: "false",
  });
  const text = element("textarea", {
    id: "note-text",
    rows: "10",
    required: true,
    placeholder: "# A heading\n\nWhat you want to find again.",
  });
  const dialog = element(
    "dialog",
    { class: "note-dialog", "aria-labelledby": "note-title" },
    element(
      "form",
      {
        method: "dialog",
        onsubmit: () => {
          const path = name.value.trim();
          void session.add([{ path: /\.\w+$/.test(path) ? path : `${path}.md`, text: text.value }]);
          text.value = "";
        },
      },
      element("h2", { id: "note-title" }, "A note"),
      element("label", { for: "note-name" }, "Name"),
      name,
      element("label", { for: "note-text" }, "Text (Markdown)"),
      text,
      element(
        "div",
        { class: "buttons end" },
        element("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"),
        element("button", { type: "submit", class: "button primary" }, "Add the note"),
      ),
    ),
  );
  return dialog;
}
