import { type CharacterSet, SLASH } from "./character-set.ts";

/** Most characters of most paths. */
const TABLE_SIZE = 128;

/**
 * Classes of characters that no sign of a list tells apart. There are at most twice as many as characters and ranges in
 * the signs, however many characters Unicode has.
 */
export class CharacterClasses {
  /** The first character of each class but the first one, ascending. */
  readonly #bounds: readonly number[];
  readonly #table = new Int32Array(TABLE_SIZE);

  constructor(signs: readonly (CharacterSet | number | null)[]) {
    const bounds = new Set([SLASH, SLASH + 1]);
    for (const sign of signs) {
      if (sign === null) continue;
      for (const [first, last] of typeof sign === "number" ? [[sign, sign] as const] : sign.ranges) {
        bounds.add(first);
        bounds.add(last + 1);
      }
    }
    this.#bounds = [...bounds].sort((a, b) => a - b);
    for (let codePoint = 0; codePoint < TABLE_SIZE; codePoint++)
      this.#table[codePoint] = this.#find(codePoint);
  }

  of(codePoint: number): number {
    return codePoint < TABLE_SIZE ? this.#table[codePoint]! : this.#find(codePoint);
  }

  /** How many bounds are not above the character. */
  #find(codePoint: number): number {
    let [low, high] = [0, this.#bounds.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#bounds[middle]! <= codePoint) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
