import { vectorOf } from "../engine/byte-order.ts";
import { ID_BYTES, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "../store/database.ts";
import { missingRow } from "../store/missing-row.ts";
import { REBUILD_SHARE } from "../vectors/merge-segments.ts";
import { Owners } from "../vectors/owners.ts";
import { Segment, type StoredSegment } from "../vectors/segment.ts";
import type { SegmentThreads } from "../vectors/segment-threads.ts";
import { type Graphs, SegmentedIndex } from "../vectors/segmented-index.ts";
import { packIds } from "../vectors/vector.ts";
import { VectorIndex } from "../vectors/vector-index.ts";
import type { IndexKind } from "./canon.ts";
import {
  forgetGraphs,
  type KeptGraph,
  type KeptShape,
  keepGraph,
  keepShape,
  keptGraphs,
  keptShape,
  loadGraph,
  startGraph,
} from "./kept-graph.ts";
import type { LibraryState } from "./library-state.ts";
import { eachChunk, eachVector, vectorOfChunk } from "./segment-rows.ts";

/** What the vectors of a library are read from, and what decides how they are divided. */
export interface IndexGround {
  readonly state: LibraryState;
  readonly database: Database;
  readonly engine: Engine;
  readonly dim: number;
  readonly kind: IndexKind;
  /** S. SPEC §14.3 */
  readonly segment: number;
  /** How many vectors are expected. */
  readonly expected?: number | undefined;
}

type Pair = readonly [documentId: Uint8Array, id: Uint8Array];

/** A stored graph, and the segment that it is loaded into. */
interface Started {
  readonly kept: KeptGraph;
  readonly segment: Segment;
}

const GRAPHS: Readonly<Record<IndexKind, Graphs>> = { auto: "above", exact: "none", hnsw: "all" };
/** A stored graph is caught up with; it is stored again when this many ids have changed. */
const KEEP_AFTER_CHANGES = 256;
/** An earlier graph of a fork stays in the file while it is this near to becoming a segment again, in shares of S. */
const FORK_KEPT_BELOW = 33 / 32;

/**
 * Loads the index of a library from its file and stores it there: graphs under the digests of the documents below their
 * prefixes. All methods belong in one transaction or snapshot. SPEC §10.10
 */
export class SegmentStore {
  readonly #ground: IndexGround;
  readonly #memoryMax: number;
  /** Where segments are loaded, beside this thread. */
  threads: SegmentThreads | null = null;

  constructor(ground: IndexGround, memoryMax = Number.POSITIVE_INFINITY) {
    this.#ground = ground;
    this.#memoryMax = memoryMax;
  }

  /** Returns the index of the library as it is, from stored graphs where there are some. */
  load(): SegmentedIndex {
    // Which chunks are ranked may hang on documents below another prefix: then no stored graph is known to be right.
    const shape = this.#ground.state.dedupe === null ? keptShape(this.#ground.database) : null;
    const index = (shape === null ? null : this.#restored(shape)) ?? this.#empty();
    for (const { prefix, segment } of index.regions) if (segment === null) this.#addRows(index, prefix);
    index.settle();
    return this.#checked(index);
  }

  /** Returns the digests of the documents below each region of the index. */
  digests(index: SegmentedIndex): Map<string, string> {
    return new Map(index.regions.map(({ prefix }) => [prefix, this.#ground.state.subtree(prefix)]));
  }

  /**
   * Adds to the index what is new since its digests were made, and removes what is gone; false if loading everything
   * again is cheaper.
   */
  catchUp(index: SegmentedIndex, digests: ReadonlyMap<string, string>): boolean {
    const { database, state } = this.#ground;
    if (!state.idsNameVectors) return false;
    const changed = index.regions.filter(({ prefix }) => digests.get(prefix) !== state.subtree(prefix));
    const added: Pair[] = [];
    const removed: Pair[] = [];
    for (const { prefix, segment } of changed) {
      const chunks: Pair[] = [];
      eachChunk(database, prefix, (documentId, id) => chunks.push([documentId.slice(), id.slice()]));
      for (const [i, isHeld] of heldOf(segment, chunks).entries()) if (isHeld === 0) added.push(chunks[i]!);
      const there = new Set(chunks.map(([, id]) => toHex(id)));
      const others: Pair[] = [];
      segment?.owners.each((documentId, id) => {
        if (!there.has(toHex(id))) others.push([documentId.slice(), id.slice()]);
      });
      for (const [i, isHeld] of heldOf(segment, others).entries()) if (isHeld === 1) removed.push(others[i]!);
    }
    if (index.answersByGraph && (added.length + removed.length) * REBUILD_SHARE > index.size) return false;
    for (const [documentId, id] of removed) index.remove(documentId, id);
    for (const [documentId, id] of added) index.add(documentId, id, this.vector(id));
    index.settle();
    this.#checked(index);
    return true;
  }

  /**
   * Stores the shape of the index and the graphs that are new or have changed much. `digests` are those of the state
   * that the index is of.
   */
  keep(index: SegmentedIndex, digests: ReadonlyMap<string, string>, leastChanges = KEEP_AFTER_CHANGES): void {
    const { database, segment: most } = this.#ground;
    if (!index.answersByGraph) {
      forgetGraphs(database);
      keepShape(database, { segments: [], bounds: new Map() });
      return;
    }
    for (const segment of index.segments) {
      if (!isNews(segment, leastChanges)) continue;
      const subtree = digests.get(segment.prefix)!;
      keepGraph(database, segment.prefix, subtree, segment.index);
      const kept = keptGraphs(database).find((each) => each.segment === segment.prefix)!;
      segment.isStoredAs(this.#stored(kept));
    }
    const shape = shapeOf(index);
    keepShape(database, shape);
    forgetGraphs(database, ({ segment }) => isForgotten(segment, shape, most));
  }

  /** Returns whether `keep` would change what is stored: a process that only reads writes nothing. */
  hasNews(index: SegmentedIndex, leastChanges = KEEP_AFTER_CHANGES): boolean {
    const { database, segment: most } = this.#ground;
    const stored = keptShape(database);
    const graphs = keptGraphs(database);
    if (!index.answersByGraph) return graphs.length > 0 || stored !== null;
    const shape = shapeOf(index);
    return (
      index.segments.some((segment) => isNews(segment, leastChanges)) ||
      stored === null ||
      printedShape(stored) !== printedShape(shape) ||
      graphs.some(({ segment }) => isForgotten(segment, shape, most))
    );
  }

  /** Returns the graphs of segments that are stored. */
  storedSegments(): readonly KeptGraph[] {
    const { database, state } = this.#ground;
    const shape = state.dedupe === null ? keptShape(database) : null;
    return keptGraphs(database).filter(({ segment }) => shape?.segments.includes(segment) === true);
  }

  /** Returns an index without a graph, and its owners, of what the library has below a prefix. */
  fromRows(prefix: string): { readonly index: VectorIndex; readonly owners: Owners } {
    const { database, state, engine, dim } = this.#ground;
    const index = VectorIndex.create(engine.another(), { dim, graph: false });
    const owners = new Owners();
    eachVector(database, state.vectorOwner, dim, prefix, (documentId, id, vector) => {
      index.add(id, vector);
      owners.note(documentId, id);
    });
    return { index, owners };
  }

  /** Returns the vector of a chunk. */
  vector(chunkId: Uint8Array): Int16Array {
    const { database, state } = this.#ground;
    const vector = vectorOfChunk(database, state.vectorOwner, chunkId);
    if (vector === undefined) throw missingRow(database, `a vector of chunk ${toHex(chunkId)}`);
    return vectorOf(vector);
  }

  #empty(): SegmentedIndex {
    const { database, state, engine, dim, kind, segment, expected = 0 } = this.#ground;
    return new SegmentedIndex({
      // Memory that grows as vectors come costs a third of the time that it takes to load 100,000 of them.
      expected: Math.max(expected, state.chunkCount(state.root())),
      ...{ dim, segment, graphs: GRAPHS[kind], engine: () => engine.another(), memoryMax: this.#memoryMax },
      graphOnceOf: (prefix) => {
        const kept = keptGraphs(database).find((each) => each.segment === prefix);
        return kept === undefined || !state.idsNameVectors ? null : loadGraph(this.#ground, kept);
      },
      again: (prefix) => this.#again(prefix),
    });
  }

  /** Returns the index of a stored shape; null if that is none. */
  #restored({ segments, bounds }: KeptShape): SegmentedIndex | null {
    const lower = new Map(bounds);
    const index = this.#empty();
    const stored = this.#startedSegments(segments);
    const restored: Segment[] = [];
    try {
      for (const prefix of segments) {
        const { segment, gone } = this.#segment(prefix, stored.get(prefix));
        for (const fork of bounds.keys())
          if (prefix.startsWith(fork)) lower.set(fork, lower.get(fork)! - gone);
        restored.push(segment);
        index.restore(restored, lower);
        index.makeRoom();
      }
    } catch (error) {
      for (const { segment } of stored.values()) segment.close();
      throw error;
    }
    return index;
  }

  /** Returns what is stored of segments. Threads load their share at the same time, unless there is a limit of memory. */
  #startedSegments(prefixes: readonly string[]): Map<string, Started> {
    const graphs = new Map(keptGraphs(this.#ground.database).map((kept) => [kept.segment, kept]));
    const placeFor = this.threads?.places() ?? (() => null);
    const started = new Map<string, Started>();
    for (const prefix of prefixes) {
      const kept = graphs.get(prefix);
      if (kept === undefined) continue;
      const segment = Segment.stored(prefix, this.#stored(kept), placeFor(kept.vectors));
      if (this.#memoryMax === Number.POSITIVE_INFINITY) segment.startLoading();
      started.set(prefix, { kept, segment });
    }
    return started;
  }

  #segment(prefix: string, started: Started | undefined): { segment: Segment; gone: number } {
    const { state } = this.#ground;
    if (started !== undefined && started.kept.subtree === state.subtree(prefix)) {
      if (started.segment.loads()) return { segment: started.segment, gone: 0 };
    } else if (started !== undefined && state.idsNameVectors) {
      const caught = this.#caughtUp(started.segment);
      if (caught !== null) return caught;
    }
    started?.segment.close();
    const { index, owners } = this.fromRows(prefix);
    // Nothing is known of what the bounds were made from: they are counted again.
    return { segment: Segment.of(prefix, index, owners), gone: Number.POSITIVE_INFINITY };
  }

  /** Returns the segment of a stored graph of other documents, brought up to date; null if a new one is cheaper. */
  #caughtUp(stored: Segment): { segment: Segment; gone: number } | null {
    const { database } = this.#ground;
    const { prefix } = stored;
    if (!stored.loads()) return null;
    const { index } = stored;
    const owners = new Owners();
    const ids: Uint8Array[] = [];
    eachChunk(database, prefix, (documentId, id) => {
      owners.note(documentId, id);
      ids.push(id.slice());
    });
    const isHeld = index.holds(packIds(ids));
    const missing = ids.filter((_, i) => isHeld[i] === 0);
    const goneCount = index.size + missing.length - ids.length;
    if ((missing.length + goneCount) * REBUILD_SHARE > ids.length) return null;
    const gone = goneCount === 0 ? [] : without(index.packedIds(), ids);
    try {
      for (const id of gone) index.remove(id);
      for (const id of missing) index.add(id, this.vector(id));
    } catch (error) {
      if (error instanceof SelfsameError && error.code === "BAD_INDEX_BYTES") return null;
      throw error;
    }
    const segment = Segment.of(prefix, index, owners);
    segment.changes = gone.length + missing.length;
    segment.wasStored = true;
    return { segment, gone: gone.length };
  }

  /** Returns the index of a prefix in this thread, as the library is now; null if there is no stored graph near it. */
  #again(prefix: string): VectorIndex | null {
    const { database, state } = this.#ground;
    const kept = keptGraphs(database).find((each) => each.segment === prefix);
    if (kept === undefined) return null;
    if (kept.subtree === state.subtree(prefix)) return loadGraph(this.#ground, kept);
    if (!state.idsNameVectors) return null;
    return (this.#caughtUp(Segment.stored(prefix, this.#stored(kept)))?.segment.index as VectorIndex) ?? null;
  }

  #stored(kept: KeptGraph): StoredSegment {
    return {
      size: kept.ids,
      distinct: kept.vectors,
      load: (thread) => startGraph(this.#ground, kept, thread),
      eachOwner: (take) => eachChunk(this.#ground.database, kept.segment, take),
    };
  }

  #addRows(index: SegmentedIndex, prefix: string): void {
    const { database, state, dim } = this.#ground;
    eachVector(database, state.vectorOwner, dim, prefix, (documentId, id, vector) =>
      index.add(documentId, id, vector),
    );
  }

  /** Throws if only some chunks have vectors. None at all is not damage: a search then uses words alone. */
  #checked(index: SegmentedIndex): SegmentedIndex {
    const { database, state } = this.#ground;
    const count = state.chunkCount(state.root());
    if (index.size !== count && index.size > 0)
      throw missingRow(database, `vectors of ${count} chunks, more than ${index.size}`);
    return index;
  }
}

/** Says of each id whether the segment holds it. */
function heldOf(segment: Segment | null, pairs: readonly Pair[]): Uint8Array {
  return segment?.index.holds(packIds(pairs.map(([, id]) => id))) ?? new Uint8Array(pairs.length);
}

/** Returns the ids that are not among others. */
function without(ids: Uint8Array, others: readonly Uint8Array[]): Uint8Array[] {
  const there = new Set(others.map(toHex));
  const all = Array.from({ length: ids.length / ID_BYTES }, (_, i) =>
    ids.subarray(i * ID_BYTES, (i + 1) * ID_BYTES),
  );
  return all.filter((id) => !there.has(toHex(id)));
}

function isNews({ hasGraph, isLoaded, wasStored, changes }: Segment, leastChanges: number): boolean {
  return hasGraph && isLoaded && (changes >= leastChanges || !wasStored);
}

/** Returns the shape to store. A stored graph may lack what its segment has: the bound must hold for that, too. */
function shapeOf(index: SegmentedIndex): KeptShape {
  const pending = (prefix: string) =>
    index.segments
      .filter((each) => each.prefix.startsWith(prefix))
      .reduce((sum, { changes }) => sum + changes, 0);
  return {
    segments: index.segments.map(({ prefix }) => prefix),
    bounds: new Map(index.forks.map(({ prefix, bound }) => [prefix, bound - pending(prefix)])),
  };
}

function isForgotten(segment: string, { segments, bounds }: KeptShape, most: number): boolean {
  if (segments.includes(segment)) return false;
  return (bounds.get(segment) ?? Number.POSITIVE_INFINITY) > most * FORK_KEPT_BELOW;
}

function printedShape({ segments, bounds }: KeptShape): string {
  return JSON.stringify([[...segments].sort(), [...bounds].sort()]);
}
