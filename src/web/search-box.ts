import type { SearchMode } from "selfsame/browser";
import { currentView } from "./current-view.ts";
import { element } from "./element.ts";
import { icon } from "./icons.ts";
import type { Questions } from "./questions.ts";

const MODES: readonly (readonly [mode: SearchMode, name: string, meaning: string])[] = [
  ["hybrid", "Both", "by meaning and by words, fused"],
  ["semantic", "Meaning", "by meaning alone"],
  ["lexical", "Words", "by words alone; needs no model"],
];

/** The search form: the words, the channels, and the filters. `/` focuses it. */
export function searchBox(questions: Questions): HTMLElement {
  const input = element("input", {
    id: "query",
    type: "search",
    placeholder: "Ask or type words…",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    "aria-describedby": "query-help",
    oninput: () => questions.change({ text: input.value }),
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || isTyping(event.target) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    location.hash = "#library";
    // The address takes effect later, and a hidden element cannot be focused.
    currentView.set("library");
    input.focus();
    input.select();
  });
  questions.question.watch(({ text }) => {
    if (input.value !== text) input.value = text;
  });
  return element(
    "form",
    {
      class: "search-box",
      role: "search",
      onsubmit: (event: Event) => {
        event.preventDefault();
        void questions.ask();
      },
      onkeydown: (event: KeyboardEvent) => {
        if (event.key !== "ArrowDown" || event.target !== input) return;
        event.preventDefault();
        document.querySelector<HTMLElement>(".result summary")?.focus();
      },
    },
    element("label", { class: "unseen", for: "query" }, "Search your documents"),
    element("div", { class: "query" }, icon("search"), input, element("kbd", { "aria-hidden": "true" }, "/")),
    element("div", { class: "narrowing" }, modeChoice(questions), pathField(questions), diversity(questions)),
    element(
      "div",
      { class: "query-foot" },
      element(
        "p",
        { id: "query-help", class: "hint" },
        element("code", {}, '"a phrase"'),
        " must occur as it stands; ",
        element("code", {}, "-word"),
        " is in no result. ",
        element(
          "span",
          { class: "keys" },
          ...["Keys: ", key("/"), " search, ", key("↓"), " ", key("↑"), " results."],
        ),
      ),
      toSide(),
    ),
  );
}

function key(name: string): HTMLElement {
  return element("kbd", {}, name);
}

/** A link to the library, which is below the results on a narrow screen. */
function toSide(): HTMLElement {
  const go = () => {
    const add = document.querySelector<HTMLElement>(".add");
    add?.scrollIntoView();
    add?.querySelector("button")?.focus({ preventScroll: true });
  };
  return element("button", { type: "button", class: "text-button to-side", onclick: go }, "Add documents");
}

function modeChoice(questions: Questions): HTMLElement {
  const choices = MODES.map(([mode, name, meaning]) =>
    element(
      "label",
      { title: `Search ${meaning}` },
      element("input", {
        type: "radio",
        name: "mode",
        value: mode,
        checked: mode === questions.question.current.mode,
        onchange: () => questions.change({ mode }),
      }),
      element("span", {}, name),
    ),
  );
  return element(
    "fieldset",
    { class: "segments" },
    element("legend", { class: "unseen" }, "Search by"),
    ...choices,
  );
}

function pathField(questions: Questions): HTMLElement {
  const input = element("input", {
    type: "text",
    value: questions.question.current.path,
    placeholder: "all paths, or docs/**",
    spellcheck: "false",
    autocapitalize: "off",
    "aria-label": "Only paths that match",
    oninput: () => questions.change({ path: input.value }),
  });
  return element("span", { class: "path-field" }, icon("folder"), input);
}

function diversity(questions: Questions): HTMLElement {
  const box = element("input", {
    type: "checkbox",
    checked: questions.question.current.diversify,
    onchange: () => questions.change({ diversify: box.checked }),
  });
  return element(
    "label",
    { class: "tick", title: "Prefer results that differ from each other" },
    box,
    "Diverse",
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
