import type { Band, RecalledMemory, RecallResponse } from "selfsame/browser";
import { BANDS } from "selfsame/browser";
import { announce } from "../announce.ts";
import { contributionBar, reachOf, reasonList } from "../contribution-bar.ts";
import { addressOf } from "../document-address.ts";
import { element } from "../element.ts";
import { failureCard } from "../failure.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Questions } from "../questions.ts";
import type { Session } from "../session.ts";
import { HALF_CHARACTER } from "../snippet.ts";

const SNIPPET_CHARACTERS = 280;

/** Recalls memories, and draws each score as the contributions that it is the sum of. */
export function recallView(session: Session, questions: Questions): HTMLElement {
  const query = element("input", {
    id: "recall-query",
    type: "search",
    placeholder: "What do you want to remember?",
    autocomplete: "off",
    enterkeyhint: "search",
  });
  const person = element("input", {
    id: "recall-person",
    type: "text",
    placeholder: "nobody",
    autocapitalize: "off",
    spellcheck: "false",
  });
  const band = element(
    "select",
    { id: "recall-band" },
    ...BANDS.map((each) => element("option", { value: each }, each)),
  );
  const relevance = element("input", { type: "checkbox", id: "recall-relevance" });
  const button = element("button", { type: "submit", class: "button primary" }, "Recall");
  const body = element("div", { class: "recalled", "aria-live": "polite" }, nothingYet());
  // What was searched for is offered here, letter by letter as it is typed, until the user types something else here.
  let offered = "";
  questions.question.watch(({ text }) => {
    if (query.value !== offered) return;
    offered = text;
    query.value = text;
  });
  let asked = 0;
  const recall = async () => {
    const text = query.value.trim();
    if (text === "") {
      query.focus();
      return;
    }
    const turn = ++asked;
    button.setAttribute("aria-disabled", "true");
    try {
      const answer = await session.use((library) =>
        library.recall({
          query_text: text,
          ctx: {
            now: Date.now(),
            ...(person.value.trim() === "" ? {} : { person_id: person.value.trim() }),
            ...(relevance.checked ? { mmr_lambda: 1 } : {}),
            filters: { max_band: band.value as Band },
          },
        }),
      );
      if (turn !== asked || answer === null) return;
      body.replaceChildren(...shownAnswer(text, answer));
      announce(`${memories(answer)} for ${text}`);
    } catch (error) {
      if (turn === asked) body.replaceChildren(failureCard(error));
    } finally {
      if (turn === asked) button.removeAttribute("aria-disabled");
    }
  };
  return element(
    "div",
    { class: "view-recall" },
    element("h1", {}, "Recall"),
    element(
      "p",
      { class: "lead" },
      "Memories instead of matches: words, meaning, links, age and persons each add to a score, and every answer says what was added.",
    ),
    element(
      "form",
      {
        class: "recall-form",
        role: "search",
        onsubmit: (event: Event) => {
          event.preventDefault();
          void recall();
        },
      },
      element("label", { class: "unseen", for: "recall-query" }, "What to remember"),
      element("div", { class: "recall-line" }, query, button),
      element(
        "div",
        { class: "narrowing" },
        field("Who asks", "recall-person", person),
        field("May be seen up to", "recall-band", band),
        element(
          "label",
          { class: "tick", title: "Without it, memories that differ from each other are preferred" },
          relevance,
          "By relevance alone",
        ),
      ),
    ),
    body,
  );
}

function field(caption: string, id: string, control: HTMLElement): HTMLElement {
  return element(
    "span",
    { class: "recall-field" },
    element("label", { class: "hint", for: id }, caption),
    control,
  );
}

function nothingYet(): HTMLElement {
  return element(
    "p",
    { class: "card empty" },
    "Notes may say in their front matter how old they are (",
    element("code", {}, "date"),
    "), whom they are about (",
    element("code", {}, "people"),
    ") and who may see them (",
    element("code", {}, "band"),
    ", ",
    element("code", {}, "readers"),
    "). Links between notes count, too.",
  );
}

