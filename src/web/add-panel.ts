import { droppedFiles, type GivenFile } from "selfsame/browser";
import { element } from "./element.ts";
import { type IconName, icon } from "./icons.ts";
import { noteDialog } from "./note-dialog.ts";
import type { Session } from "./session.ts";

/**
 * The ways to add documents: drop files or a folder anywhere on the page, choose them, write a note, or use the sample
 * notes.
 */
export function addPanel(session: Session): HTMLElement {
  const note = noteDialog(session);
  const write = element(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => {
        if (write.getAttribute("aria-disabled") === "false") note.open(write);
      },
    },
    icon("note"),
    "Note",
  );
  // The button gets the focus after its dialog, and would lose it if it were disabled.
  watchWork(session, (isWorking) => {
    write.setAttribute("aria-disabled", String(isWorking));
  });
  acceptDrops(session);
  const samples = sampleButton(session, "button");
  // While the library is empty, the welcome offers the samples.
  session.stats.watch((stats) => {
    samples.hidden = stats?.documents === 0;
  });
  const where = element("span");
  const panel = element(
    "section",
    { class: "card add", "aria-labelledby": "add-title" },
    element("h2", { id: "add-title" }, "Add documents"),
    element(
      "p",
      { class: "hint" },
      element("span", { class: "by-drop" }, "Drop files or a folder anywhere on this page. "),
      where,
    ),
    element("div", { class: "buttons" }, ...pickers(session), write, samples),
    note.root,
  );
  session.source.watch((source) => {
    panel.hidden = !session.isWritable;
    where.textContent =
      source === "browser" ? "What you add stays in this browser." : "What you add goes into that file.";
  });
  return panel;
}

export function sampleButton(session: Session, style: string): HTMLButtonElement {
  const button = element(
    "button",
    {
      type: "button",
      class: style,
      title: "36 short notes on many things, in eight languages",
      onclick: async () => {
        const samples = await session.attempt(() => import("./sample-notes.ts"));
        if (samples !== null) await session.add(samples.sampleNotes());
      },
    },
    icon("spark"),
    style === "button" ? "Samples" : "Try with sample notes",
  );
  disableWhileWorking(session, button);
  return button;
}

export function pickers(session: Session): HTMLElement[] {
  return [
    picker(session, "Files", "file", { multiple: true }),
    picker(session, "Folder", "folder", { webkitdirectory: true }),
  ];
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
    try {
      await addGiven(session, await droppedFiles(event.dataTransfer!));
    } catch (error) {
      session.failure.set(error);
    }
  });
}

async function addGiven(session: Session, files: readonly (File | GivenFile)[]): Promise<void> {
  location.hash = "#library";
  if (files.length === 0) session.warn("There was no file to add.");
  else await session.addFiles(files);
}

/** Returns whether to add a file of a chosen folder. Hidden files and packages hold nothing that the user wrote. */
function isWanted({ webkitRelativePath }: File): boolean {
  return !webkitRelativePath.split("/").some((name) => name.startsWith(".") || name === "node_modules");
}

function disableWhileWorking(session: Session, button: HTMLButtonElement): void {
  watchWork(session, (isWorking) => {
    button.disabled = isWorking;
  });
}

/** Calls the listener with whether work is in progress. Having no library counts as working. */
function watchWork(session: Session, listener: (isWorking: boolean) => void): void {
  const show = () => listener(session.library === null || session.work.current !== null);
  session.phase.watch(show);
  session.work.watch(show);
}
