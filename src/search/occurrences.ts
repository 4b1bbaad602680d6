import { foldedCharacter, tokenOf } from "./token.ts";
import { isMark, isWordCharacter } from "./words.ts";

/** A place in a text where an item occurs: in UTF-16 units, and by word numbers. */
export interface Occurrence {
  /** The index of the item. */
  readonly item: number;
  readonly start: number;
  readonly end: number;
  readonly firstWord: number;
  readonly lastWord: number;
}

/** A word of a text whose token occurs in an item. */
interface Word {
  /** Its index among all words of the text. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** The number of its token. */
  readonly token: number;
}

/**
 * Finds the items of a query in texts, at the places where FTS5 finds them. FTS5 itself would have to index these texts
 * again, separately: in the index of all chunks it takes long to reach a few of them. SPEC §15.8
 */
export class ItemFinder {
  readonly #tokens = new Map<string, number>();
  /** The items that start with a token, by the token's number. */
  readonly #beginning = new Map<number, { item: number; tokens: readonly number[] }[]>();
  /**
   * Folded first characters of the items' words. Most words of a text start with another character and need no
   * stemming.
   */
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

  /** Returns every occurrence, ordered by its first word. */
  in(text: string): Occurrence[] {
    const words = this.#wordsOf(text);
    const found: Occurrence[] = [];
    for (const [i, { at, start, token }] of words.entries()) {
      for (const { item, tokens } of this.#beginning.get(token) ?? []) {
        const isThere = tokens.every((each, j) => {
          const word = words[i + j];
          return word !== undefined && word.token === each && word.at === at + j;
        });
        const last = i + tokens.length - 1;
        if (isThere)
          found.push({ item, start, end: words[last]!.end, firstWord: at, lastWord: words[last]!.at });
      }
    }
    return found;
  }

  /** Returns those of the words that `wordsOf` would return whose tokens occur in an item. */
  #wordsOf(text: string): Word[] {
    const words: Word[] = [];
    let at = 0;
    let start = -1;
    let isWanted = false;
    const endWord = (end: number) => {
      const token = isWanted ? this.#tokens.get(tokenOf(text.slice(start, end))) : undefined;
      if (token !== undefined) words.push({ at, start, end, token });
      start = -1;
      at++;
    };
    for (let i = 0; i < text.length; i++) {
      const codePoint = text.codePointAt(i)!;
      if (isWordCharacter(codePoint)) {
        if (start < 0) {
          start = i;
          isWanted = this.#initials.has(foldedCharacter(codePoint));
        }
      } else if (start >= 0 && !isMark(codePoint)) {
        endWord(i);
      }
      if (codePoint > 0xffff) i++;
    }
    if (start >= 0) endWord(text.length);
    return words;
  }
}
