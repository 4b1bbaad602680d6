import { addPanel } from "../add-panel.ts";
import { documentList } from "../document-list.ts";
import { element } from "../element.ts";
import { libraryCard } from "../library-card.ts";
import { libraryChoice } from "../library-choice.ts";
import { notice } from "../notice.ts";
import type { Questions } from "../questions.ts";
import { results } from "../results.ts";
import { sampleQuestions } from "../sample-questions.ts";
import { searchBox } from "../search-box.ts";
import type { Session } from "../session.ts";
import { welcome } from "../welcome.ts";
import { workPanel } from "../work-panel.ts";

/** The search, and the library that is searched. */
export function libraryView(session: Session, questions: Questions): HTMLElement {
  const search = element(
    "div",
    { class: "search" },
    element("h1", { class: "unseen" }, "Search"),
    searchBox(questions),
    sampleQuestions(session, questions),
    results(questions),
  );
  session.stats.watch((stats) => {
    search.hidden = stats === null || stats.documents === 0;
  });
  const opening = element(
    "p",
    { class: "opening" },
    element("span", { class: "busy" }),
    "Opening your library…",
  );
  session.phase.watch(({ kind }) => {
    opening.hidden = kind !== "opening";
  });
  return element(
    "div",
    { class: "view-library" },
    element(
      "div",
      { class: "main" },
      libraryChoice(session),
      opening,
      workPanel(session),
      notice(session),
      welcome(session),
      search,
    ),
    element(
      "aside",
      { class: "side", "aria-label": "Library" },
      addPanel(session),
      documentList(session),
      libraryCard(session),
    ),
  );
}