function memories({ results }: RecallResponse): string {
  return `${results.length} ${results.length === 1 ? "memory" : "memories"}`;
}

function shownAnswer(query: string, answer: RecallResponse): HTMLElement[] {
  const { results, receipt, warnings, used_time_ms } = answer;
  const full = Math.max(...results.map(reachOf), 0);
  const summary = element(
    "p",
    { class: "summary-line" },
    results.length === 0
      ? `Nothing comes to mind for “${query}”. Try other words, or allow a higher band.`
      : `${memories(answer)} for “${query}” in ${used_time_ms.toFixed(0)} ms.`,
  );
  return [
    summary,
    ...warnings.map((warning) => element("p", { class: "warning" }, warning)),
    element("ol", { class: "memories" }, ...results.map((memory, i) => memoryItem(memory, i + 1, full))),
    ...(results.length === 0 ? [] : [legend()]),
    traceOf(answer),
    ...(receipt === null
      ? []
      : [
          element(
            "dl",
            { class: "prints" },
            element("dt", {}, "Receipt"),
            element("dd", {}, fingerprint(receipt.digest, "receipt")),
          ),
        ]),
  ];
}

function memoryItem(memory: RecalledMemory, place: number, full: number): HTMLElement {
  const { doc_id, line, text, score, confidence, source, duplicates } = memory;
  const flat = text.replace(/\s+/g, " ").trim();
  return element(
    "li",
    { class: "memory card" },
    element(
      "div",
      { class: "memory-head" },
      element("span", { class: "place" }, String(place)),
      element(
        "a",
        { class: "path", dir: "auto", href: addressOf(doc_id, 0) },
        doc_id,
        element("span", { class: "sequence" }, `:${line}`),
      ),
      element("span", { class: "hint", title: "The store that ranked it best" }, source),
      element(
        "span",
        { class: "score", title: `Score ${score.toFixed(4)}` },
        `${score.toFixed(2)} · ${Math.round(confidence * 100)} %`,
      ),
    ),
    element(
      "p",
      { class: "snippet", dir: "auto" },
      flat.length > SNIPPET_CHARACTERS
        ? `${flat.slice(0, SNIPPET_CHARACTERS).replace(HALF_CHARACTER, "")}…`
        : flat,
    ),
    contributionBar(memory, full),
    reasonList(memory),
    duplicates.length === 0
      ? null
      : element("p", { class: "hint" }, `and ${duplicates.length} nearly the same`),
  );
}

function legend(): HTMLElement {
  const term = (kind: string, name: string) =>
    element("li", {}, element("span", { class: `swatch ${kind} shade-1`, "aria-hidden": "true" }), name);
  return element(
    "ul",
    { class: "reasons legend-line", "aria-label": "Colours" },
    term("words", "words"),
    term("meaning", "meaning and focus"),
    term("person", "age and person"),
    term("place", "places in the stores"),
    element("li", {}, "The percentage is the confidence that it is a right one."),
  );
}

/** How the answer came about: stages, budget, and what was clamped or left out. */
function traceOf({ trace, now, now_source }: RecallResponse): HTMLElement {
  const { budget, stages, clamped, left_out } = trace;
  const rows = stages.map(({ stage, candidates }) =>
    element("tr", {}, element("th", { scope: "row" }, stage), element("td", {}, String(candidates))),
  );
  const moment = new Date(now).toISOString();
  const notes = [
    `Ages are counted from ${moment}${now_source === "clock" ? " (this device’s clock)" : ""}.`,
    `A budget of ${budget.time_budget_ms} ms stands for ${budget.candidates} candidates of each store and ${budget.hops} links.`,
    ...clamped.map((each) => `Clamped: ${each}.`),
    ...left_out.map((each) => `Left out: ${each}.`),
  ];
  return element(
    "details",
    { class: "legend" },
    element("summary", {}, "How it came about"),
    ...notes.map((note) => element("p", { class: "hint" }, note)),
    element(
      "table",
      { class: "stages" },
      element("caption", { class: "unseen" }, "Candidates after each stage"),
      ...rows,
    ),
  );
}
