import { littleEndianBytes, vectorOf } from "../engine/byte-order.ts";
import { ID_BYTES } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { ADDED, NO_MEMORY, UNCHANGED, UPDATED } from "../engine/exports.generated.ts";
import { flagArgument, optionsArgument } from "../errors/arguments.ts";
import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { type BuildOptions, buildGraph, buildOptions } from "./build-graph.ts";
import {
  canonicalDigest,
  canonicalIds,
  nodeDigests,
  readSnapshot,
  type SnapshotCache,
  type SnapshotSource,
  snapshotHeader,
  sourceOf,
  writeSnapshot,
} from "./snapshot.ts";
import {
  checkCount,
  checkDim,
  checkId,
  checkVector,
  notAdmitted,
  outOfMemory,
  packIds,
  SCALE,
} from "./vector.ts";

const HIT_BYTES = 24; // laid out in assembly/vectors/vector_index.ts
const DEFAULT_K = 10;
const DEFAULT_EF = 50;

/** Options of a new index. */
export interface IndexOptions {
  /** Length of every vector: a multiple of 8 up to 4,096. */
  readonly dim: number;
  /**
   * Whether the graph is kept up to date with every change; default true. If false, `buildGraph` can build it later.
   */
  readonly graph?: boolean;
}

/** Options of a graph search. */
export interface SearchOptions {
  /** Maximum number of hits; default 10. */
  readonly k?: number;
  /** How widely the graph is searched; default 50. A higher value finds more and takes longer. */
  readonly ef?: number;
}

/** Options of an exact scan over all vectors or some of them. */
export interface ExactOptions {
  /** Maximum number of hits; default 10. */
  readonly k?: number;
  /** Scans only these ids: a list, or one array of 16 bytes each. Ids that the index does not hold are ignored. */
  readonly candidates?: readonly Uint8Array[] | Uint8Array;
}

/** One hit. Hits are sorted by similarity descending, then by id ascending. SPEC §10.2 */
export interface Hit {
  /** 16 bytes. */
  readonly id: Uint8Array;
  /** The exact dot product. */
  readonly dot: number;
  /** dot / 32767²: the cosine of unit vectors. */
  readonly similarity: number;
}

/** Engines that already hold an index: a second one would overwrite it. */
const taken = new WeakSet<Engine>();

/**
 * A set of (id, vector) with an exact search and a graph search. All its answers, and its digest, depend on the set
 * alone: the order of additions, updates and removals has no effect. SPEC §10
 *
 * @example
 * const { engine } = await loadEngine();
 * const index = VectorIndex.create(engine, { dim: 384 });
 * index.add(id, vector);
 * const [best] = index.search(query, { k: 1 });
 */
export class VectorIndex {
  /** The length of every vector. */
  readonly dim: number;
  readonly #engine: Engine;
  #graph: boolean;
  #cache: SnapshotCache | null; // of a loaded index that has not been changed yet
  #state: "at rest" | "building" | "closed" = "at rest";
  // Where inputs are copied to. The views are created again when memory has grown, because growth detaches them.
  #idInput: Uint8Array;
  #vectorInput: Uint8Array;
  #view: DataView;

