import type { ChunkInfo, SearchResult } from "selfsame/browser";
import { currentView } from "../current-view.ts";
import { type DocumentPlace, placeOf } from "../document-address.ts";
import { element } from "../element.ts";
import { failureCard } from "../failure.ts";
import { icon } from "../icons.ts";
import type { Questions } from "../questions.ts";
import { markWords, renderedMarkdown, renderedPlain } from "../rendered-text.ts";
import type { Session } from "../session.ts";
import { runsOf } from "../snippet.ts";

/** Shows a whole document: rendered, with the passages that the last search found marked, and a way back. */
export function documentView(session: Session, questions: Questions): HTMLElement {
  const title = element("h1", { dir: "auto" });
  const passages = element("p", { class: "hint found-passages" });
  const body = element("article", { class: "card document-text" });
  const draw = async () => {
    const place = placeOf(location.hash);
    if (currentView.current !== "document" || place === null) return;
    title.textContent = place.path;
    body.replaceChildren(element("p", { class: "hint" }, "Opening…"));
    try {
      await show(place);
    } catch (error) {
      passages.replaceChildren();
      body.replaceChildren(failureCard(error));
    }
  };
  const show = async (place: DocumentPlace) => {
    const found = await session.use(async (library) => ({
      document: await library.document(place.path),
      chunks: await library.chunks(place.path),
    }));
    if (found === null)
      return body.replaceChildren(element("p", { class: "hint" }, "The library is not open yet."));
    const { document, chunks } = found;
    if (document === null) {
      passages.replaceChildren();
      return body.replaceChildren(element("p", {}, "The library has no document of this name any more."));
    }
    const results = (questions.answer.current?.results ?? []).filter(({ path }) => path === place.path);
    const sections = sectionsOf(document.text, chunks, results, document.format === "markdown");
    body.replaceChildren(...sections);
    passages.replaceChildren(...passageLinks(results));
    const first = sections.find((each) => each.dataset["chunk"] === String(place.chunk));
    first?.scrollIntoView({ block: "center" });
  };
  currentView.watch(() => void draw());
  addEventListener("hashchange", () => void draw());
  session.phase.watch(() => void draw());
  return element(
    "div",
    { class: "view-document" },
    element("a", { class: "button way-back", href: "#library" }, icon("chevron"), "Back to the results"),
    title,
    passages,
    body,
  );
}

/** One section for each chunk, from its start to the start of the next: chunks may overlap. */
function sectionsOf(
  text: string,
  chunks: readonly ChunkInfo[],
  results: readonly SearchResult[],
  isMarkdown: boolean,
): HTMLElement[] {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const found = new Map(results.map((result) => [result.chunkIndex, result]));
  const starts = chunks.map(({ start }, i) => (i === 0 ? 0 : start));
  return chunks.map(({ sequence }, i) => {
    const part = decoder.decode(bytes.subarray(starts[i]!, starts[i + 1] ?? bytes.length));
    const result = found.get(sequence);
    const section = element(
      "section",
      { class: result === undefined ? "passage" : "passage found", "data-chunk": sequence, dir: "auto" },
      ...(isMarkdown ? renderedMarkdown(part) : renderedPlain(part)),
    );
    if (result !== undefined) markWords(section, wordsOf(result));
    return section;
  });
}

function wordsOf(result: SearchResult): Set<string> {
  return new Set(
    runsOf(result)
      .filter(({ isMatch }) => isMatch)
      .map(({ text }) => text),
  );
}

function passageLinks(results: readonly SearchResult[]): (Node | string)[] {
  if (results.length === 0) return [];
  const inOrder = [...results].sort((a, b) => a.chunkIndex - b.chunkIndex);
  const go = (chunk: number) => () =>
    document.querySelector(`.passage[data-chunk="${chunk}"]`)?.scrollIntoView({ block: "center" });
  return [
    "Found passages: ",
    ...inOrder.map(({ chunkIndex, breadcrumb, line }) =>
      element(
        "button",
        { type: "button", class: "text-button", dir: "auto", onclick: go(chunkIndex) },
        breadcrumb === "" ? `line ${line}` : (breadcrumb.split(" > ").at(-1) ?? `line ${line}`),
      ),
    ),
  ];
}
