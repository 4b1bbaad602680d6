/**
 * Distances from one word to many, in the order of the many: candidates that share a prefix share its rows. One row per
 * character of the candidate, one column per character of the word.
 *
 * The distance counts insertions, deletions, replacements and swaps of neighbours, each as one, and no part of a word is
 * changed twice (optimal string alignment). SPEC §15.9
 */
export class EditDistances {
  readonly #word: readonly string[];
  readonly #max: number;
  readonly #rows: number[][];
  #last: readonly string[] = [];

  constructor(word: readonly string[], max: number) {
    this.#word = word;
    this.#max = max;
    this.#rows = [Array.from({ length: word.length + 1 }, (_, j) => j)];
  }

  /**
   * Returns the distance of a candidate if it is at most `max`, or else how many of its first characters already make it
   * impossible: no candidate with that prefix is near enough. All of its characters mean that only it is too far.
   */
  to(candidate: readonly string[]): { readonly distance: number } | { readonly deadPrefix: number } {
    let shared = 0;
    while (shared < candidate.length && candidate[shared] === this.#last[shared]) shared++;
    this.#rows.length = Math.min(this.#rows.length, shared + 1);
    this.#last = candidate;
    for (let i = this.#rows.length; i <= candidate.length; i++) {
      const row = this.#nextRow(candidate, i);
      this.#rows.push(row);
      // A later row can be smaller by a swap only if the row before this one was below `max`; then this row is not above.
      if (Math.min(...row) > this.#max) {
        this.#last = candidate.slice(0, i);
        return { deadPrefix: i };
      }
    }
    const distance = this.#rows[candidate.length]![this.#word.length]!;
    return distance <= this.#max ? { distance } : { deadPrefix: candidate.length };
  }

  #nextRow(candidate: readonly string[], i: number): number[] {
    const word = this.#word;
    const above = this.#rows[i - 1]!;
    const twoAbove = this.#rows[i - 2];
    const row = [i];
    for (let j = 1; j <= word.length; j++) {
      const isSame = candidate[i - 1] === word[j - 1];
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1));
      const isSwap = j > 1 && i > 1 && candidate[i - 1] === word[j - 2] && candidate[i - 2] === word[j - 1];
      if (isSwap) least = Math.min(least, twoAbove![j - 2]! + 1);
      row.push(least);
    }
    return row;
  }
}
