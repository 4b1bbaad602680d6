import { element } from "./element.ts";
import { complaint } from "./failure.ts";
import { freeName, pathOf } from "./note-name.ts";
import type { Session } from "./session.ts";

export interface NoteDialog {
  readonly root: HTMLDialogElement;
  /** @param opener gets the focus afterwards */
  open(opener: HTMLElement): void;
}

/**
 * The form for writing a note. It is a dialog, so that a long text has space on a phone too. It stays open until the
 * name is valid, and asks before the note replaces another document, whose text may exist nowhere else.
 */
export function noteDialog(session: Session): NoteDialog {
  let proposed = "";
  let back: HTMLElement | null = null;
  /** The document that the user was asked about. */
  let asked: string | null = null;
  const name = element("input", {
    id: "note-name",
    type: "text",
    required: true,
    spellcheck: "false",
    autocapitalize: "off",
    "aria-describedby": "note-fault",
    oninput: () => say("", null),
  });
  // The dialog has its own alert, because an open dialog silences the rest of the page.
  const fault = element("p", { id: "note-fault", class: "note-fault", role: "alert" });
  const text = element("textarea", {
    id: "note-text",
    rows: "10",
    required: true,
    placeholder: "# A heading\n\nWhat you want to find again.",
  });
  const submit = element("button", { type: "submit", class: "button primary" });

  const say = (sentence: string, replaced: string | null) => {
    asked = replaced;
    fault.textContent = sentence;
    fault.hidden = sentence === "";
    name.setAttribute("aria-invalid", String(sentence !== "" && replaced === null));
    submit.textContent = replaced === null ? "Add the note" : `Replace ${replaced}`;
  };
  /** Returns whether the note can be added under this path now. If not, the dialog says why. */
  const isClear = async (path: string): Promise<boolean> => {
    let isTaken: boolean;
    try {
      isTaken = await session.holds(path);
    } catch (error) {
      say(complaint(error), null);
      name.focus();
      return false;
    }
    if (!isTaken || asked === path) return true;
    say(`${path} is in the library already. Replace it with this note, or give another name.`, path);
    submit.focus();
    return false;
  };
  let isBusy = false;
  const add = async () => {
    const note = { path: pathOf(name.value), text: text.value };
    if (isBusy) return;
    isBusy = true;
    const isReady = await isClear(note.path).finally(() => {
      isBusy = false;
    });
    // Escape may have closed it in the meantime.
    if (!isReady || !dialog.open) return;
    const mayReplace = asked === note.path;
    dialog.close();
    // The text exists only in this field, so it is cleared only once the library has it.
    if (!(await session.addNote(note, mayReplace)) || text.value !== note.text) return;
    text.value = "";
    name.value = "";
  };
  const dialog = element(
    "dialog",
    {
      class: "note-dialog",
      "aria-labelledby": "note-title",
      onclose: () => {
        say("", null);
        back?.focus();
      },
    },
    element(
      "form",
      {
        onsubmit: (event: Event) => {
          event.preventDefault();
          void add();
        },
      },
      element("h2", { id: "note-title" }, "A note"),
      element("label", { for: "note-name" }, "Name"),
      name,
      fault,
      element("label", { for: "note-text" }, "Text (Markdown)"),
      text,
      element(
        "div",
        { class: "buttons end" },
        element("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"),
        submit,
      ),
    ),
  );
  say("", null);
  return {
    root: dialog,
    open: (opener) => {
      back = opener;
      // A name that the user typed stays with the text that is still here.
      if (name.value === "" || name.value === proposed) {
        proposed = freeName(session.documents.current.map(({ path }) => path));
        name.value = proposed;
      }
      dialog.showModal();
    },
  };
}
