import type { ConformanceReport } from "selfsame/conformance";
import { type FromConformance, startConformance } from "../conformance-run.ts";
import { ConformanceTable, duration } from "../conformance-table.ts";
import { count } from "../count.ts";
import { element } from "../element.ts";
import { failureCard } from "../failure.ts";
import { fingerprint } from "../fingerprint.ts";
import { icon } from "../icons.ts";

/** Said before and during a run. A phone is about five times as slow as a laptop. */
const EXPECTED = "takes about 20 seconds on a laptop, two minutes on a phone";

/** Runs every published vector in this browser. */
export function conformanceView(): HTMLElement {
  const table = new ConformanceTable();
  const bar = element("progress", { "aria-label": "Files of vectors done", hidden: true });
  const verdict = element("div", { class: "verdict", "aria-live": "polite" });
  const holder = element("div", { class: "card table-card", hidden: true }, table.root);
  const button = element("button", { type: "button", class: "button primary", onclick: () => toggle() });
  let stop: (() => void) | null = null;
  const clock = element("span", { class: "hint" }, EXPECTED);
  let ticking: ReturnType<typeof setInterval> | undefined;

  const show = (running: (() => void) | null) => {
    stop = running;
    clearInterval(ticking);
    const began = performance.now();
    const tick = () => {
      clock.textContent = `${Math.floor((performance.now() - began) / 1000)} s; ${EXPECTED}`;
    };
    if (running === null) clock.textContent = EXPECTED;
    else ticking = setInterval(tick, 1000);
    bar.hidden = running === null;
    button.replaceChildren(
      icon(running === null ? "play" : "cross"),
      running === null ? "Run all vectors" : "Stop",
    );
  };
  const hear = (message: FromConformance) => {
    if (message.type === "begin") bar.max = message.files;
    else if (message.type === "start") table.start(message.suite);
    else if (message.type === "suite") bar.value = table.add(message.result);
    else {
      show(null);
      table.rest();
      verdict.replaceChildren(message.type === "report" ? judgement(message.report) : failureCard(message));
    }
  };
  const toggle = () => {
    if (stop === null) {
      verdict.replaceChildren();
      table.clear();
      bar.value = 0;
      holder.hidden = false;
      show(startConformance(hear));
    } else {
      stop();
      show(null);
      table.rest();
      verdict.replaceChildren(
        element(
          "p",
          { class: "judgement open" },
          `Stopped after ${count(table.size, "suite")} of vectors: there is no verdict.`,
        ),
      );
    }
  };
  show(null);
  return element(
    "div",
    { class: "view-conformance" },
    element("h1", {}, "Conformance"),
    element(
      "p",
      { class: "lead" },
      "Does this browser compute what the specification says? These are the published test vectors, from single additions to whole searches, written by a second implementation that shares no code with this one.",
    ),
    element("div", { class: "buttons run-line" }, button, bar, clock),
    verdict,
    holder,
  );
}

function judgement({ isSame, suites, digest, build, specVersion, millis }: ConformanceReport): HTMLElement {
  const cases = suites.reduce((sum, suite) => sum + suite.cases, 0);
  const passed = suites.reduce((sum, suite) => sum + suite.passed, 0);
  return element(
    "div",
    { class: `judgement ${isSame ? "same" : "different"}` },
    element(
      "p",
      { class: "headline" },
      icon(isSame ? "check" : "cross"),
      isSame
        ? `All ${count(cases, "case")} passed`
        : `Different bits in ${cases - passed} of ${count(cases, "case")}`,
    ),
    element(
      "p",
      {},
      isSame
        ? "This browser computes the same bits as every other device that passes."
        : "This browser computes different bits: its answers may differ from those of other devices.",
    ),
    element(
      "dl",
      { class: "prints" },
      element("dt", {}, "Digest of all results"),
      element("dd", {}, fingerprint(digest, "digest of all results")),
      element("dt", {}, "Engine"),
      element("dd", {}, `${build}, specification ${specVersion}, ${duration(millis)}`),
    ),
  );
}
