/** The signs of a pattern of paths, read into a tree. SPEC §17.1 */

/** Characters in ranges, or all outside of them; `/` is in neither. */
export interface CharacterSet {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

export type Node =
  | { readonly kind: "character"; readonly codePoint: number }
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "star" }
  | { readonly kind: "braces"; readonly alternatives: readonly (readonly Node[])[] };

export const SLASH = 0x2f;

/** Characters of a pattern, and braces within braces. */
const LENGTH_MAX = 1000;
const DEPTH_MAX = 16;

const ANY: CharacterSet = { isNegated: true, ranges: [] };

export function isInSet({ isNegated, ranges }: CharacterSet, codePoint: number): boolean {
  if (codePoint === SLASH) return false;
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last) !== isNegated;
}

/** @param refuse throws, given what is wrong with the pattern */
export function parseGlob(pattern: string, refuse: (why: string) => never): Node[] {
  const characters = Array.from(pattern);
  if (characters.length === 0) refuse("it is empty");
  if (characters.length > LENGTH_MAX) refuse(`it has over ${LENGTH_MAX} characters`);
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

  /** Up to the end, or to the `,` or `}` of the braces around it. */
  sequence(depth: number): Node[] {
    const nodes: Node[] = [];
    while (this.#at < this.#characters.length) {
      const character = this.#characters[this.#at]!;
      if (depth > 0 && (character === "," || character === "}")) break;
      if (character === "[") nodes.push(this.#bracket());
      else if (character === "{") nodes.push(this.#braces(depth + 1));
      else if (character === "*") nodes.push(this.#sign({ kind: "star" }));
      else if (character === "?") nodes.push(this.#sign({ kind: "set", set: ANY }));
      else nodes.push({ kind: "character", codePoint: this.#character("it ends in \\") });
    }
    return nodes;
  }

  #sign(node: Node): Node {
    this.#at++;
    return node;
  }

  /** One character as it stands, or the one behind a `\`. */
  #character(whyNot: string): number {
    if (this.#characters[this.#at] === "\\") this.#at++;
    const character = this.#characters[this.#at++];
    return character === undefined ? this.#refuse(whyNot) : character.codePointAt(0)!;
  }

  #bracket(): Node {
    this.#at++;
    const isNegated = ["!", "^"].includes(this.#characters[this.#at]!);
    if (isNegated) this.#at++;
    const ranges: [number, number][] = [];
    // A ] that comes first is a character.
    while (ranges.length === 0 || this.#characters[this.#at] !== "]") {
      const first = this.#member();
      const isRange = this.#characters[this.#at] === "-" && this.#characters[this.#at + 1] !== "]";
      if (isRange) this.#at++;
      const last = isRange ? this.#member() : first;
      if (last < first) this.#refuse("a range in [ ] runs backwards");
      ranges.push([first, last]);
    }
    this.#at++;
    return { kind: "set", set: { isNegated, ranges } };
  }

  #member(): number {
    const codePoint = this.#character("a [ has no ]");
    return codePoint === SLASH ? this.#refuse("a / stands in [ ]") : codePoint;
  }

  #braces(depth: number): Node {
    if (depth > DEPTH_MAX) this.#refuse(`it has over ${DEPTH_MAX} braces inside each other`);
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
