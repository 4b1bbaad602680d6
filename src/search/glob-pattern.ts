import { ANY_BUT_SLASH, type CharacterSet, SLASH } from "../files/character-set.ts";

/** A path pattern, parsed into a tree. SPEC §17.1 */
export type Node = Sign | Braces;

/** @property length the number of characters of the pattern's source text */
export type Sign = { readonly length: number } & (
  | { readonly kind: "character"; readonly codePoint: number }
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "star" }
);

export interface Braces {
  readonly kind: "braces";
  readonly alternatives: readonly (readonly Node[])[];
}

/** Limits: characters of a pattern, and depth of nested braces. */
export const LENGTH_MAX = 1000;
const DEPTH_MAX = 16;

/** @param refuse throws; it is given what is wrong with the pattern */
export function parseGlob(pattern: string, refuse: (why: string) => never): Node[] {
  if (pattern === "") refuse("it is empty");
  // A character has at most two units, so a longer string need not be split into characters.
  const characters = pattern.length > 2 * LENGTH_MAX ? [] : Array.from(pattern);
  if (characters.length === 0 || characters.length > LENGTH_MAX)
    refuse(`it has more than ${LENGTH_MAX} characters`);
  return new Reader(characters, refuse).sequence(0);
}

class Reader {
  readonly #characters: readonly string[];
  readonly #refuse: (why: string) => never;
  #at = 0;

  constructor(characters: readonly string[], refuse: (why: string) => never) {
    this.#characters = characters;
    this.#refuse = refuse;
  }

  /** Parses up to the end, or up to the `,` or `}` of the enclosing braces. */
  sequence(depth: number): Node[] {
    const nodes: Node[] = [];
    while (this.#at < this.#characters.length) {
      const character = this.#characters[this.#at]!;
      if (depth > 0 && (character === "," || character === "}")) break;
      nodes.push(character === "{" ? this.#braces(depth + 1) : this.#sign(character));
    }
    return nodes;
  }

  #sign(character: string): Sign {
    const start = this.#at;
    if (character === "[") {
      const set = this.#bracket();
      return { kind: "set", set, length: this.#at - start };
    }
    if (character !== "*" && character !== "?") {
      const codePoint = this.#character("it ends in \\");
      return { kind: "character", codePoint, length: this.#at - start };
    }
    this.#at++;
    return character === "*" ? { kind: "star", length: 1 } : { kind: "set", set: ANY_BUT_SLASH, length: 1 };
  }

  /** Parses one literal character, or the one after a `\`. */
  #character(whyNot: string): number {
    if (this.#characters[this.#at] === "\\") this.#at++;
    const character = this.#characters[this.#at++];
    return character === undefined ? this.#refuse(whyNot) : character.codePointAt(0)!;
  }

  #bracket(): CharacterSet {
    this.#at++;
    const isNegated = ["!", "^"].includes(this.#characters[this.#at]!);
    if (isNegated) this.#at++;
    const ranges: [number, number][] = [];
    // A ] in first position is a literal character.
    while (ranges.length === 0 || this.#characters[this.#at] !== "]") {
      const first = this.#member();
      const isRange = this.#characters[this.#at] === "-" && this.#characters[this.#at + 1] !== "]";
      if (isRange) this.#at++;
      const last = isRange ? this.#member() : first;
      if (last < first) this.#refuse("a range in [ ] runs backwards");
      ranges.push([first, last]);
    }
    this.#at++;
    return { isNegated, ranges };
  }

  #member(): number {
    const codePoint = this.#character("a [ has no ]");
    return codePoint === SLASH ? this.#refuse("a / stands in [ ]") : codePoint;
  }

  #braces(depth: number): Braces {
    if (depth > DEPTH_MAX) this.#refuse(`its braces are nested more than ${DEPTH_MAX} deep`);
    const alternatives: Node[][] = [];
    let end: string | undefined;
    do {
      this.#at++; // { or ,
      alternatives.push(this.sequence(depth));
      end = this.#characters[this.#at];
    } while (end === ",");
    if (end !== "}") this.#refuse("a { has no }");
    this.#at++;
    return { kind: "braces", alternatives };
  }
}
