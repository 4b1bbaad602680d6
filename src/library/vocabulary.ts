import { vocabularyWords } from "../search/vocabulary-words.ts";
import type { Database } from "../store/database.ts";
import { writeLengths } from "../store/lengths.ts";

/**
 * The words that documents have, as they are written, each with the number of chunks that have it. FTS5's own
 * vocabulary holds stems, which nobody would recognise as a correction. A change is gathered over a transaction and
 * written once: a batch of chunks shares most of its words. So are the lengths of new chunks. SPEC §15.9
 */
export class VocabularyChange {
  readonly #database: Database;
  readonly #delta = new Map<string, number>();
  #added: number[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  /** Counts the words of a chunk that was added, given by its rowid. */
  add(chunk: number, words: Iterable<string>): void {
    this.#added.push(chunk);
    this.#count(words, 1);
  }

  /** Discounts the words of a chunk that is removed: its text and its headings, as they were indexed. */
  readonly remove = (text: string, headings: string): void => {
    this.#count(vocabularyWords(text, headings), -1);
  };

  /** Writes the change. */
  write(): void {
    for (const [word, change] of this.#delta) {
      if (change === 0) continue;
      this.#database.run(
        "INSERT INTO words (word, chunks) VALUES (?, ?) ON CONFLICT (word) DO UPDATE SET chunks = chunks + excluded.chunks",
        [word, change],
      );
      if (change < 0) this.#database.run("DELETE FROM words WHERE word = ? AND chunks <= 0", [word]);
    }
    this.#delta.clear();
    writeLengths(this.#database, this.#added);
    this.#added = [];
  }

  #count(words: Iterable<string>, change: number): void {
    for (const word of words) this.#delta.set(word, (this.#delta.get(word) ?? 0) + change);
  }
}
