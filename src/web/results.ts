import { noticesOf, type SearchAnswer, type SearchMode, type SearchResult } from "selfsame/browser";
import { announce } from "./announce.ts";
import { closenessBar } from "./closeness-bar.ts";
import { count } from "./count.ts";
import { addressOf } from "./document-address.ts";
import { element } from "./element.ts";
import { failureCard } from "./failure.ts";
import { icon } from "./icons.ts";
import { type Questions, STEP } from "./questions.ts";
import { MARKDOWN, marked, runsOf, shorten, withoutHashes } from "./snippet.ts";

/** The page's terms for the `match` of a result. They are the same as on the search buttons. */
const FOUND_BY = {
  lexical: ["words", "Found by its words; in the answer: lexical"],
  semantic: ["meaning", "Found by its meaning; in the answer: semantic"],
  sparse: ["terms", "Found by its sparse vector; in the answer: sparse"],
  hybrid: ["both", "Found by its meaning and by its words; in the answer: hybrid"],
} as const;

/** What a score is. It depends on the search mode. */
const SCORES: Readonly<Record<SearchMode, string>> = {
  hybrid:
    "Made of the places in the two lists, 1/(60 + place) each: 0.0328 is the first in both. Higher is better",
  semantic: "The cosine between the question’s vector and the chunk’s: 1 is the same direction",
  lexical: "BM25 within these results: 1 is the best of them",
};

/** Shows the answer: how long it took, its warnings, and the results, best first. */
export function results(questions: Questions): HTMLElement {
  const summary = element("p", { class: "summary" });
  const list = element("ol", { class: "results", "aria-label": "Results", onkeydown: walkByArrows });
  const warnings = element("div", { class: "warnings" });
  const busy = element("span", { class: "busy", hidden: true, "aria-hidden": "true" });
  questions.isBusy.watch((isBusy) => {
    busy.hidden = !isBusy;
    list.setAttribute("aria-busy", String(isBusy));
  });
  const failure = element("div");
  const more = element(
    "button",
    {
      type: "button",
      class: "button",
      hidden: true,
      onclick: () => questions.change({ topK: questions.question.current.topK + STEP }),
    },
    "More results",
  );
  questions.failure.watch((error) =>
    failure.replaceChildren(...(error === null ? [] : [failureCard(error)])),
  );
  questions.answer.watch((answer) => {
    more.hidden = (answer?.explanation?.fused.length ?? 0) <= (answer?.results.length ?? 0);
    list.replaceChildren(...(answer?.results ?? []).map((result, i) => resultItem(result, i + 1, answer!)));
    warnings.replaceChildren(
      ...(answer?.warnings ?? []).map((text) => element("p", { class: "warning" }, text)),
      ...(answer === null ? [] : noticesOf(answer)).map((text) => element("p", { class: "notice" }, text)),
    );
    summary.replaceChildren(...(answer === null ? [] : summaryOf(answer)));
    list.dataset["query"] = answer?.query ?? "";
    if (answer !== null) announce(`${count(answer.results.length, "result")} for ${answer.query}`);
  });
  return element(
    "section",
    { class: "answer", "aria-label": "Answer" },
    element("div", { class: "summary-line" }, summary, busy),
    failure,
    warnings,
    list,
    more,
  );
}

function summaryOf(answer: SearchAnswer): (Node | string)[] {
  const { results: found, timings } = answer;
  if (found.length === 0) return [guidance(answer)];
  return [
    `${count(found.length, "result")} in ${timings.total < 10 ? timings.total.toFixed(1) : timings.total.toFixed(0)} ms. `,
    element("a", { href: "#ranking" }, "How the ranking was computed"),
    element("a", { href: "#device" }, "Same on your other device?"),
  ];
}

function guidance({ mode, receipt, explanation }: SearchAnswer): string {
  if (explanation?.matchExpression === null)
    return "Enter at least one word to find: -word only excludes results.";
  const isNarrowed = (receipt.parameters["filters"] ?? null) !== null;
  const wayOut = isNarrowed ? "Try other words, or remove the path filter." : "Try other words.";
  return {
    hybrid: `Nothing found. ${wayOut}`,
    lexical: `No chunk contains these words. “Both” also searches by meaning.${isNarrowed ? " Or remove the path filter." : ""}`,
    semantic: `Nothing found by meaning. ${wayOut}`,
  }[mode];
}

function resultItem(result: SearchResult, place: number, answer: SearchAnswer): HTMLElement {
  const runs = runsOf(result);
  const isMarkdown = MARKDOWN.test(result.path);
  const [label, title] = FOUND_BY[result.match];
  const bits = answer.receipt.results[place - 1]?.score;
  const scoreTitle = `Score ${result.score.toFixed(4)}. ${SCORES[answer.mode]}.${bits === undefined ? "" : ` Its bits: ${bits}`}`;
  return element(
    "li",
    { class: `result ${result.match}` },
    element(
      "details",
      {},
      element(
        "summary",
        {},
        element("span", { class: "place" }, String(place)),
        element(
          "span",
          { class: "where" },
          element(
            "span",
            { class: "path", dir: "auto" },
            result.path,
            element("span", { class: "sequence" }, `#${result.chunkIndex}`),
          ),
          result.breadcrumb === ""
            ? null
            : element("span", { class: "breadcrumb", dir: "auto" }, result.breadcrumb),
        ),
        element(
          "span",
          { class: "standing" },
          element("span", { class: "label", title }, label),
          closenessBar(result, scoreTitle) ??
            element(
              "span",
              { class: "score", title: scoreTitle },
              element("span", { class: "unseen" }, "score "),
              result.score.toFixed(4),
            ),
          element("span", { class: "more" }, icon("chevron")),
        ),
        element(
          "span",
          { class: "snippet", dir: "auto" },
          ...marked(shorten(isMarkdown ? withoutHashes(runs) : runs)),
        ),
      ),
      element(
        "pre",
        { class: "whole", dir: "auto", tabindex: "0", "aria-label": "The whole chunk" },
        ...marked(runs),
      ),
      element(
        "a",
        { class: "open-document", href: addressOf(result.path, result.chunkIndex) },
        result.page === null
          ? `Open the document at line ${result.line}`
          : `Open the document at page ${result.page}`,
      ),
    ),
  );
}

/** Arrow keys move between results, and from the first result back to the question. */
function walkByArrows(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const heads = [...document.querySelectorAll<HTMLElement>(".result summary")];
  const at = heads.indexOf(event.target as HTMLElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  if (at + step < 0) document.getElementById("query")?.focus();
  else heads[at + step]?.focus();
}
