import { breathe } from "../engine/breather.ts";
import { vectorOf } from "../engine/byte-order.ts";
import { toHex } from "../engine/digest.ts";
import type { LoadOptions } from "../engine/load.ts";
import { threads } from "../engine/threads.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { REBUILD_SHARE } from "../vectors/merge-segments.ts";
import { SegmentThreads } from "../vectors/segment-threads.ts";
import type { SegmentedIndex } from "../vectors/segmented-index.ts";
import type { VectorIndex } from "../vectors/vector-index.ts";
import { type IndexProgress, IndexWork } from "./index-progress.ts";
import type { ChunkChanges, NewVectors } from "./ingest.ts";
import { PreparedHalf } from "./prepared-half.ts";
import { type IndexGround, SegmentStore } from "./segment-store.ts";
import { vectorsEpoch } from "./vectors-epoch.ts";

/** From this many vectors on, comparing them takes longer than starting threads. */
export const THREADS_FROM = 8_192;

export interface SemanticOptions extends LoadOptions {
  /** The number of threads that build a large graph; default: the number of the device's cores. */
  readonly workers?: number;
  /** Graphs are never built or stored here: another connection does that. */
  readonly isReader?: boolean;
  /** The most WebAssembly memory for vectors, in bytes. */
  readonly maxIndexMemory?: number;
  readonly onIndexProgress?: (event: IndexProgress) => void;
}

/** What the index of a library is like at the moment. */
export interface IndexStatus {
  /** Whether it is in memory; the numbers below are 0 if it is not. */
  readonly isLoaded: boolean;
  /** The number of segments that the vectors are divided into. */
  readonly segments: number;
  /** How many of them have a graph. */
  readonly graphs: number;
  /** Bytes of WebAssembly memory in use. */
  readonly memoryBytes: number;
  /**
   * Whether there are more vectors than `maxIndexMemory` has room for: segments with graphs are loaded in turn, and
   * searches are slower; an index without a graph takes more than the limit.
   */
  readonly degraded: boolean;
}

/**
 * The vectors of a library's chunks in memory. They are derived from the database, so they can always be loaded again.
 * The index belongs to one root; it catches up with any change to the library (by this process or another) before an
 * answer.
 */
export class SemanticIndex {
  readonly #ground: IndexGround;
  readonly #store: SegmentStore;
  readonly #options: SemanticOptions;
  #index: SegmentedIndex | null = null;
  #root = "";
  /** How often vectors had been replaced when it was loaded. */
  #epoch = 0;
  /** Of each region of the index, the digest of the documents at #root. */
  #digests: ReadonlyMap<string, string> = new Map();
  /** Work that takes several turns of the event loop, run one after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #building = false;
  /** Graphs that are prepared for a split, beside everything else. */
  #preparing: Promise<void> | null = null;
  /** Threads that hold segments of a large index, beside this one. */
  #threads: SegmentThreads | null = null;
  /** Whether the index has been requested. */
  #isAwaited = false;
  readonly #stop = new AbortController();

  constructor(ground: IndexGround, options: SemanticOptions) {
    this.#ground = ground;
    this.#options = options;
    this.#store = new SegmentStore(ground, options.maxIndexMemory);
  }

  /** The length of every vector. */
  get dim(): number {
    return this.#ground.dim;
  }

  /** The root that the vectors in memory belong to. */
  get root(): string {
    return this.#root;
  }

  get status(): IndexStatus {
    const segments = this.#index?.segments ?? [];
    return {
      isLoaded: this.#index !== null,
      segments: segments.length,
      graphs: segments.filter(({ hasGraph }) => hasGraph).length,
      memoryBytes: this.#index?.memoryBytes ?? 0,
      degraded: this.#index?.isDegraded ?? false,
    };
  }

  /**
   * Returns the index of the library's current state. `root` is what the caller saw; if the library has changed since,
   * the index is of the newer state, and `root` of this object says so. It must be used at once, in the same turn of
   * the event loop: a later change may close it.
   */
  async current(root: string): Promise<SegmentedIndex> {
    return this.ready(root) ?? this.#broughtUp();
  }

  /** Returns the index if it is complete and belongs to this root; otherwise the caller must await `current`. */
  ready(root: string): SegmentedIndex | null {
    this.#isAwaited = true;
    const index = this.#index;
    const isCurrent = index !== null && this.#root === root && this.#epoch === this.#epochNow();
    return isCurrent && !this.#building && index.isComplete ? index : null;
  }

