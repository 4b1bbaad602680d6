import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { beamOf } from "./beam.ts";
import type { BuildOptions } from "./build-graph.ts";
import { compareHits } from "./compare-hits.ts";
import { countDistinct } from "./distinct.ts";
import { mergeSegments } from "./merge-segments.ts";
import { Owners } from "./owners.ts";
import { bitAt, isBelow } from "./prefix.ts";
import { Segment } from "./segment.ts";
import { ask, askVectors, type SegmentIndex } from "./segment-index.ts";
import type { Question } from "./segment-protocol.ts";
import {
  type Fork,
  forksOf,
  pathTo,
  type Region,
  regionsOf,
  restoredTree,
  segmentsOf,
  type Tree,
} from "./segment-tree.ts";
import { segmentsDigest } from "./segments-digest.ts";
import { splitSegment } from "./split-segment.ts";
import { packIds } from "./vector.ts";
import { type ExactOptions, type Hit, type SearchOptions, VectorIndex } from "./vector-index.ts";

/** S, the most distinct vectors of a segment, unless a library says otherwise. SPEC §14.3 */
export const SEGMENT_DEFAULT = 131_072;

/** `all`: every segment has a graph. `above`: if there are more than S distinct vectors. `none`: never. SPEC §14.3 */
export type Graphs = "all" | "above" | "none";

export interface SegmentedOptions {
  readonly dim: number;
  /** S: the most distinct vectors of a segment that has more than one document. */
  readonly segment: number;
  readonly graphs: Graphs;
  /** Makes an engine that holds no index. */
  readonly engine: () => Engine;
  /**
   * Returns the graph of a prefix as it was at some time, or null. It saves a build when segments are merged: what has
   * changed since is caught up with.
   */
  readonly graphOnceOf?: (prefix: string) => VectorIndex | null;
  /**
   * Returns the index of a prefix, as it must be now, after the thread that held it has failed; null if that takes
   * longer: then all is loaded again.
   */
  readonly again?: (prefix: string) => VectorIndex | null;
  /** The most WebAssembly memory, in bytes; segments that are stored leave it, the least recently used first. */
  readonly memoryMax?: number;
  /** How many vectors are expected: memory for them is reserved at the start. */
  readonly expected?: number;
}

export interface SegmentedSearchOptions extends SearchOptions {
  /** The number of segments that are searched in all, if these are only some of them. */
  readonly segments?: number | undefined;
}

/** What the engine keeps of a vector beside its components: see ARCHITECTURE.md. */
const RECORD_BYTES = 81;
/** Half of a segment gets its graph before the segment is split: from 31/32 of S on. SPEC §10.10 leaves that open. */
const PREPARE_FROM = 31 / 32;
const PREPARED_UNTIL = 30 / 32;
/**
 * The vectors of many documents, in segments that are a function of the set: the shortest prefixes of document ids with
 * at most S distinct vectors below them. Each segment has its own memory and its own graph. SPEC §10.10, §10.11
 */
export class SegmentedIndex {
  readonly dim: number;
  readonly #options: SegmentedOptions;
  #tree: Tree = null;
  /** Graphs of halves that a split will need, by prefix. They follow every change. */
  readonly #prepared = new Map<string, VectorIndex>();
  #clock = 0;
  #isLost = false;
  #hasher: Engine | null = null;

  constructor(options: SegmentedOptions) {
    this.dim = options.dim;
    this.#options = options;
  }

