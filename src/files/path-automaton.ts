import { CharacterClasses } from "./character-classes.ts";
import { type CharacterSet, isInSet, SLASH } from "./character-set.ts";

/** What one sign of a path pattern matches. Patterns of filters (SPEC §17.1) and rules of .gitignore are lists of signs. */
export type PathSign =
  | { readonly kind: "character"; readonly codePoint: number }
  | { readonly kind: "set"; readonly set: CharacterSet }
  /** Any number of characters other than `/`. */
  | { readonly kind: "star" }
  /** Any text. */
  | { readonly kind: "text" }
  /** Nothing, or any text that ends in `/`. It stands at the start of a pattern or after a `/`. */
  | { readonly kind: "parts" };

/**
 * Runs many patterns over a path at once. One bit stands for each place in each pattern. A set bit means that the
 * characters so far can lead to that place. So a character costs one pass over the bits, whatever the patterns are, and
 * nothing is ever tried again.
 *
 *     a  *  b  parts  c        has the places  →a  →b  parts  →c  end
 *
 * A `star` or `text` makes the place after it stay reached. A `parts` has a separate place: once reached it stays so,
 * and the place after it is reached whenever the path is at the start of a part.
 */
export class PathAutomaton {
  readonly #words: number;
  readonly #starts: Int32Array;
  /** Places that stay reached at any character but `/`, and those that do so at any character. */
  readonly #loops: Int32Array;
  readonly #textLoops: Int32Array;
  readonly #parts: Int32Array;
  /** For each pattern the place after its last sign. */
  readonly #ends: number[] = [];
  /** For each place what leads to the next one; null if no character does. */
  readonly #signs: (CharacterSet | number | null)[] = [];
  readonly #classes: CharacterClasses;
  /** By class of characters: the places whose sign takes them. Filled in as characters are met. */
  readonly #takes: (Int32Array | undefined)[] = [];
  #reached: Int32Array;
  #next: Int32Array;

  constructor(patterns: readonly (readonly PathSign[])[]) {
    const starts: number[] = [];
    const loops: number[] = [];
    const textLoops: number[] = [];
    const parts: number[] = [];
    for (const pattern of patterns) {
      starts.push(this.#signs.length);
      for (const [at, sign] of pattern.entries()) {
        const place = this.#signs.length;
        if (sign.kind === "star") loops.push(place);
        else if (sign.kind === "text") textLoops.push(place);
        else if (sign.kind === "character") this.#signs.push(sign.codePoint);
        else if (sign.kind === "set") this.#signs.push(sign.set);
        else if (pattern[at - 1]?.kind !== "parts") {
          textLoops.push(place);
          parts.push(place);
          this.#signs.push(null);
        }
      }
      this.#ends.push(this.#signs.length);
      this.#signs.push(null);
    }
    this.#words = (this.#signs.length + 31) >>> 5;
    this.#starts = this.#bits(starts);
    this.#textLoops = this.#bits(textLoops);
    this.#loops = this.#bits(loops.concat(textLoops));
    this.#parts = this.#bits(parts);
    this.#skipParts(this.#starts, 0, this.#words - 1);
    this.#classes = new CharacterClasses(this.#signs);
    this.#reached = this.#bits([]);
    this.#next = this.#bits([]);
  }

  matches(path: string): boolean {
    return this.lastMatch(path, () => true) >= 0;
  }

  /** Returns the index of the last pattern that matches the whole path and is allowed to; -1 if there is none. */
  lastMatch(path: string, isAllowed: (pattern: number) => boolean): number {
    if (!this.#run(path)) return -1;
    for (let pattern = this.#ends.length - 1; pattern >= 0; pattern--) {
      const end = this.#ends[pattern]!;
      if ((this.#reached[end >>> 5]! >>> (end & 31)) & 1 && isAllowed(pattern)) return pattern;
    }
    return -1;
  }

  /** Leaves in `#reached` the places at the end of the path; false if there are none. */
  #run(path: string): boolean {
    let reached = this.#reached;
    let next = this.#next;
    reached.set(this.#starts);
    // Only words from `low` to `high` have bits; what stands in others is left from before.
    let low = 0;
    let high = this.#words - 1;
    for (let at = 0; at < path.length; at++) {
      const codePoint = path.codePointAt(at)!;
      if (codePoint > 0xffff) at++;
      const isSlash = codePoint === SLASH;
      const takes = this.#takesOf(codePoint);
      const loops = isSlash ? this.#textLoops : this.#loops;
      let carry = 0;
      for (let word = low; word <= high; word++) {
        const here = reached[word]!;
        const taken = here & takes[word]!;
        next[word] = (taken << 1) | carry | (here & loops[word]!);
        carry = taken >>> 31;
      }
      if (carry !== 0) next[++high] = carry;
      while (low <= high && next[low] === 0) low++;
      while (high >= low && next[high] === 0) high--;
      if (low > high) return false;
      if (isSlash) high = this.#skipParts(next, low, high);
      [reached, next] = [next, reached];
    }
    reached.fill(0, 0, low);
    reached.fill(0, high + 1);
    this.#reached = reached;
    this.#next = next;
    return true;
  }

  /** A part of the path starts here: what follows a `parts` is reached, too. Returns the last word that has bits. */
  #skipParts(bits: Int32Array, low: number, high: number): number {
    let carry = 0;
    for (let word = low; word <= high; word++) {
      const open = bits[word]! & this.#parts[word]!;
      bits[word] = bits[word]! | (open << 1) | carry;
      carry = open >>> 31;
    }
    if (carry === 0) return high;
    bits[high + 1] = carry;
    return high + 1;
  }

  #takesOf(codePoint: number): Int32Array {
    const index = this.#classes.of(codePoint);
    const known = this.#takes[index];
    if (known !== undefined) return known;
    const places: number[] = [];
    for (const [place, sign] of this.#signs.entries()) {
      if (sign === codePoint || (typeof sign === "object" && sign !== null && isInSet(sign, codePoint)))
        places.push(place);
    }
    const takes = this.#bits(places);
    this.#takes[index] = takes;
    return takes;
  }

  #bits(places: readonly number[]): Int32Array {
    const bits = new Int32Array(this.#words);
    for (const place of places) bits[place >>> 5] = bits[place >>> 5]! | (1 << (place & 31));
    return bits;
  }
}
