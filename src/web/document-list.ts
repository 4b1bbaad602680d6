import type { DocumentInfo } from "selfsame/browser";
import { askTwice } from "./ask-twice.ts";
import { count } from "./count.ts";
import { addressOf } from "./document-address.ts";
import { element } from "./element.ts";
import { icon } from "./icons.ts";
import type { Session } from "./session.ts";

/** More documents than anyone reads. A longer list would also be slow to draw. */
const SHOWN_MAX = 100;

/** Lists every document, by path, each with a button that removes it. */
export function documentList(session: Session): HTMLElement {
  const list = element("ul", { class: "documents", "aria-labelledby": "documents-title" });
  const rest = element("p", { class: "hint" });
  const filter = element("input", {
    type: "search",
    placeholder: "Filter by path",
    "aria-label": "Filter the documents by path",
    spellcheck: "false",
    oninput: () => show(session.documents.current),
  });
  const clear = removeAllButton(session);
  const show = (documents: readonly DocumentInfo[]) => {
    const focus = focusWithin(panel);
    const wanted = documents.filter(({ path }) => path.includes(filter.value));
    list.replaceChildren(...wanted.slice(0, SHOWN_MAX).map((document) => item(session, document)));
    const hidden = wanted.length - SHOWN_MAX;
    rest.textContent = hidden > 0 ? `and ${count(hidden, "more document")}: filter to see them` : "";
    rest.hidden = hidden <= 0;
    filter.hidden = documents.length < 8;
    panel.hidden = documents.length === 0;
    clear.hidden = !session.isWritable;
    focus.restore();
  };
  const panel = element(
    "section",
    { class: "card shelf-list" },
    element("div", { class: "work-line" }, element("h2", { id: "documents-title" }, "Documents"), clear),
    filter,
    list,
    rest,
  );
  session.documents.watch(show);
  return panel;
}

function item(session: Session, { path, chunks, bytes }: DocumentInfo): HTMLElement {
  return element(
    "li",
    {},
    element(
      "span",
      { class: "document" },
      element("a", { class: "path", dir: "auto", title: path, href: addressOf(path, 0) }, path),
      element("span", { class: "hint" }, `${count(chunks, "chunk")}, ${size(bytes)}`),
    ),
    ...(session.isWritable ? [removeButton(session, path)] : []),
  );
}

function removeButton(session: Session, path: string): HTMLButtonElement {
  const button = element("button", { type: "button", class: "quiet-button", "data-path": path });
  const show = (isAsking: boolean) => {
    button.replaceChildren(isAsking ? "Remove?" : icon("cross"));
    button.setAttribute("aria-label", isAsking ? `Press again to remove ${path}` : `Remove ${path}`);
    button.title = isAsking ? "Press again to remove it" : "Remove from the library";
  };
  askTwice(button, `Press again to remove ${path}.`, show, () => void session.remove([path]));
  return button;
}

function removeAllButton(session: Session): HTMLButtonElement {
  const button = element("button", { type: "button", class: "text-button" });
  const show = (isAsking: boolean) => {
    button.textContent = isAsking ? "Sure? Remove all" : "Remove all";
  };
  askTwice(button, "Press again to remove all documents.", show, () => {
    void session.remove(session.documents.current.map(({ path }) => path));
  });
  return button;
}

/**
 * Remembers where the focus is in the list, because redrawing loses it. `restore` focuses the same document's button,
 * or the next one's.
 */
function focusWithin(panel: HTMLElement): { restore(): void } {
  const buttons = () => [...panel.querySelectorAll<HTMLButtonElement>("[data-path]")];
  const focused = document.activeElement;
  if (focused === null || !panel.contains(focused)) return { restore: () => undefined };
  const at = buttons().indexOf(focused as HTMLButtonElement);
  const path = (focused as HTMLElement).dataset["path"];
  return {
    restore: () => {
      const left = buttons();
      if (panel.hidden) document.getElementById("main")?.focus();
      else if (at >= 0)
        (left.find((each) => each.dataset["path"] === path) ?? left[at] ?? left.at(-1))?.focus();
    },
  };
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
