import type { Engine } from "../engine/engine.ts";
import { type LoadOptions, loadEngine } from "../engine/load.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "../store/database.ts";
import { eachSparseTerm, eachSparseVector, sparseCounts } from "../store/outside.ts";
import { SparseIndex } from "../vectors/sparse-index.ts";

/** More numbers of terms than any library needs: a table of their postings would not fit. */
const TERM_NUMBERS_MAX = 1 << 26;

/**
 * The sparse vectors of a library's chunks in memory, in an engine of their own. They are read when a search first needs
 * them, and again when the library has changed. SPEC §24.2
 */
export class SparseVectors {
  readonly #database: Database;
  readonly #load: LoadOptions;
  #engine: Promise<Engine> | null = null;
  #loaded: Engine | null = null;
  #index: SparseIndex | null = null;
  #root = "";

  constructor(database: Database, load: LoadOptions) {
    this.#database = database;
    this.#load = load;
  }

  /** Loads the engine, which takes some turns of the event loop. Call it before `of`. */
  async prepare(): Promise<void> {
    this.#engine ??= loadEngine(this.#load).then(({ engine }) => engine);
    this.#loaded = await this.#engine;
  }

  /** Returns the index of the library's current state, whose root is given. */
  of(root: string): SparseIndex {
    if (this.#index !== null && this.#root === root) return this.#index;
    this.#index = null; // of neither state, in case this fails half-way
    const database = this.#database;
    const { chunks, entries, termNumbers } = sparseCounts(database);
    if (termNumbers > TERM_NUMBERS_MAX) {
      throw new SelfsameError(
        "DATABASE_CORRUPT",
        `expected terms numbered up to ${TERM_NUMBERS_MAX}, got ${termNumbers}`,
        "Restore a copy, or ingest the chunks again",
      );
    }
    this.#index = new SparseIndex(this.#loaded!, {
      chunks,
      entries,
      termNumbers,
      eachTerm: (visit) => eachSparseTerm(database, visit),
      eachChunk: (visit) => eachSparseVector(database, visit),
    });
    this.#root = root;
    return this.#index;
  }
}