  private constructor(engine: Engine, dim: number, graph: boolean, cache: SnapshotCache | null) {
    // Private in TypeScript only.
    if (!taken.has(engine)) {
      throw new SelfsameError(
        "BAD_ARGUMENT",
        "expected VectorIndex.create(engine, { dim }) or VectorIndex.deserialize(engine, bytes), got new VectorIndex()",
        "const { engine } = await loadEngine(); const index = VectorIndex.create(engine, { dim: 384 })",
      );
    }
    this.#cache = cache;
    this.dim = dim;
    this.#engine = engine;
    this.#graph = graph;
    [this.#idInput, this.#vectorInput, this.#view] = this.#views();
  }

  /**
   * Creates an empty index in an engine that it does not share (`loadEngine` creates one; it costs only its memory).
   */
  static create(engine: Engine, options: IndexOptions): VectorIndex {
    const { dim, graph = true } = optionsArgument(options, { dim: true, graph: true });
    checkDim(dim);
    flagArgument("graph", graph);
    claim(engine);
    if (engine.exports.vectors_init(dim, graph ? 1 : 0) < 0) {
      taken.delete(engine);
      throw outOfMemory();
    }
    return new VectorIndex(engine, dim, graph, null);
  }

  /**
   * Loads an index that `serialize` wrote, into an engine that it does not share. Truncated or edited bytes are
   * refused. The bytes are referred to until the first change, which loads what only changes need and refuses forged
   * lists. SPEC §10.8
   */
  static deserialize(engine: Engine, bytes: Uint8Array): VectorIndex {
    return VectorIndex.load(engine, sourceOf(bytes), true);
  }

  /**
   * @internal Loads an index from a source of bytes. What only changes need is neither read nor checked before the
   * first change, unless `checks` says so.
   */
  static load(engine: Engine, source: SnapshotSource, checks = false): VectorIndex {
    const header = snapshotHeader(source);
    claim(engine);
    try {
      const cache = readSnapshot(engine, source, header);
      if (checks) cache?.check(engine);
      return new VectorIndex(engine, header.dim, header.graph, cache);
    } catch (error) {
      taken.delete(engine);
      throw error;
    }
  }

  /** Number of ids in the index. */
  get size(): number {
    this.#refuseIfClosed();
    return this.#engine.exports.vectors_ids();
  }

  /** Number of distinct vectors in the index, which are the nodes of the graph. */
  get distinct(): number {
    this.#refuseIfClosed();
    return this.#engine.exports.vectors_nodes();
  }

  /** Whether the graph exists, so that `search` can be called. */
  get hasGraph(): boolean {
    this.#refuseIfClosed();
    return this.#graph;
  }

  /** Bytes of WebAssembly memory that the index uses. */
  get memoryBytes(): number {
    this.#refuseIfClosed();
    return this.#engine.exports.memory.buffer.byteLength;
  }

  /** Sets the vector of an id. An id that is already in the index is updated. */
  add(id: Uint8Array, vector: Int16Array): "added" | "updated" | "unchanged" {
    this.#refuseUnlessAtRest("add");
    this.#restoreCache();
    this.#growAhead();
    this.#putId(id);
    this.#putVector(vector);
    switch (this.#engine.exports.vectors_add()) {
      case ADDED:
        return "added";
      case UPDATED:
        return "updated";
      case UNCHANGED:
        return "unchanged";
      case NO_MEMORY:
        throw outOfMemory();
      default:
        throw notAdmitted();
    }
  }

  /** Removes the id. Returns false if it was not in the index. */
  remove(id: Uint8Array): boolean {
    this.#refuseUnlessAtRest("remove");
    this.#restoreCache();
    this.#putId(id);
    const code = this.#engine.exports.vectors_remove();
    if (code < 0) throw outOfMemory();
    return code === 1;
  }

  /** Returns whether the id is in the index. */
  has(id: Uint8Array): boolean {
    this.#putId(id);
    return this.#engine.exports.vectors_find() !== 0;
  }

  /** Returns the vector of the id, or undefined if the id is not in the index. */
  vector(id: Uint8Array): Int16Array<ArrayBuffer> | undefined {
    this.#putId(id);
    const at = this.#engine.exports.vectors_find();
    return at === 0 ? undefined : vectorOf(this.#engine.bytes(at, this.dim * 2));
  }

  /** @internal Returns, for each id of 16 bytes, 1 if it is in the index and 0 if not. */
  holds(ids: Uint8Array): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length: ids.length / ID_BYTES }, (_, i) =>
      this.has(ids.subarray(i * ID_BYTES, (i + 1) * ID_BYTES)) ? 1 : 0,
    );
  }

  /** @internal Returns all ids, 16 bytes each, in the order of `ids`. */
  packedIds(): Uint8Array<ArrayBuffer> {
    this.#refuseUnlessAtRest("ids");
    return canonicalIds(this.#engine);
  }

  /** Returns all ids in the index, in an order that depends on the set alone. */
  ids(): Uint8Array<ArrayBuffer>[] {
    const all = this.packedIds();
    return Array.from({ length: all.length / ID_BYTES }, (_, i) =>
      all.subarray(i * ID_BYTES, (i + 1) * ID_BYTES),
    );
  }

  /** @internal Returns the BLAKE3 digests of the distinct vectors, 32 bytes each, in priority order. */
  nodeDigests(): Uint8Array<ArrayBuffer> {
    this.#refuseUnlessAtRest("nodeDigests");
    return nodeDigests(this.#engine);
  }

  /**
   * Returns the first k hits of a graph search. They are the same on every device, but not always the exact top k.
   * SPEC §10.7
   */
  search(query: Int16Array, options: SearchOptions = {}): Hit[] {
    const { k = DEFAULT_K, ef = DEFAULT_EF } = optionsArgument(options, { k: true, ef: true });
    checkCount("k", k);
    checkCount("ef", ef);
    if (!this.#graph) {
      throw new SelfsameError(
        "BAD_ARGUMENT",
        "expected an index with a graph, got one without",
        "Call exact(), or build the graph with buildGraph()",
      );
    }
    this.#putVector(query);
    return this.#hits(this.#engine.exports.vectors_search(k, ef));
  }

  /** Returns the first k of all hits, or of those among the candidates. SPEC §10.2 */
  exact(query: Int16Array, options: ExactOptions = {}): Hit[] {
    const { k = DEFAULT_K, candidates } = optionsArgument(options, { k: true, candidates: true });
    checkCount("k", k);
    this.#putVector(query);
    if (candidates === undefined) return this.#hits(this.#engine.exports.vectors_exact(k));
    const ids = packIds(candidates);
    return this.#engine.scope(() => {
      const at = this.#engine.write(ids);
      return this.#hits(this.#engine.exports.vectors_exact_candidates(k, at, ids.length / ID_BYTES));
    });
  }

  /** Returns 32 bytes that are equal on two devices exactly if their indexes hold the same set and graph. SPEC §10.6 */
  digest(): Uint8Array<ArrayBuffer> {
    this.#refuseUnlessAtRest("digest");
    return canonicalDigest(this.#engine);
  }

  /** Returns the whole index as bytes for `deserialize`. SPEC §10.8 */
  serialize(): Uint8Array<ArrayBuffer> {
    this.#refuseUnlessAtRest("serialize");
    this.#restoreCache();
    return writeSnapshot(this.#engine, this.dim, this.#graph);
  }

  /**
   * Builds the graph of an index that was created without one, from scratch, and keeps it up to date from then on. For
   * many vectors this is far cheaper than adding them one by one to a graph. The graph is the same for any number of
   * workers.
   */
  async buildGraph(options: BuildOptions = {}): Promise<void> {
    const given = buildOptions(options);
    this.#refuseUnlessAtRest("buildGraph");
    if (this.#graph) return;
    this.#state = "building";
    try {
      await buildGraph(this.#engine, this.dim, this.distinct, given);
      this.#graph = true;
    } finally {
      this.#state = "at rest";
    }
  }

  /** Frees the engine for another index. This index can no longer be used. */
  close(): void {
    this.#refuseUnlessAtRest("close");
    this.#state = "closed";
    taken.delete(this.#engine);
  }

  #hits(count: number): Hit[] {
    if (count === NO_MEMORY) throw outOfMemory();
    if (count < 0) throw notAdmitted();
    const at = this.#engine.exports.vectors_hits() >>> 0;
    this.#refreshViews();
    const ids = new Uint8Array(count * ID_BYTES);
    const bytes = new Uint8Array(this.#view.buffer);
    return Array.from({ length: count }, (_, i) => {
      const record = at + i * HIT_BYTES;
      const id = ids.subarray(i * ID_BYTES, (i + 1) * ID_BYTES);
      id.set(bytes.subarray(record, record + ID_BYTES));
      const dot = this.#view.getInt32(record + ID_BYTES, true);
      return { id, dot, similarity: dot / SCALE };
    });
  }

  #restoreCache(): void {
    if (this.#cache === null) return;
    this.#cache.restore(this.#engine);
    this.#cache = null;
  }

  #putId(id: Uint8Array): void {
    checkId(id);
    this.#refreshViews();
    this.#idInput.set(id);
  }

  #putVector(vector: Int16Array): void {
    checkVector(vector, this.dim);
    this.#refreshViews();
    this.#vectorInput.set(littleEndianBytes(vector));
  }

  /** Each growth costs a garbage collection: memory that has grown grows by an eighth more, so that growths become rare. */
  #growAhead(): void {
    const { buffer } = this.#engine.exports.memory;
    if (this.#view.buffer !== buffer) this.#engine.reserve(buffer.byteLength / 8);
  }

  #refreshViews(): void {
    this.#refuseIfClosed();
    if (this.#view.buffer === this.#engine.exports.memory.buffer) return;
    [this.#idInput, this.#vectorInput, this.#view] = this.#views();
  }

  #views(): [Uint8Array, Uint8Array, DataView] {
    return [
      this.#engine.bytes(this.#engine.exports.vectors_id_input(), ID_BYTES),
      this.#engine.bytes(this.#engine.exports.vectors_vector_input(), this.dim * 2),
      new DataView(this.#engine.exports.memory.buffer),
    ];
  }

  #refuseUnlessAtRest(what: string): void {
    this.#refuseIfClosed();
    if (this.#state === "at rest") return;
    throw new SelfsameError(
      "INDEX_BUSY",
      `expected ${what} on an idle index, got one whose graph is being built`,
      "Wait for buildGraph(); exact() can be called meanwhile",
    );
  }

  #refuseIfClosed(): void {
    if (this.#state !== "closed") return;
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected an open index, got a closed one",
      "Create or load another",
    );
  }
}

/** Whether an index uses this engine; another one needs an engine of its own. */
export function holdsIndex(engine: Engine): boolean {
  return taken.has(engine);
}

function claim(engine: Engine): void {
  if (typeof engine?.exports?.["vectors_init"] !== "function") {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected an engine, got ${describeValue(engine)}`,
      "const { engine } = await loadEngine()",
    );
  }
  if (holdsIndex(engine)) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected an engine without an index, got one that holds an index already",
      "Load another engine; each index has its own",
    );
  }
  taken.add(engine);
}
