import { vectorInto, vectorOf } from "../engine/byte-order.ts";
import { toHex } from "../engine/digest.ts";
import { type LoadOptions, loadEngine } from "../engine/load.ts";
import { threads } from "../engine/threads.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "../store/database.ts";
import { missingRow } from "../store/missing-row.ts";
import { eachVector, vectorOfChunk } from "../store/vector-rows.ts";
import { VectorIndex } from "../vectors/vector-index.ts";
import type { IndexKind } from "./canon.ts";
import type { ChunkChanges, NewVectors } from "./ingest.ts";
import { keepGraph, keptGraph } from "./kept-graph.ts";
import type { LibraryState } from "./library-state.ts";

/** `auto` answers from the graph above this many distinct vectors. SPEC §14.3 */
const GRAPH_ANSWERS_ABOVE = 65_536;
/** … and stores it from this size on, so that crossing the threshold costs no search a rebuild. */
const GRAPH_KEPT_FROM = 32_768;
/** If more than a twentieth of the vectors change, rebuilding the graph is cheaper than updating it. */
const REBUILD_SHARE = 20;
/** From this many vectors on, comparing them takes longer than starting threads. */
export const THREADS_FROM = 8_192;

export interface SemanticOptions extends LoadOptions {
  /** The number of threads that build a large graph; default: the number of the device's cores. */
  readonly workers?: number;
  /** The graph is never built or stored here: another connection does that. */
  readonly isReader?: boolean;
}

/**
 * The vectors of a library's chunks in memory. They are derived from the database, so they can always be loaded again.
 * The index belongs to one root; it catches up with any change to the library (by this process or another) before an
 * answer.
 */
export class SemanticIndex {
  readonly #state: LibraryState;
  readonly #database: Database;
  readonly #dim: number;
  readonly #kind: IndexKind;
  readonly #options: SemanticOptions;
  #index: VectorIndex | null = null;
  #root = "";
  #keptRoot = "";
  /** Work that takes several turns of the event loop, run one after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #building = false;
  /** Whether the index has been requested. */
  #isAwaited = false;
  readonly #stop = new AbortController();

  constructor(
    state: LibraryState,
    database: Database,
    dim: number,
    kind: IndexKind,
    options: SemanticOptions,
  ) {
    this.#state = state;
    this.#database = database;
    this.#dim = dim;
    this.#kind = kind;
    this.#options = options;
  }

  /** The root that the vectors in memory belong to. */
  get root(): string {
    return this.#root;
  }

  /**
   * Returns the index of the library's current state. `root` is what the caller saw; if the library has changed since,
   * the index is of the newer state, and `root` of this object says so. It must be used at once, in the same turn of
   * the event loop: a later change may close it.
   */
  async current(root: string): Promise<VectorIndex> {
    return this.ready(root) ?? this.#broughtUp();
  }

  /** Returns the index if it is complete and belongs to this root; otherwise the caller must await `current`. */
  ready(root: string): VectorIndex | null {
    this.#isAwaited = true;
    const index = this.#index;
    return index !== null && this.#root === root && this.#isComplete(index) ? index : null;
  }

  /** Returns whether the graph answers. This depends only on the set of vectors and the canon. */
  answersByGraph(index: VectorIndex): boolean {
    return this.#kind === "hnsw" || (this.#kind === "auto" && index.distinct > GRAPH_ANSWERS_ABOVE);
  }

