import type { Database } from "../store/database.ts";
import { NO_WORDS, WordIndex, type WordList } from "../store/word-list.ts";
import { phraseList } from "./phrase-list.ts";
import { tokenBytes, tokenOf } from "./token.ts";

/** The chunks that have the items of a query, each read once, on one state of the database. SPEC §25.2 */
export class WordLists {
  readonly #index: WordIndex;
  readonly #ofItem = new Map<string, WordList>();
  readonly #ofToken = new Map<string, WordList>();

  constructor(database: Database) {
    this.#index = new WordIndex(database);
  }

  /** Returns the chunks that an item (SPEC §15.2) matches, and how often it occurs in each. */
  of(item: string): WordList {
    const known = this.#ofItem.get(item);
    if (known !== undefined) return known;
    const tokens = item.split(" ").map(tokenOf);
    const list = tokens.length === 1 ? this.#token(tokens[0]!, false) : this.#phrase(tokens);
    this.#ofItem.set(item, list);
    return list;
  }

  /** Returns the least number of chunks in which one of the tokens of a term occurs. SPEC §15.7 */
  rarestOf(term: string): number {
    return Math.min(...term.split(" ").map((word) => this.#token(tokenOf(word), false).size));
  }

  #token(token: string, withPositions: boolean): WordList {
    const key = `${withPositions ? "+" : "-"}${token}`;
    const list = this.#ofToken.get(key) ?? this.#index.list(tokenBytes(token), withPositions);
    this.#ofToken.set(key, list);
    return list;
  }

  #phrase(tokens: readonly string[]): WordList {
    const lists: WordList[] = [];
    for (const token of tokens) {
      const list = this.#token(token, true);
      if (list.size === 0) return NO_WORDS;
      lists.push(list);
    }
    return phraseList(lists);
  }
}
