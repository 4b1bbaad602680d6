import { droppedFiles, type GivenFile } from "selfsame/browser";
import { element } from "./element.ts";
import { type IconName, icon } from "./icons.ts";
import type { Session } from "./session.ts";

/** Ways in: drop files or a folder anywhere on the page, pick them, write a note, or take the sample notes. */
export function addPanel(session: Session): HTMLElement {
  const files = filePicker(session, "Files");
  const folder = folderPicker(session);
  const note = notePanel(session);
  const write = element(
    "button",
    { type: "button", class: "button", onclick: () => note.showModal() },
    icon("note"),
    "Note",
  );
  disableWhileWorking(session, write);
  acceptDrops(session);
  return element(
    "section",
    { class: "card add", "aria-labelledby": "add-title" },
    element("h2", { id: "add-title" }, "Add documents"),
    element(
      "p",
      { class: "hint" },
      "Drop files or a folder anywhere on this page. They stay in this browser.",
    ),
    element("div", { class: "buttons" }, files, folder, write, sampleButton(session, "button")),
    note,
  );
}

export function sampleButton(session: Session, style: string): HTMLButtonElement {
  const button = element(
    "button",
    {
      type: "button",
      class: style,
      title: "36 short notes on many things, in eight languages",
      onclick: async () => {
        const { sampleNotes } = await import("./sample-notes.ts");
        await session.add(sampleNotes());
      },
    },
    icon("spark"),
    style === "button" ? "Samples" : "Try with sample notes",
  );
  disableWhileWorking(session, button);
  return button;
}

export function filePicker(session: Session, caption: string): HTMLElement {
  return picker(session, caption, "file", { multiple: true });
}

function folderPicker(session: Session): HTMLElement {
  return picker(session, "Folder", "folder", { webkitdirectory: true });
}

function picker(
  session: Session,
  caption: string,
  sign: IconName,
  kind: Readonly<Record<string, boolean>>,
): HTMLElement {
  const input = element("input", {
    type: "file",
    class: "unseen",
    tabindex: "-1",
    "aria-label": `Choose ${sign === "file" ? "files" : "a folder"}`,
    ...kind,
    onchange: () => {
      const files = [...(input.files ?? [])].filter(isWanted);
      input.value = "";
      void addGiven(session, files);
    },
  });
  const button = element(
    "button",
    { type: "button", class: "button", onclick: () => input.click() },
    icon(sign),
    caption,
  );
  disableWhileWorking(session, button);
  return element("span", { class: "picker" }, button, input);
}

/** A dialog, so that a long text has room on a phone too. */
function notePanel(session: Session): HTMLDialogElement {
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

function acceptDrops(session: Session): void {
  const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
  document.addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", async (event) => {
    document.body.classList.remove("dropping");
    if (!holdsFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    const files = await session.attempt(() => droppedFiles(event.dataTransfer!));
    if (files !== null) await addGiven(session, files);
  });
}

async function addGiven(session: Session, files: readonly (File | GivenFile)[]): Promise<void> {
  location.hash = "#library";
  if (files.length === 0) session.notice.set("There was no file to add.");
  else await session.addFiles(files);
}

/** Of a folder that was chosen: hidden files hold nothing that a person wrote, nor do packages. */
function isWanted({ webkitRelativePath }: File): boolean {
  return !webkitRelativePath.split("/").some((name) => name.startsWith(".") || name === "node_modules");
}

function disableWhileWorking(session: Session, button: HTMLButtonElement): void {
  const show = () => {
    button.disabled = session.library === null || session.work.current !== null;
  };
  session.phase.watch(show);
  session.work.watch(show);
}