  /** Returns whether graphs answer for this many distinct vectors. SPEC §14.3 */
  answersByGraphAt(distinct: number): boolean {
    const { kind, segment } = this.#ground;
    return kind === "hnsw" || (kind === "auto" && distinct > segment);
  }

  /**
   * Prepares to follow the writes of this process, if the library is empty: an empty index costs nothing, and the first
   * search then finds every vector in memory.
   */
  async follow(): Promise<void> {
    if (this.#index !== null || this.#building || this.#ground.kind === "hnsw") return;
    if (!this.#ground.database.snapshot(() => this.#isEmpty())) return;
    // If it fails, the first search tries again and reports why.
    await this.#broughtUp().catch(() => undefined);
  }

  /**
   * Applies a change that this process has just written, with the vectors that it has just computed. What is not
   * applied here is caught up with later.
   */
  apply({ before, after, added, removed }: ChunkChanges, vectors: NewVectors = new Map()): void {
    const index = this.#index;
    if (index === null || this.#building || this.#root !== before || this.#epoch !== this.#epochNow()) return;
    if (index.answersByGraph && (added.length + removed.length) * REBUILD_SHARE > index.size) return;
    if (!this.#isAwaited && index.size + added.length > this.#ground.segment) {
      // No search has requested the index yet, and the next one needs graphs: until then the memory is better used
      // elsewhere.
      this.#drop();
      return;
    }
    try {
      for (const { documentId, id } of removed) index.remove(documentId, id);
      // One snapshot: the vectors of known texts are read back, and each statement alone would take the file's lock.
      this.#ground.database.snapshot(() => {
        for (const { documentId, id, textHash, vector } of added) {
          const known = vector == null ? vectors.get(toHex(textHash)) : vectorOf(vector);
          index.add(documentId, id, known ?? this.#store.vector(id));
        }
      });
      index.settle();
      this.#isOf(after);
      if (this.#isOverMemory(index)) this.#keep(index, 1);
      this.#prepareSoon();
    } catch {
      // The documents are written: the next caller loads the index again, and gets the error if it persists.
      this.#drop();
    }
  }

  /** Stops a build in progress, stores new graphs in the database, and frees the memory. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#queue;
    await this.#preparing;
    if (this.#index !== null) this.#keep(this.#index);
    this.#drop();
    this.#threads?.close();
  }

  #drop(): void {
    this.#index?.close();
    this.#index = null;
  }

  /** Notes that the index is of this root, which must be the database's now. */
  #isOf(root: string): void {
    this.#root = root;
    this.#digests = this.#store.digests(this.#index!);
  }

  #broughtUp(): Promise<SegmentedIndex> {
    const run = this.#queue.then(() => this.#bringUp());
    this.#queue = run.catch(() => undefined);
    return run;
  }

  async #bringUp(): Promise<SegmentedIndex> {
    let work: IndexWork | null = null;
    if (this.#index === null) await this.#startThreads();
    for (;;) {
      const index = this.#inStep();
      const { incomplete } = index;
      const [next] = incomplete;
      if (next === undefined) {
        this.#prepareSoon();
        return index;
      }
      // The shape comes first: a build that is stopped is then continued segment by segment.
      if (work === null) this.#keep(index);
      work ??= new IndexWork(
        incomplete.map(({ distinct }) => distinct),
        this.#options.onIndexProgress,
      );
      const progress = work;
      this.#building = true;
      try {
        await this.#build(index.here(next), (done, total) => progress.within(done / total));
      } finally {
        this.#building = false;
      }
      progress.next();
      // Stored at once, so that what took long to build is not lost with the process.
      this.#keep(index);
    }
  }

  async #build(index: VectorIndex, onProgress?: (done: number, total: number) => void): Promise<void> {
    const { source, workers = threads.count, isReader } = this.#options;
    if (isReader === true)
      throw new SelfsameError("INDEX_BUSY", "expected stored graphs, got none of this state of the library");
    const isWorthThreads = index.distinct >= THREADS_FROM && workers > 1 && source === undefined;
    const { signal } = this.#stop;
    const build = (count: number) =>
      this.#ground.database.idle(() =>
        index.buildGraph({ signal, workers: count, ...(onProgress ? { onProgress } : {}) }),
      );
    await build(isWorthThreads ? workers : 0).catch((error) => {
      // If no thread can be started, this thread does all the work.
      if (isWorthThreads && error instanceof SelfsameError && error.code === "WORKER_FAILED") return build(0);
      throw error;
    });
  }

  /**
   * Starts threads for a large index with several stored segments. Reader threads start none: they answer several
   * searches at the same time already.
   */
  async #startThreads(): Promise<void> {
    const { source, workers = threads.count, isReader } = this.#options;
    if (this.#threads !== null || isReader === true || source !== undefined || workers < 2) return;
    const { database, engine } = this.#ground;
    const stored = database.snapshot(() => this.#store.storedSegments());
    if (stored.length < 2 || stored.reduce((sum, { vectors }) => sum + vectors, 0) < THREADS_FROM) return;
    this.#threads = await SegmentThreads.start(Math.min(workers, stored.length) - 1, engine.build);
    this.#store.threads = this.#threads;
  }

  #isEmpty(): boolean {
    return this.#ground.database.get("SELECT 1 AS found FROM chunks LIMIT 1") === undefined;
  }

  /** Returns the index, with or without its graphs, with the vectors that the database has at this moment. */
  #inStep(): SegmentedIndex {
    const { database, state } = this.#ground;
    return database.snapshot(() => {
      const root = state.root();
      const known = this.#epoch === this.#epochNow() ? this.#index : null;
      const held = known?.isLost === true ? null : known;
      if (held !== null && this.#root === root) return held;
      this.#root = ""; // of no state, in case this fails half-way
      if (held === null || !this.#store.catchUp(held, this.#digests)) {
        this.#drop();
        this.#index = this.#store.load();
        this.#epoch = this.#epochNow();
      }
      this.#isOf(root);
      return this.#index!;
    });
  }

  #epochNow(): number {
    return vectorsEpoch(this.#ground.database);
  }

  #isOverMemory(index: SegmentedIndex): boolean {
    return index.memoryBytes >= (this.#options.maxIndexMemory ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Stores the graphs under the digests of their documents. They are a cache: if they cannot be stored (no space, no
   * permission), that is ignored.
   */
  #keep(index: SegmentedIndex, leastChanges?: number): void {
    if (this.#options.isReader === true) return;
    const { database, state } = this.#ground;
    try {
      if (!database.snapshot(() => this.#store.hasNews(index, leastChanges))) return;
      database.transaction(() => {
        state.checkCanon();
        if (state.root() === this.#root) this.#store.keep(index, this.#digests, leastChanges);
      });
    } catch (error) {
      if (!(error instanceof SelfsameError)) throw error;
    }
  }

  /** Prepares the graphs of the halves of segments that will soon be split, in the background. */
  #prepareSoon(): void {
    const index = this.#options.isReader === true ? null : this.#index;
    const [prefix] = index?.unprepared ?? [];
    if (index === null || prefix === undefined || this.#preparing !== null || this.#stop.signal.aborted)
      return;
    this.#preparing = this.#prepare(index, prefix)
      .catch(() => undefined) // without it, the split makes the graphs
      .then(() => {
        this.#preparing = null;
      });
  }

  async #prepare(index: SegmentedIndex, prefix: string): Promise<void> {
    const { database, state } = this.#ground;
    // Without ids that say what their vectors are, a half that has missed a change cannot be brought up to date.
    const root = this.#root;
    const isWanted = () =>
      index === this.#index && !this.#stop.signal.aborted && (state.idsNameVectors || this.#root === root);
    const half = new PreparedHalf(this.#ground, prefix, (id) => this.#store.vector(id));
    try {
      for (const _ of half.read()) {
        await breathe();
        if (!isWanted()) return half.close();
      }
      await this.#build(half.index);
      while (isWanted()) {
        const isDone = database.snapshot(() => {
          if (half.catchUp() || state.root() !== this.#root || this.#building) return false;
          index.prepare(prefix, half.index);
          return true;
        });
        if (isDone) {
          this.#preparing = null;
          this.#prepareSoon();
          return;
        }
        await breathe();
      }
      half.close();
    } catch (error) {
      half.close();
      throw error;
    }
  }
}
