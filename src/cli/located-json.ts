/** JSON values with their positions, so that an error can name line and column. Strictly RFC 8259. */

export type Located =
  | { readonly kind: "object"; readonly at: number; readonly members: ReadonlyMap<string, LocatedMember> }
  | { readonly kind: "array"; readonly at: number; readonly items: readonly Located[] }
  | { readonly kind: "string" | "number" | "boolean" | "null"; readonly at: number; readonly value: Scalar };

export interface LocatedMember {
  /** The position of the key. */
  readonly keyAt: number;
  readonly value: Located;
}

type Scalar = string | number | boolean | null;

/** A fault in the text, at an offset in UTF-16 units. */
export class JsonFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Finds only where a string ends; JSON.parse checks its contents. */
const STRING = /"(?:[^"\\]|\\.)*"/sy;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS = { true: true, false: false, null: null } as const;
/** The deepest nesting allowed. A deeper text is no configuration and would exhaust the stack. */
const DEPTH_MAX = 64;

/** @throws {JsonFault} */
export function parseLocated(text: string): Located {
  return new Parser(text).whole();
}

/** Returns line and column of an offset, both from 1. A column is a character. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: [...before.at(-1)!].length + 1 };
}

/** Returns the value without positions. */
export function plainValue(located: Located): unknown {
  switch (located.kind) {
    case "object":
      return Object.fromEntries([...located.members].map(([key, { value }]) => [key, plainValue(value)]));
    case "array":
      return located.items.map(plainValue);
    default:
      return located.value;
  }
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Located {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw this.#unexpected("the end");
    return value;
  }

  #value(depth: number): Located {
    this.#space();
    const at = this.#at;
    if (depth > DEPTH_MAX) throw new JsonFault(`expected at most ${DEPTH_MAX} levels, got more`, at);
    const next = this.#text[at];
    if (next === "{") return this.#object(depth);
    if (next === "[") return this.#array(depth);
    if (next === '"') return { kind: "string", at, value: this.#string() };
    const number = this.#match(NUMBER);
    if (number !== null) return { kind: "number", at, value: Number(number) };
    for (const [word, value] of Object.entries(WORDS)) {
      if (!this.#text.startsWith(word, at)) continue;
      this.#at += word.length;
      return { kind: value === null ? "null" : "boolean", at, value };
    }
    throw this.#unexpected("a value");
  }

  #object(depth: number): Located {
    const at = this.#at;
    const members = new Map<string, LocatedMember>();
    this.#at++;
    this.#space();
    while (this.#text[this.#at] !== "}") {
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"') throw this.#unexpected(members.size === 0 ? 'a key or "}"' : "a key");
      const key = this.#string();
      if (members.has(key))
        throw new JsonFault(`expected each key once, got ${JSON.stringify(key)} again`, keyAt);
      this.#take(":");
      members.set(key, { keyAt, value: this.#value(depth + 1) });
      if (!this.#takeSeparator("}")) break;
    }
    this.#at++;
    return { kind: "object", at, members };
  }

  #array(depth: number): Located {
    const at = this.#at;
    const items: Located[] = [];
    this.#at++;
    this.#space();
    while (this.#text[this.#at] !== "]") {
      items.push(this.#value(depth + 1));
      if (!this.#takeSeparator("]")) break;
    }
    this.#at++;
    return { kind: "array", at, items };
  }

  /** Returns true after a comma, false before the end. A comma right before the end is a fault. */
  #takeSeparator(end: "}" | "]"): boolean {
    this.#space();
    if (this.#text[this.#at] === end) return false;
    if (this.#text[this.#at] !== ",") throw this.#unexpected(`"," or "${end}"`);
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === end) throw this.#unexpected(`no "," before "${end}"`);
    return true;
  }

  #take(sign: string): void {
    this.#space();
    if (this.#text[this.#at] !== sign) throw this.#unexpected(`"${sign}"`);
    this.#at++;
  }

  #string(): string {
    const at = this.#at;
    try {
      return JSON.parse(this.#match(STRING) ?? "") as string;
    } catch {
      throw new JsonFault("expected a string that ends on its line, with valid escapes", at);
    }
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #space(): void {
    while (" \t\r\n".includes(this.#text[this.#at] ?? "x")) this.#at++;
  }

  #unexpected(expected: string): JsonFault {
    const rest = this.#text.slice(this.#at);
    const got =
      rest === ""
        ? "the end of the file"
        : rest.startsWith("//") || rest.startsWith("/*")
          ? "a comment, which JSON does not allow"
          : JSON.stringify([...rest.slice(0, 12)][0]);
    return new JsonFault(`expected ${expected}, got ${got}`, this.#at);
  }
}
