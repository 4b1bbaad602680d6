import type { ChunkInfo, Explanation, SearchAnswer } from "selfsame/browser";
import { watchFor } from "../current-view.ts";
import { element } from "../element.ts";
import type { Questions } from "../questions.ts";
import { rankingDrawing } from "../ranking-lines.ts";
import { lightUp, rankingPicture } from "../ranking-picture.ts";
import { rankingSum } from "../ranking-sum.ts";
import type { Session } from "../session.ts";

const ROWS_FIRST = 10;

/** Shows how the ranking of the last search was computed. */
export function rankingView(session: Session, questions: Questions): HTMLElement {
  const body = element("div");
  watchFor("ranking", questions.answer, (answer) => {
    if (answer?.explanation === undefined) body.replaceChildren(nothingYet());
    else if (answer.results.length === 0) body.replaceChildren(nothingFound(answer));
    else body.replaceChildren(picture(session, answer, answer.explanation));
  });
  return element("div", { class: "view-ranking" }, element("h1", {}, "How the ranking was computed"), body);
}

function nothingYet(): HTMLElement {
  return element(
    "p",
    { class: "card empty" },
    "The picture shows the last search. ",
    element("a", { href: "#library" }, "Search for something"),
    " first.",
  );
}

function nothingFound({ query }: SearchAnswer): HTMLElement {
  return element(
    "p",
    { class: "card empty" },
    `The last search, “${query}”, found nothing, so there is no ranking to show. `,
    element("a", { href: "#library" }, "Search for something else"),
    ".",
  );
}

function picture(session: Session, answer: SearchAnswer, explanation: Explanation): HTMLElement {
  const ranking = rankingDrawing(explanation, answer.results);
  const rowsAll = Math.max(ranking.semantic.length, ranking.lexical.length, ranking.fused.length);
  const sum = element("div", { class: "card sum-card", "aria-live": "polite" });
  const chunks = new Map<string, Promise<ChunkInfo[] | null>>();
  let lit: string | null = null;
  const light = async (chunkId: string | null) => {
    if (chunkId === null || chunkId === lit) return;
    lit = chunkId;
    sum.replaceChildren(rankingSum(answer, explanation, chunkId, null));
    if (answer.results.some((each) => each.chunkId === chunkId)) return;
    // The text of a chunk beyond the results must be fetched.
    const { path } = ranking.fused.find((each) => each.chunkId === chunkId)!;
    if (!chunks.has(path))
      chunks.set(
        path,
        session.attempt((library) => library.chunks(path)),
      );
    const found = (await chunks.get(path))?.find((each) => each.chunkId === chunkId) ?? null;
    if (lit === chunkId) sum.replaceChildren(rankingSum(answer, explanation, chunkId, found));
  };
  const stage = element("div", { class: "stage" });
  const draw = (rows: number) => {
    const made = rankingPicture(ranking, rows, (chunkId) => void light(chunkId));
    stage.replaceChildren(made);
    const first = lit ?? ranking.fused[0]!.chunkId;
    lightUp(made, first);
    void light(first);
  };
  const more = element(
    "button",
    {
      type: "button",
      class: "button",
      hidden: rowsAll <= ROWS_FIRST,
      onclick: () => {
        draw(rowsAll);
        more.hidden = true;
      },
    },
    `Show all ${rowsAll} places`,
  );
  draw(Math.min(ROWS_FIRST, rowsAll));
  return element(
    "div",
    {},
    element(
      "p",
      { class: "lead" },
      "“",
      element("strong", {}, answer.query),
      "”: ",
      explained(answer, explanation),
    ),
    sum,
    stage,
    more,
    legend(),
    explanation.matchExpression === null
      ? null
      : element(
          "p",
          { class: "hint" },
          "Words searched for: ",
          element("code", {}, explanation.matchExpression),
        ),
  );
}

function explained({ mode }: SearchAnswer, { totalCandidates, rrfK }: Explanation): string {
  if (mode === "semantic")
    return `${totalCandidates} chunks by the cosine of their vectors with the query’s.`;
  if (mode === "lexical") return `${totalCandidates} chunks by BM25.`;
  return `${totalCandidates} candidates. Each list adds 1/(${rrfK} + rank) to a chunk’s score, whatever its own scale.`;
}

function legend(): HTMLElement {
  const term = (name: string, meaning: string) => [element("dt", {}, name), element("dd", {}, meaning)];
  return element(
    "details",
    { class: "legend" },
    element("summary", {}, "What the numbers and lines mean"),
    element(
      "dl",
      { class: "hint" },
      ...term("cosine", "how near a chunk’s meaning is to the question’s: 1 is the same, 0 is unrelated"),
      ...term("bm25", "how well the words match: the lower, the better, so the best are the most negative"),
      ...term("bits", "the score’s 32 bits, as receipts compare them"),
      ...term("dashed line", "to a place further down than those shown"),
    ),
    element("p", { class: "hint keys" }, "Keys: the arrows go through the lists, and from list to list."),
  );
}
