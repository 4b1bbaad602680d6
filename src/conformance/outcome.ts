/** The first thing that a device got wrong, in full: which case, which part of it, the bits. */
export interface Mismatch {
  /** The case's name in its file. */
  readonly case: string;
  /** The part of it that is wrong. */
  readonly what: string;
  /** What every device must get. */
  readonly expected: string;
  /** What this one got. */
  readonly got: string;
}

/** What one suite's vectors say of one engine. */
export interface Outcome {
  /** The suite's name, with the model where there are several. */
  readonly suite: string;
  /** How many cases it has. */
  readonly cases: number;
  /** How many of them are right. */
  readonly passed: number;
  /** The first that is not; null if all are. */
  readonly firstMismatch: Mismatch | null;
  /** What this device got, never what was expected: one line of JSON a case, `["case",["what","got"],…]`. */
  readonly transcript: string;
}

/** Counts cases and keeps the first mismatch; `equal` compares the printed forms, which carry every bit. */
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

/** A suite that is run in part has a name of its own: its transcript is another one. */
export function suiteOfFirst(suite: string, count: number, total: number): string {
  return count < total ? `${suite}, first ${count}` : suite;
}
