import type { DocumentInfo } from "selfsame/browser";
import { count } from "./count.ts";
import { element } from "./element.ts";
import { icon } from "./icons.ts";
import type { Session } from "./session.ts";

/** More than a person reads; a long list would also take long to draw. */
const SHOWN_MAX = 100;

/** Every document, by path, with a way to take it out. */
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
    const wanted = documents.filter(({ path }) => path.includes(filter.value));
    list.replaceChildren(...wanted.slice(0, SHOWN_MAX).map((document) => item(session, document)));
    const hidden = wanted.length - SHOWN_MAX;
    rest.textContent = hidden > 0 ? `and ${count(hidden, "more document")}: filter to see them` : "";
    rest.hidden = hidden <= 0;
    filter.hidden = documents.length < 8;
    panel.hidden = documents.length === 0;
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
      element("span", { class: "path", title: path }, path),
      element("span", { class: "hint" }, `${count(chunks, "chunk")}, ${size(bytes)}`),
    ),
    element(
      "button",
      {
        type: "button",
        class: "quiet-button",
        "aria-label": `Remove ${path}`,
        title: "Remove from the library",
        onclick: () => void session.remove([path]),
      },
      icon("cross"),
    ),
  );
}

/** Asks once more in its own place: a second press within a few seconds does it. */
function removeAllButton(session: Session): HTMLButtonElement {
  const button = element("button", { type: "button", class: "text-button" }, "Remove all");
  let isSure = false;
  const ask = (sure: boolean) => {
    isSure = sure;
    button.textContent = sure ? "Press again to remove all" : "Remove all";
    button.classList.toggle("danger", sure);
  };
  button.addEventListener("click", () => {
    if (!isSure) {
      ask(true);
      setTimeout(() => ask(false), 4000);
      return;
    }
    ask(false);
    void session.remove(session.documents.current.map(({ path }) => path));
  });
  return button;
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
