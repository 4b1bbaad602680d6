import { foldedCharacter, tokenOf } from "./token.ts";
import { isMark, isWordCharacter } from "./words.ts";

/** A place of a text where an item stands; in UTF-16 units, and by its words. */
export interface Occurrence {
  /** The number of the item. */
  readonly item: number;
  readonly start: number;
  readonly end: number;
  readonly firstWord: number;
  readonly lastWord: number;
}

interface Word {
  readonly start: number;
  readonly end: number;
  /** The number of its token; null if no item has it. */
  readonly token: number | null;
}

/**
 * Finds the items of a query in texts, where FTS5 finds them. FTS5 itself would have to index the texts again, alone: in
 * the index of all chunks it takes long to come to a few of them. SPEC §15.8
 */
export class ItemFinder {
  readonly #tokens = new Map<string, number>();
  /** The items that begin with a token, by its number. */
  readonly #beginning = new Map<number, { item: number; tokens: readonly number[] }[]>();
  /** Folded first characters of the items' words: most words of a text begin with another, and need no stem. */
  readonly #initials = new Set<number>();

  constructor(items: readonly string[]) {
    for (const [item, words] of items.entries()) {
      const tokens = words.split(" ").map((word) => this.#numberOf(word));
      const others = this.#beginning.get(tokens[0]!);
      if (others === undefined) this.#beginning.set(tokens[0]!, [{ item, tokens }]);
      else others.push({ item, tokens });
    }
  }

  #numberOf(word: string): number {
    this.#initials.add(foldedCharacter(word.codePointAt(0)!));
    const token = tokenOf(word);
    const number = this.#tokens.get(token) ?? this.#tokens.size;
    this.#tokens.set(token, number);
    return number;
  }

  /** Every one, by its first word. */
  in(text: string): Occurrence[] {
    const words = this.#wordsOf(text);
    const found: Occurrence[] = [];
    for (const [firstWord, { start, token }] of words.entries()) {
      if (token === null) continue;
      for (const { item, tokens } of this.#beginning.get(token) ?? []) {
        if (!tokens.every((each, i) => words[firstWord + i]?.token === each)) continue;
        const lastWord = firstWord + tokens.length - 1;
        found.push({ item, start, end: words[lastWord]!.end, firstWord, lastWord });
      }
    }
    return found;
  }

  /** As `wordsOf` cuts them. */
  #wordsOf(text: string): Word[] {
    const words: Word[] = [];
    let start = -1;
    let isWanted = false;
    const end = (at: number) => {
      if (start < 0) return;
      const token = isWanted ? (this.#tokens.get(tokenOf(text.slice(start, at))) ?? null) : null;
      words.push({ start, end: at, token });
      start = -1;
    };
    for (let at = 0; at < text.length; ) {
      const codePoint = text.codePointAt(at)!;
      if (isWordCharacter(codePoint)) {
        if (start < 0) {
          start = at;
          isWanted = this.#initials.has(foldedCharacter(codePoint));
        }
      } else if (!isMark(codePoint)) {
        end(at);
      }
      at += codePoint > 0xffff ? 2 : 1;
    }
    end(text.length);
    return words;
  }
}
