import type { Mismatch, SuiteResult } from "selfsame/conformance";
import { count } from "./count.ts";
import { element } from "./element.ts";
import { fingerprint } from "./fingerprint.ts";
import { icon } from "./icons.ts";

/** The number of characters shown of a wrong value; some values are whole lists. */
const SHOWN_MAX = 200;

/** A table with a row for each suite, added as suites finish. */
export class ConformanceTable {
  readonly #rows = element("tbody");
  readonly #files = new Set<string>();
  readonly #running = element("tr", { class: "running", hidden: true });
  readonly root = element(
    "table",
    { class: "suites" },
    element("caption", { class: "unseen" }, "Suites of test vectors"),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ...["Suite", "Cases", "Verdict", "Digest", "Time"].map((name) =>
          element("th", { scope: "col" }, name),
        ),
      ),
    ),
    this.#rows,
  );

  /** The number of suites that have finished. */
  get size(): number {
    return this.#rows.querySelectorAll(".passed, .failed").length;
  }

  clear(): void {
    this.#files.clear();
    this.#rows.replaceChildren(this.#running);
    this.rest();
  }

  /** Shows that nothing is running. */
  rest(): void {
    this.#running.hidden = true;
  }

  start(suite: string): void {
    this.#running.hidden = false;
    this.#running.replaceChildren(
      element("th", { scope: "row" }, suite),
      element("td", { colspan: "4", class: "hint" }, element("span", { class: "busy" }), "running"),
    );
  }

  /** Adds a row. Returns how many vector files have had a suite so far; some files have two. */
  add({ suite, file, cases, passed, firstMismatch, digest, millis }: SuiteResult): number {
    this.rest();
    this.#files.add(file);
    const isSame = firstMismatch === null;
    this.#running.before(
      element(
        "tr",
        { class: isSame ? "passed" : "failed" },
        element("th", { scope: "row" }, suite),
        element(
          "td",
          { "data-name": "Cases" },
          `${passed.toLocaleString("en")} / ${cases.toLocaleString("en")}`,
        ),
        element(
          "td",
          { "data-name": "Verdict" },
          icon(isSame ? "check" : "cross"),
          isSame ? "same" : "different",
        ),
        element("td", { "data-name": "Digest" }, fingerprint(digest, `digest of ${suite}`)),
        element("td", { "data-name": "Time" }, duration(millis)),
      ),
    );
    if (firstMismatch !== null) this.#running.before(mismatchRow(firstMismatch, cases - passed));
    return this.#files.size;
  }
}

function mismatchRow({ case: name, what, expected, got }: Mismatch, wrong: number): HTMLElement {
  return element(
    "tr",
    { class: "mismatch" },
    element(
      "td",
      { colspan: "5" },
      `${count(wrong, "case")} wrong. The first: ${name}, ${what}. Expected `,
      element("code", {}, expected.slice(0, SHOWN_MAX)),
      ", got ",
      element("code", {}, got.slice(0, SHOWN_MAX)),
    ),
  );
}

export function duration(millis: number): string {
  return millis < 1000 ? `${millis.toFixed(0)} ms` : `${(millis / 1000).toFixed(1)} s`;
}
