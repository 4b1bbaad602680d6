import { breathe } from "../engine/breather.ts";
import { ID_BYTES, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { type LoadOptions, loadEngine } from "../engine/load.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "../store/database.ts";
import {
  eachOutsideDocument,
  eachSparseTerm,
  eachSparseVector,
  sparseCounts,
  sparseVectorsOf,
} from "../store/outside.ts";
import { LayeredSparse } from "../vectors/layered-sparse.ts";
import { SparseIndex, type SparseSearch } from "../vectors/sparse-index.ts";
import type { LibraryState } from "./library-state.ts";

/** More numbers of terms than any library needs: a table of their postings would not fit. */
const TERM_NUMBERS_MAX = 1 << 26;
/** So many chunks are read in one turn of the event loop. */
const PAGE = 4096;
/** While others write, the steps of a build start again so often. Then it is built at once. */
const TRIES_MAX = 4;
/** Above these numbers of chunks, a difference costs searches more than a build costs once. */
const DIFFERENCE_MAX = { gone: 512, news: 4096 };

/** The index of one state of the library, and what tells how another state differs. */
interface Base {
  readonly root: string;
  readonly index: SparseIndex;
  /** The value of each outside document. */
  readonly documents: ReadonlyMap<string, string>;
  /** The ids of the chunks of each document that are in the index, 16 bytes each. */
  readonly chunks: ReadonlyMap<string, readonly Uint8Array[]>;
}

/**
 * The sparse vectors of a library's chunks in memory, in engines of their own. They are read when a search first needs
 * them, in steps. When the library has changed, documents that differ are read, until so many do that all are read again.
 * SPEC §24.2
 */
export class SparseVectors {
  readonly #database: Database;
  readonly #state: LibraryState;
  readonly #load: LoadOptions;
  #engines: Promise<{ readonly base: Engine; readonly news: Engine }> | null = null;
  #base: Base | null = null;
  #current: { readonly root: string; readonly index: SparseSearch } | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(database: Database, state: LibraryState, load: LoadOptions) {
    this.#database = database;
    this.#state = state;
    this.#load = load;
  }

  /** Returns the index of the state with this root; null if `current` must be awaited first. */
  ready(root: string): SparseSearch | null {
    return this.#current?.root === root ? this.#current.index : null;
  }

  /** Brings the index to a state of the library that is not older than this call. */
  current(): Promise<void> {
    const done = this.#queue.then(() => this.#broughtUp());
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #broughtUp(): Promise<void> {
    this.#engines ??= loadEngine(this.#load).then(({ engine }) => ({ base: engine, news: engine.another() }));
    const { base, news } = await this.#engines;
    if (this.#database.snapshot(() => this.#follows(news))) return;
    this.#base = this.#current = null; // its memory is used again
    for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
      const built = await this.#built(base);
      if (built === null) continue;
      this.#base = built;
      this.#current = built;
      return;
    }
    this.#base = this.#current = this.#database.snapshot(() => {
      const steps = this.#begin(base);
      eachSparseVector(this.#database, steps.add);
      return steps.finish();
    });
  }

  /** Makes the index of the current state from the base and what differs; false if that is too much. */
  #follows(engine: Engine): boolean {
    const [database, base] = [this.#database, this.#base];
    const root = this.#state.root();
    if (this.#current?.root === root) return true;
    // Which chunks are near-duplicates may hang on documents that have changed.
    if (base === null || this.#state.dedupe !== null) return false;
    const changed: string[] = [];
    const there = new Set<string>();
    for (const [document, value] of outsideDocuments(database)) {
      there.add(document);
      if (base.documents.get(document) !== value) changed.push(document);
    }
    const left = [...base.documents.keys()].filter((document) => !there.has(document));
    const gone = [...changed, ...left].flatMap((document) => base.chunks.get(document) ?? []);
    if (gone.length > DIFFERENCE_MAX.gone || changed.length > DIFFERENCE_MAX.news) return false;
    const rows = changed.flatMap((document) => sparseVectorsOf(database, document));
    if (rows.length > DIFFERENCE_MAX.news) return false;
    rows.sort((a, b) => (toHex(a.chunkId) < toHex(b.chunkId) ? -1 : 1));
    const news = new SparseIndex(engine, {
      chunks: rows.length,
      entries: rows.reduce((sum, { entries }) => sum + entries.length / 8, 0),
      termNumbers: checkedTerms(sparseCounts(database).termNumbers),
      eachTerm: (visit) => eachSparseTerm(database, visit),
      eachChunk: (visit) => {
        for (const { chunkId, entries } of rows) visit(chunkId, entries);
      },
    });
    const ids = new Uint8Array(gone.length * ID_BYTES);
    for (const [i, id] of gone.entries()) ids.set(id, i * ID_BYTES);
    this.#current = { root, index: new LayeredSparse(base.index, ids, news) };
    return true;
  }

  /** Reads all chunks, page by page, each in its own turn; null if the library changes meanwhile. */
  async #built(engine: Engine): Promise<Base | null> {
    const database = this.#database;
    const steps = database.snapshot(() => this.#begin(engine));
    for (let after: Uint8Array | null = new Uint8Array(0); after !== null; ) {
      const from: Uint8Array = after;
      const isSame = database.snapshot(() => {
        if (this.#state.root() !== steps.root) return false;
        after = eachSparseVector(database, steps.add, from, PAGE);
        return true;
      });
      if (!isSame) return null;
      await breathe();
    }
    return steps.finish();
  }

  #begin(engine: Engine) {
    const database = this.#database;
    const root = this.#state.root();
    const { chunks: count, entries, termNumbers } = sparseCounts(database);
    const index = new SparseIndex(engine, {
      ...{ chunks: count, entries, termNumbers: checkedTerms(termNumbers) },
      eachTerm: (visit) => eachSparseTerm(database, visit),
    });
    const documents = outsideDocuments(database);
    const chunks = new Map<string, Uint8Array[]>();
    return {
      root,
      add: (id: Uint8Array, row: Uint8Array, documentId: Uint8Array) => {
        const key = toHex(documentId);
        const ids = chunks.get(key);
        if (ids === undefined) chunks.set(key, [id.slice()]);
        else ids.push(id.slice());
        index.add(id, row);
      },
      finish: (): Base => {
        index.finish();
        return { root, index, documents, chunks };
      },
    };
  }
}

/** Returns the value of each outside document in the root. */
function outsideDocuments(database: Database): Map<string, string> {
  const documents = new Map<string, string>();
  eachOutsideDocument(database, (documentId, value) => documents.set(toHex(documentId), toHex(value)));
  return documents;
}

function checkedTerms(termNumbers: number): number {
  if (termNumbers <= TERM_NUMBERS_MAX) return termNumbers;
  throw new SelfsameError(
    "DATABASE_CORRUPT",
    `expected terms numbered up to ${TERM_NUMBERS_MAX}, got ${termNumbers}`,
    "Restore a copy, or ingest the chunks again",
  );
}
