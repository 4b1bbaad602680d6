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
        onsubmit: async () => {
          const path = name.value.trim();
          const note = { path: /\.\w+$/.test(path) ? path : `${path}.md`, text: text.value };
          // Nobody has the text but this field: it goes when the library has it.
          if (await session.add([note])) text.value = "";
          else session.notice.set("The note was not added. Press “Note”: its text is still there.");
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