  /**
   * Prepares to follow the writes of this process, if the library is empty: an empty index costs nothing, and the first
   * search then finds every vector in memory.
   */
  async follow(): Promise<void> {
    if (this.#index !== null || this.#building || this.#kind === "hnsw") return;
    if (!this.#database.snapshot(() => this.#isEmpty())) return;
    // If it fails, the first search tries again and reports why.
    await this.#broughtUp().catch(() => undefined);
  }

  /**
   * Applies a change that this process has just written, with the vectors that it has just computed. What is not
   * applied here is caught up with later.
   */
  apply({ before, after, added, removed }: ChunkChanges, vectors: NewVectors = new Map()): void {
    const index = this.#index;
    if (index === null || this.#building || this.#root !== before) return;
    if (index.hasGraph && isCheaperAnew(added.length + removed.length, index)) return;
    if (!this.#isAwaited && index.size + added.length >= GRAPH_KEPT_FROM) {
      // No search has requested the index yet, and the next one needs a graph: until then the memory is better used
      // elsewhere.
      this.#index = null;
      index.close();
      return;
    }
    try {
      for (const id of removed) index.remove(id);
      for (const { id, textHash, vector } of added) {
        const known = vector == null ? vectors.get(toHex(textHash)) : vectorOf(vector);
        index.add(id, known ?? this.#vector(id));
      }
      this.#root = after;
    } catch {
      // The documents are written: the next caller loads the index again, and gets the error if it persists.
      this.#index = null;
    }
  }

  /** Stops a build in progress, stores the graph in the database if there is one, and frees the memory. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#queue;
    if (this.#index === null) return;
    this.#keep(this.#index);
    this.#index.close();
    this.#index = null;
  }

  #broughtUp(): Promise<VectorIndex> {
    const run = this.#queue.then(() => this.#bringUp());
    this.#queue = run.catch(() => undefined);
    return run;
  }

  async #bringUp(): Promise<VectorIndex> {
    for (;;) {
      const index = await this.#inStep();
      if (this.#isComplete(index)) return index;
      await this.#build(index);
      // Stored, so that what took long to build is not lost with the process.
      this.#keep(index);
    }
  }

  async #build(index: VectorIndex): Promise<void> {
    if (this.#options.isReader === true)
      throw new SelfsameError("INDEX_BUSY", "expected a stored graph, got none of this state of the library");
    const { source, workers = threads.count } = this.#options;
    const isWorthThreads = index.distinct >= THREADS_FROM && workers > 1 && source === undefined;
    this.#building = true;
    try {
      const { signal } = this.#stop;
      const build = (count: number) =>
        this.#database.idle(() => index.buildGraph({ signal, workers: count }));
      await build(isWorthThreads ? workers : 0).catch((error) => {
        // If no thread can be started, this thread does all the work.
        if (isWorthThreads && error instanceof SelfsameError && error.code === "WORKER_FAILED")
          return build(0);
        throw error;
      });
    } finally {
      this.#building = false;
    }
  }

  #isEmpty(): boolean {
    return this.#database.get("SELECT 1 AS found FROM chunks LIMIT 1") === undefined;
  }

  #isComplete(index: VectorIndex): boolean {
    if (this.#building) return false;
    return (
      index.hasGraph || this.#kind === "exact" || (this.#kind === "auto" && index.distinct < GRAPH_KEPT_FROM)
    );
  }

  /** Returns the index, with or without its graph, with the vectors that the database has at this moment. */
  async #inStep(): Promise<VectorIndex> {
    const held = this.#index;
    if (held !== null && this.#database.snapshot(() => this.#catchUp(held, this.#root))) return held;
    this.#index = null;
    held?.close();
    const { engine } = await loadEngine(this.#options);
    return this.#database.snapshot(() => {
      const kept = keptGraph(this.#database, engine, this.#dim);
      if (kept !== null && this.#catchUp(kept.index, kept.root)) {
        this.#keptRoot = kept.root;
        this.#index = kept.index;
      } else {
        kept?.index.close();
        this.#index = this.#read(VectorIndex.create(engine, { dim: this.#dim, graph: false }));
      }
      return this.#index;
    });
  }

  /**
   * Adds to an index of `root` what is new since then and removes what is gone; false if loading everything again is
   * cheaper.
   */
  #catchUp(index: VectorIndex, root: string): boolean {
    const now = this.#state.root();
    const count = this.#state.chunkCount(now);
    // A chunk that came with its vector may come again with another one: its id says nothing about its vector.
    if (root !== now && this.#state.dimension !== null) return false;
    if (root !== now || index.size !== count) {
      const missing: Uint8Array[] = [];
      this.#database.each("SELECT chunkId FROM chunks", [], (row) => {
        const id = row.blobView(0).slice();
        if (!index.has(id)) missing.push(id);
      });
      const goneCount = index.size + missing.length - count;
      if (isCheaperAnew(missing.length + goneCount, index)) return false;
      this.#root = ""; // of neither state, in case this fails half-way
      this.#change(index, missing, goneCount === 0 ? [] : this.#gone(index));
    }
    this.#root = now;
    return true;
  }

  #gone(index: VectorIndex): Uint8Array[] {
    const there = new Set<string>();
    this.#database.each("SELECT chunkId FROM chunks", [], (row) => there.add(toHex(row.blobView(0))));
    return index.ids().filter((id) => !there.has(toHex(id)));
  }

  #change(index: VectorIndex, added: readonly Uint8Array[], removed: readonly Uint8Array[]): void {
    for (const id of removed) index.remove(id);
    for (const id of added) index.add(id, this.#vector(id));
  }

  #read(index: VectorIndex): VectorIndex {
    const numbers = new Int16Array(this.#dim);
    eachVector(this.#database, this.#state.vectorOwner, (id, vector) =>
      index.add(id, vectorInto(numbers, vector)),
    );
    const root = this.#state.root();
    const count = this.#state.chunkCount(root);
    // No vectors at all is not damage: a search then warns and uses words alone. Only some of them missing is damage.
    if (index.size !== count && index.size > 0)
      throw missingRow(this.#database, `vectors of ${count} chunks, more than ${index.size}`);
    this.#root = root;
    return index;
  }

  /**
   * Stores the graph with its root. It is a cache: if it cannot be stored (no space, no permission), that is ignored.
   */
  #keep(index: VectorIndex): void {
    if (!index.hasGraph || this.#keptRoot === this.#root || this.#options.isReader === true) return;
    try {
      this.#database.transaction(() => {
        this.#state.checkCanon();
        if (this.#state.root() !== this.#root) return;
        keepGraph(this.#database, index, this.#root);
        this.#keptRoot = this.#root;
      });
    } catch (error) {
      if (!(error instanceof SelfsameError)) throw error;
    }
  }

  #vector(chunkId: Uint8Array): Int16Array {
    const vector = vectorOfChunk(this.#database, this.#state.vectorOwner, chunkId);
    if (vector === undefined) throw missingRow(this.#database, `a vector of chunk ${toHex(chunkId)}`);
    return vectorOf(vector);
  }
}

function isCheaperAnew(changes: number, index: VectorIndex): boolean {
  return changes * REBUILD_SHARE > index.distinct;
}
