import { vocabularyWords } from "../search/vocabulary-word.ts";
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

  /** Counts the words of a chunk that was added, given by its rowid: its text and its headings, as they are indexed. */
  add(chunk: number, text: string, headings: string): void {
    this.#added.push(chunk);
    this.#count(text, headings, 1);
  }

  /** Discounts the words of all chunks of a document that will be removed or replaced. */
  removeDocument(documentId: Uint8Array): void {
    this.#database.each(
      "SELECT coalesce(searchText, text), searchHeadings FROM chunks WHERE documentId = ?",
      [documentId],
      (row) => this.#count(row.text(0), row.text(1), -1),
    );
  }

  /** Discounts the words of a chunk that will be removed. */
  removeChunk(chunk: number): void {
    this.#database.each(
      "SELECT coalesce(searchText, text), searchHeadings FROM chunks WHERE chunk = ?",
      [chunk],
      (row) => this.#count(row.text(0), row.text(1), -1),
    );
  }

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

  #count(text: string, headings: string, change: number): void {
    for (const word of vocabularyWords(text, headings))
      this.#delta.set(word, (this.#delta.get(word) ?? 0) + change);
  }
}
