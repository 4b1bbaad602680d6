/** The first mismatch of a device, in full: the case, the part of it, and the bits. */
export interface Mismatch {
  /** The case's name in its file. */
  readonly case: string;
  /** The part of the case that is wrong. */
  readonly what: string;
  /** What every device must compute. */
  readonly expected: string;
  /** What this device computed. */
  readonly got: string;
}

/** The result of one suite's vectors on one engine. */
export interface Outcome {
  /** The suite's name, followed by the model if there are several. */
  readonly suite: string;
  /** The number of cases. */
  readonly cases: number;
  /** The number of cases that passed. */
  readonly passed: number;
  /** The first mismatch; null if all cases passed. */
  readonly firstMismatch: Mismatch | null;
  /** What this device computed, never what was expected: one line of JSON per case, `["case",["what","got"],…]`. */
  readonly transcript: string;
}

/** Counts cases and keeps the first mismatch. Values are compared in printed form, which includes every bit. */
export class Tally {
  readonly #suite: string;
  #cases = 0;
  #passed = 0;
  #first: Mismatch | null = null;
  readonly #lines: string[] = [];

  constructor(suite: string) {
    this.#suite = suite;
  }

  /** Records one case whose parts are `[what, expected, got]`. */
  record(name: string, parts: readonly (readonly [what: string, expected: string, got: string])[]): void {
    this.#cases++;
    this.#lines.push(`${JSON.stringify([name, ...parts.map(([what, , got]) => [what, got])])}\n`);
    const wrong = parts.find(([, expected, got]) => expected !== got);
    if (wrong === undefined) this.#passed++;
    else this.#first ??= { case: name, what: wrong[0], expected: wrong[1], got: wrong[2] };
  }

  outcome(): Outcome {
    return {
      suite: this.#suite,
      cases: this.#cases,
      passed: this.#passed,
      firstMismatch: this.#first,
      transcript: this.#lines.join(""),
    };
  }
}

/** Returns the name of a suite. A partial run has a different name, because its transcript differs. */
export function suiteOfFirst(suite: string, count: number, total: number): string {
  return count < total ? `${suite}, first ${count}` : suite;
}
