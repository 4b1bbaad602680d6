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
  readSnapshot,
  type SnapshotCache,
  snapshotHeader,
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

const HIT_BYTES = 24; // assembly/vectors/vector_index.ts draws them
const DEFAULT_K = 10;
const DEFAULT_EF = 50;

/** What an index holds. */
export interface IndexOptions {
  /** Length of every vector: a multiple of 8 up to 4,096. */
  readonly dim: number;
  /** Whether the graph is kept up to date with every change; default true. `buildGraph` makes it later. */
  readonly graph?: boolean;
}

/** How the graph is searched. */
export interface SearchOptions {
  /** How many hits at most; default 10. */
  readonly k?: number;
  /** How widely the graph is searched: more finds more and takes longer; default 50. */
  readonly ef?: number;
}

/** How all vectors, or some, are scanned. */
export interface ExactOptions {
  /** How many hits at most; default 10. */
  readonly k?: number;
  /** Only these ids, as a list or as one array of 16 bytes each; those that the index does not hold are ignored. */
  readonly candidates?: readonly Uint8Array[] | Uint8Array;
}

/** One answer. Hits come by similarity descending, then by id ascending. SPEC §10.2 */
export interface Hit {
  /** 16 bytes. */
  readonly id: Uint8Array;
  /** The exact dot product. */
  readonly dot: number;
  /** dot / 32767²: the cosine of unit vectors. */
  readonly similarity: number;
}

/** Engines that hold an index: a second one would overwrite it. */
const taken = new WeakSet<Engine>();

/**
 * A set of (id, vector) with an exact search and a graph search. All that it answers, and its digest, depend on the set
 * alone: the order of additions, updates and removals leaves no mark. SPEC §10
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
  #cache: SnapshotCache | null; // of a loaded index that was not changed yet
  #state: "at rest" | "building" | "closed" = "at rest";
  // Where inputs are copied to; taken anew when memory has grown, which detaches views.
  #idInput: Uint8Array;
  #vectorInput: Uint8Array;
  #view: DataView;

  private constructor(engine: Engine, dim: number, graph: boolean, cache: SnapshotCache | null) {
    // Private to TypeScript alone.
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

  /** An empty index in an engine that it has for itself (`loadEngine` makes one; it costs no more than its memory). */
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
   * The index that `serialize` wrote, in an engine of its own. Bytes that are cut or edited are refused. The bytes are
   * referred to until the first change, which takes up what only changes need; it refuses forged lists. SPEC §10.8
   */
  static deserialize(engine: Engine, bytes: Uint8Array): VectorIndex {
    const header = snapshotHeader(bytes);
    claim(engine);
    try {
      const cache = readSnapshot(engine, bytes, header);
      return new VectorIndex(engine, header.dim, header.graph, cache);
    } catch (error) {
      taken.delete(engine);
      throw error;
    }
  }

  /** How many ids are held. */
  get size(): number {
    this.#refuseIfClosed();
    return this.#engine.exports.vectors_ids();
  }

  /** How many distinct vectors are held: the nodes of the graph. */
  get distinct(): number {
    this.#refuseIfClosed();
    return this.#engine.exports.vectors_nodes();
  }

  /** Whether `search` can be asked. */
  get hasGraph(): boolean {
    this.#refuseIfClosed();
    return this.#graph;
  }

  /** Bytes of WebAssembly memory that the index holds. */
  get memoryBytes(): number {
    this.#refuseIfClosed();
    return this.#engine.exports.memory.buffer.byteLength;
  }

  /** Gives the id this vector; an id that is held is updated. */
  add(id: Uint8Array, vector: Int16Array): "added" | "updated" | "unchanged" {
    this.#refuseUnlessAtRest("add");
    this.#restoreCache();
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

  /** Takes the id out; false if it was not held. */
  remove(id: Uint8Array): boolean {
    this.#refuseUnlessAtRest("remove");
    this.#restoreCache();
    this.#putId(id);
    const code = this.#engine.exports.vectors_remove();
    if (code < 0) throw outOfMemory();
    return code === 1;
  }

  /** Whether the id is held. */
  has(id: Uint8Array): boolean {
    this.#putId(id);
    return this.#engine.exports.vectors_find() !== 0;
  }

  /** The vector of the id, or undefined if it is not held. */
  vector(id: Uint8Array): Int16Array<ArrayBuffer> | undefined {
    this.#putId(id);
    const at = this.#engine.exports.vectors_find();
    return at === 0 ? undefined : vectorOf(this.#engine.bytes(at, this.dim * 2));
  }

  /** All ids that are held, in an order that depends on the set alone. */
  ids(): Uint8Array<ArrayBuffer>[] {
    this.#refuseUnlessAtRest("ids");
    const all = canonicalIds(this.#engine);
    return Array.from({ length: all.length / ID_BYTES }, (_, i) =>
      all.subarray(i * ID_BYTES, (i + 1) * ID_BYTES),
    );
  }

  /** The first k hits that a walk through the graph finds. The same on every device, not always the exact ones. SPEC §10.7 */
  search(query: Int16Array, options: SearchOptions = {}): Hit[] {
    const { k = DEFAULT_K, ef = DEFAULT_EF } = optionsArgument(options, { k: true, ef: true });
    checkCount("k", k);
    checkCount("ef", ef);
    if (!this.#graph) {
      throw new SelfsameError(
        "BAD_ARGUMENT",
        "expected an index with a graph, got one without",
        "Ask exact(), or make the graph with buildGraph()",
      );
    }
    this.#putVector(query);
    return this.#hits(this.#engine.exports.vectors_search(k, ef));
  }

  /** The first k of all hits, or of those among the candidates. SPEC §10.2 */
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

  /** 32 bytes that are equal on two devices exactly if their indexes hold the same set and graph. SPEC §10.6 */
  digest(): Uint8Array<ArrayBuffer> {
    this.#refuseUnlessAtRest("digest");
    return canonicalDigest(this.#engine);
  }

  /** All of the index as bytes for `deserialize`. SPEC §10.8 */
  serialize(): Uint8Array<ArrayBuffer> {
    this.#refuseUnlessAtRest("serialize");
    this.#restoreCache();
    return writeSnapshot(this.#engine, this.dim, this.#graph);
  }

  /**
   * Makes the graph of an index that was created without one, from scratch, and keeps it from then on. For many vectors
   * at once this is far cheaper than one by one. The graph is the same for any number of workers.
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

  /** Gives the engine back, for another index; this one answers no more. */
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
      `expected ${what} on an index at rest, got one whose graph is being built`,
      "Wait for buildGraph(); exact() can be asked meanwhile",
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

function claim(engine: Engine): void {
  if (typeof engine?.exports?.["vectors_init"] !== "function") {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected an engine, got ${describeValue(engine)}`,
      "const { engine } = await loadEngine()",
    );
  }
  if (taken.has(engine)) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected an engine without an index, got one that holds an index already",
      "Load another engine; each index has its own",
    );
  }
  taken.add(engine);
}