  /** The segments, by prefix ascending. */
  get segments(): readonly Segment[] {
    return segmentsOf(this.#tree);
  }

  /** Prefixes that cover all documents: those of segments, and those below which there is nothing. */
  get regions(): readonly Region[] {
    return regionsOf(this.#tree);
  }

  /** Every fork, with the least number of distinct vectors that it is known to have. */
  get forks(): readonly { readonly prefix: string; readonly bound: number }[] {
    return forksOf(this.#tree);
  }

  /** Number of ids. */
  get size(): number {
    return this.segments.reduce((sum, { size }) => sum + size, 0);
  }

  /** Bytes of WebAssembly memory. */
  get memoryBytes(): number {
    const prepared = [...this.#prepared.values()];
    return [...this.segments, ...prepared].reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  }

  /**
   * Whether there is more than the memory limit allows: segments must leave memory so that others fit in, and searches
   * are slower; or there is one without a graph, which cannot leave.
   */
  get isDegraded(): boolean {
    const bytes = this.memoryBytes;
    return (
      bytes > this.#memoryMax || (bytes >= this.#memoryMax && this.segments.some(({ isLoaded }) => !isLoaded))
    );
  }

  /** Whether graphs answer. A function of the set of vectors. SPEC §14.3 */
  get answersByGraph(): boolean {
    const { graphs, segment } = this.#options;
    if (graphs !== "above") return graphs === "all";
    return this.#tree !== null && (!(this.#tree instanceof Segment) || this.#tree.distinct > segment);
  }

  /** Whether vectors were lost with a thread, so that all must be loaded again. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether every graph that a search needs is there; otherwise `buildGraphs` makes them. */
  get isComplete(): boolean {
    return this.incomplete.length === 0 && !this.#isLost;
  }

  /** Sets the shape that was stored: segments, and forks with their bounds. Throws if they are no tree. */
  restore(segments: readonly Segment[], bounds: ReadonlyMap<string, number>): void {
    this.#tree = restoredTree(segments, bounds);
  }

  /** Sets the vector of an id of a document. A segment that becomes too large is split at once. */
  add(documentId: Uint8Array, id: Uint8Array, vector: Int16Array): void {
    const outcome = this.#segmentFor(documentId).add(documentId, id, vector);
    if (outcome === "unchanged") return;
    if (outcome === "updated") for (const fork of pathTo(this.#tree, documentId).forks) fork.bound--;
    for (const [prefix, index] of this.#prepared) if (isBelow(documentId, prefix)) index.add(id, vector);
    this.#tree = this.#splitOnPath(this.#tree, documentId);
  }

  /** Removes an id of a document; false if it is not held. `settle` must be called after the last one. */
  remove(documentId: Uint8Array, id: Uint8Array): boolean {
    const { forks, segment } = pathTo(this.#tree, documentId);
    if (segment === null || !this.#use(segment, null).remove(documentId, id)) return false;
    for (const fork of forks) fork.bound--;
    for (const [prefix, index] of this.#prepared) if (isBelow(documentId, prefix)) index.remove(id);
    return true;
  }

  /** Merges what removals have made small, so that the segments are those of the set. */
  settle(): void {
    this.#tree = this.#settled(this.#tree);
    if (this.#tree instanceof Segment && !this.answersByGraph && this.#tree.hasGraph)
      this.#tree = this.#withoutGraph(this.#tree);
    this.#dropPrepared();
    this.makeRoom();
  }

  /** Returns the first k of the hits of all graphs. SPEC §10.11 */
  search(query: Int16Array, options: SegmentedSearchOptions = {}): Hit[] {
    const { segments } = this;
    const { k = 10, ef = 50, segments: count = segments.length } = options;
    const beam = beamOf(ef, Math.max(1, count));
    return this.#merged(segments, { type: "search", query: query.slice(), k, ef: beam });
  }

  /** Returns the first k of all hits, or of those among the candidates. SPEC §10.2 */
  exact(query: Int16Array, options: ExactOptions = {}): Hit[] {
    const { k = 10, candidates } = options;
    const { segments } = this;
    const asked = { type: "exact", query: query.slice(), k } as const;
    if (candidates === undefined) return this.#merged(segments, asked);
    const ids = packIds(candidates);
    const isShared = segments.some(({ thread }) => thread !== null);
    return this.#merged(segments, { ...asked, candidates: isShared ? sharedCopy(ids) : ids });
  }

  /** Returns the vector of the id, or undefined if it is not held. */
  vector(id: Uint8Array): Int16Array<ArrayBuffer> | undefined {
    return this.vectors([id])[0];
  }

  /** Returns the vectors of ids, undefined for those that are not held. Each thread is asked once for all of them. */
  vectors(ids: readonly Uint8Array[]): (Int16Array<ArrayBuffer> | undefined)[] {
    const { segments } = this;
    const found: (Int16Array<ArrayBuffer> | undefined)[] = ids.map(() => undefined);
    for (const segment of segments.filter(({ thread }) => thread === null)) {
      const index = this.here(segment);
      for (const [i, id] of ids.entries()) found[i] ??= index.vector(id);
    }
    const missing = ids.flatMap((_, i) => (found[i] === undefined ? [i] : []));
    const remote = segments.filter(({ thread }) => thread !== null);
    if (missing.length === 0 || remote.length === 0) return found;
    const packed = packIds(missing.map((i) => ids[i]!));
    for (const vectors of this.#each(remote, (index) => askVectors(index, packed)))
      for (const [n, vector] of vectors.entries()) found[missing[n]!] ??= vector;
    return found;
  }

  /** Returns the digest of the segments and their graphs. SPEC §10.10 */
  digest(): Uint8Array<ArrayBuffer> {
    this.#hasher ??= this.#options.engine();
    return segmentsDigest(
      this.#hasher,
      this.segments.map((segment) => ({
        prefix: segment.prefix,
        digest: this.#use(segment).index.digest(),
      })),
    );
  }

  /** The segments whose graphs are missing. */
  get incomplete(): readonly Segment[] {
    return this.answersByGraph ? this.segments.filter(({ hasGraph }) => !hasGraph) : [];
  }

  /** Builds the graphs that are missing, one after the other. */
  async buildGraphs(options: BuildOptions = {}): Promise<void> {
    for (const segment of this.incomplete) await this.here(segment).buildGraph(options);
  }

  /** The halves of segments near their limit whose graphs are not prepared yet. */
  get unprepared(): readonly string[] {
    const { graphs, segment: most } = this.#options;
    if (graphs === "none") return [];
    return this.segments
      .filter(({ distinct }) => distinct <= most && distinct >= most * PREPARE_FROM)
      .filter((segment) => !segment.isOfOneDocument)
      .flatMap(({ prefix }) => [`${prefix}0`, `${prefix}1`])
      .filter((prefix) => !this.#prepared.has(prefix));
  }

  /** Takes the graph of a half, which must hold what this index holds below that prefix. */
  prepare(prefix: string, index: VectorIndex): void {
    this.#prepared.get(prefix)?.close();
    this.#prepared.set(prefix, index);
  }

  /** Frees all memory. */
  close(): void {
    for (const segment of this.segments) segment.close();
    for (const index of this.#prepared.values()) index.close();
    this.#prepared.clear();
    this.#tree = null;
  }

  get #memoryMax(): number {
    return this.#options.memoryMax ?? Number.POSITIVE_INFINITY;
  }

  #newIndex(): VectorIndex {
    return VectorIndex.create(this.#options.engine(), { dim: this.dim, graph: false });
  }

  #newSegment(prefix: string): Segment {
    const graph = this.#options.graphs === "all"; // an empty graph costs nothing to build
    const index = VectorIndex.create(this.#options.engine(), { dim: this.dim, graph });
    return Segment.of(prefix, index, new Owners());
  }

  #segmentFor(documentId: Uint8Array): Segment {
    if (this.#tree === null) this.#tree = this.#firstSegment("");
    let tree: Fork | Segment = this.#tree;
    while (!(tree instanceof Segment)) {
      const bit = bitAt(documentId, tree.prefix.length);
      tree.sides[bit] ??= this.#newSegment(`${tree.prefix}${bit}`);
      tree = tree.sides[bit]!;
    }
    return this.#use(tree, null);
  }

  /** Of an empty index nobody knows yet how much will follow: without a graph a bulk build is cheaper. */
  #firstSegment(prefix: string): Segment {
    const engine = this.#options.engine();
    const { expected = 0, graphs, segment } = this.#options;
    const count = graphs === "none" ? expected : Math.min(expected, segment);
    const bytes = count * (2 * this.dim + RECORD_BYTES);
    if (bytes > 0 && bytes < this.#memoryMax) engine.reserve(bytes);
    return Segment.of(prefix, VectorIndex.create(engine, { dim: this.dim, graph: false }), new Owners());
  }

  /** Splits the segment on the way to a document if it has become too large, and the halves if they still are. */
  #splitOnPath(tree: Tree, documentId: Uint8Array): Tree {
    if (tree === null) return null;
    if (tree instanceof Segment) return this.#isTooLarge(tree) ? this.#split(tree) : tree;
    const bit = bitAt(documentId, tree.prefix.length);
    tree.sides[bit] = this.#splitOnPath(tree.sides[bit], documentId);
    return tree;
  }

  #isTooLarge(segment: Segment): boolean {
    return segment.distinct > this.#options.segment && !segment.isOfOneDocument;
  }

  #split(segment: Segment): Tree {
    const fork = splitSegment(
      segment,
      () => this.here(segment),
      (prefix) => {
        const prepared = this.#prepared.get(prefix);
        this.#prepared.delete(prefix);
        return { index: prepared ?? this.#newIndex(), isFilled: prepared !== undefined };
      },
    );
    for (const [bit, side] of fork.sides.entries())
      if (side instanceof Segment && this.#isTooLarge(side)) fork.sides[bit] = this.#split(side);
    return fork;
  }

  #settled(tree: Tree): Tree {
    if (tree === null) return null;
    if (tree instanceof Segment) {
      if (tree.size > 0) return this.#isTooLarge(tree) ? this.#split(tree) : tree;
      tree.close();
      return null;
    }
    tree.sides[0] = this.#settled(tree.sides[0]);
    tree.sides[1] = this.#settled(tree.sides[1]);
    const [left, right] = tree.sides;
    if (left === null && right === null) return null;
    const segments = segmentsOf(tree);
    const single = segments.length === 1 && segments[0]!.isOfOneDocument;
    if (!single && tree.bound > this.#options.segment) return tree;
    if (!single) {
      tree.bound = countDistinct(segments.map((segment) => this.#use(segment).index.nodeDigests()));
      if (tree.bound > this.#options.segment) return tree;
    }
    const { prefix } = tree;
    const { graphs, graphOnceOf } = this.#options;
    const onceOf = () => (graphs === "none" ? null : (graphOnceOf?.(prefix) ?? null));
    const parts = segments.map((segment) => ({ segment, index: this.here(segment) }));
    return mergeSegments(prefix, parts, onceOf, () => this.#newIndex());
  }

  #withoutGraph(segment: Segment): Segment {
    const index = this.#newIndex();
    const whole = this.here(segment);
    segment.owners.each((_, id) => {
      const vector = whole.vector(id);
      if (vector !== undefined) index.add(id, vector);
    });
    whole.close();
    return Segment.of(segment.prefix, index, segment.owners);
  }

  #dropPrepared(): void {
    const { segment: most } = this.#options;
    const near = new Set(
      this.segments.filter(({ distinct }) => distinct >= most * PREPARED_UNTIL).map(({ prefix }) => prefix),
    );
    for (const [prefix, index] of this.#prepared) {
      if (near.has(prefix.slice(0, -1))) continue;
      index.close();
      this.#prepared.delete(prefix);
    }
  }

  #merged(segments: readonly Segment[], question: Question): Hit[] {
    const hits = this.#each(segments, (index) => ask(index, question));
    return hits.length === 1 ? hits[0]! : hits.flat().sort(compareHits).slice(0, question.k);
  }

  /**
   * Asks segments, and returns their answers in any order. Other threads are asked first, so that they work while this
   * one does. If not all fit into memory, they come one by one, those that are in it first: the others take their places.
   */
  #each<T>(segments: readonly Segment[], begin: (index: SegmentIndex) => () => T): T[] {
    this.makeRoom();
    if (!segments.every(({ isLoaded }) => isLoaded)) {
      const loadedFirst = [...segments].sort((a, b) => Number(b.isLoaded) - Number(a.isLoaded));
      return loadedFirst.map((segment) => this.#begun(segment, begin)());
    }
    const here = segments.filter(({ thread }) => thread === null);
    const elsewhere = segments.filter(({ thread }) => thread !== null);
    const begun = [...elsewhere, ...here].map((segment) => this.#begun(segment, begin));
    return begun.reverse().map((end) => end());
  }

  /** Asks a segment. If its thread fails, the answer comes from this one. */
  #begun<T>(segment: Segment, begin: (index: SegmentIndex) => () => T): () => T {
    const end = begin(this.#use(segment).index);
    return () => {
      try {
        return end();
      } catch (error) {
        if (!segment.isLost) throw error;
        return begin(this.#use(segment).index)();
      }
    };
  }

  /** Returns the index of a segment in this thread. */
  here(segment: Segment): VectorIndex {
    return this.#use(segment).here((bytes) => VectorIndex.deserialize(this.#options.engine(), bytes));
  }

  /**
   * Marks the segment as used, loads it, and lets others leave memory for it.
   *
   * @param again makes the index of a segment whose thread has failed; null before a change, when the index is of another
   * state than the library
   */
  #use(segment: Segment, again = this.#options.again ?? null): Segment {
    segment.usedAt = ++this.#clock;
    if (segment.isLost && !segment.recovers(() => again?.(segment.prefix) ?? null)) {
      this.#isLost = true;
      throw new SelfsameError(
        "WORKER_FAILED",
        "expected a thread with vectors, got one that has failed",
        "Try again",
      );
    }
    if (!segment.isLoaded) {
      this.makeRoom();
      void segment.index;
    }
    return segment;
  }

  /** Lets segments leave memory, the least recently used first, until the limit is kept. */
  makeRoom(): void {
    if (this.memoryBytes < this.#memoryMax) return;
    const oldestFirst = this.segments.filter(({ isLoaded }) => isLoaded).sort((a, b) => a.usedAt - b.usedAt);
    for (const segment of oldestFirst) if (segment.leave() && this.memoryBytes < this.#memoryMax) return;
  }
}

/** Returns a copy that threads read without another one. */
function sharedCopy(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
