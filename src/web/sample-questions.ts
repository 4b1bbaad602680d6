import { element } from "./element.ts";
import type { Questions } from "./questions.ts";
import type { Session } from "./session.ts";

/** Questions that the sample notes answer: by meaning, by words, by both, and in another language. */
const QUESTIONS = [
  "how do I keep my files safe if the disk dies?",
  "merkle tree verification",
  "calculate_hyper_parameter_v7",
  "what should a neural network not memorise?",
];

/** A note that only the samples have. */
const SAMPLE = "merkle-trees.md";

/** Offers four questions to click while the sample notes are there and nothing was asked yet. */
export function sampleQuestions(session: Session, questions: Questions): HTMLElement {
  const ask = (text: string) => () => {
    questions.change({ text });
    void questions.ask();
    document.getElementById("query")?.focus();
  };
  const panel = element(
    "div",
    { class: "sample-questions", hidden: true },
    element("p", { class: "hint" }, "Try one of these:"),
    ...QUESTIONS.map((text) =>
      element("button", { type: "button", class: "button", onclick: ask(text) }, text),
    ),
  );
  const show = () => {
    const isSample = session.documents.current.some(({ path }) => path === SAMPLE);
    panel.hidden = !isSample || questions.question.current.text.trim() !== "";
  };
  session.documents.watch(show);
  questions.question.watch(show);
  return panel;
}
