/** Random histories of an index with segments: additions, removals, updates, splits, merges, and openings again. */
import fc from "fast-check";
import type { Engine } from "selfsame/engine";
import { Segment } from "#dist/vectors/segment.js";
import type { SegmentThread } from "#dist/vectors/segment-threads.js";
import { SegmentedIndex } from "#dist/vectors/segmented-index.js";
import { sourceOf } from "#dist/vectors/snapshot.js";
import { ThreadedIndex } from "#dist/vectors/threaded-index.js";
import { VectorIndex } from "#dist/vectors/vector-index.js";
import { splitmix32 } from "../reference/prng.ts";
import type { OwnedItem } from "../reference/segments.ts";
import { drawVector, idOf } from "./vector-items.ts";

export interface History {
  readonly seed: number;
  readonly dim: number;
  readonly span: number;
  /** S. */
  readonly segment: number;
  /** Bits that all document ids share. */
  readonly shared: number;
  readonly documents: number;
  /** Whether halves get their graphs before they are needed, and merged graphs come from earlier ones. */
  readonly prepares: boolean;
  readonly steps: readonly (readonly [kind: number, document: number, count: number])[];
}

export const histories: fc.Arbitrary<History> = fc.record({
  seed: fc.nat(),
  dim: fc.constantFrom(8, 16),
  span: fc.constantFrom(1, 2, 5000),
  segment: fc.integer({ min: 1, max: 40 }),
  shared: fc.constantFrom(0, 0, 3, 61),
  documents: fc.integer({ min: 1, max: 40 }),
  prepares: fc.boolean(),
  steps: fc.array(fc.tuple(fc.nat(9), fc.nat(), fc.integer({ min: 1, max: 12 })), {
    maxLength: 60,
    size: "max",
  }),
});

export function documentIdOf(number: number, shared: number): Uint8Array {
  const id = idOf(number + 7_000_000);
  for (let bit = 0; bit < shared; bit++) id[bit >> 3]! &= ~(128 >> (bit & 7));
  return id;
}

/** Where the next segment goes when the index is opened again: a thread, or null for this one. */
export type Place = () => SegmentThread | null;

/** Lives a history, and returns the index with what it must hold. With a place, it is opened again now and then. */
export async function live(history: History, engine: Engine, place: Place | null = null) {
  const { seed, dim, span, segment, shared, documents, prepares, steps } = history;
  const next = splitmix32(seed);
  const held = new Map<string, OwnedItem>();
  const keyOf = (id: Uint8Array) => id.join();
  const graphs = new Map<string, Uint8Array>();
  const newIndex = () =>
    new SegmentedIndex({
      ...{ dim, segment, graphs: "all", engine: () => engine.another() },
      graphOnceOf: (prefix) => {
        const bytes = graphs.get(prefix);
        return bytes === undefined ? null : VectorIndex.deserialize(engine.another(), bytes);
      },
      again: (prefix) => halfOf(prefix),
    });
  /** The index of what is held below a prefix, made one by one. */
  const halfOf = (prefix: string) => {
    const half = VectorIndex.create(engine.another(), { dim });
    const bits = (id: Uint8Array) => Array.from(id, (byte) => byte.toString(2).padStart(8, "0")).join("");
    for (const item of held.values())
      if (bits(item.documentId).startsWith(prefix)) half.add(item.id, item.vector);
    return half;
  };
  let index = newIndex();
  const keep = () => {
    if (prepares) for (const each of index.segments) graphs.set(each.prefix, each.index.serialize());
  };
  const reopen = () => {
    const again = newIndex();
    const segments = index.segments.map((each) => storedSegment(each, engine, place!()));
    for (const each of segments) each.startLoading();
    again.restore(segments, new Map(index.forks.map(({ prefix, bound }) => [prefix, bound])));
    index.close();
    index = again;
  };
  let ids = 0;
  for (const [kind, pick, count] of steps) {
    const documentId = documentIdOf(pick % documents, shared);
    const own = [...held.values()].filter((item) => item.documentId.join() === documentId.join());
    if (kind < 6) {
      for (let i = 0; i < count; i++) {
        const vector = drawVector(next, dim, span);
        const item = { id: idOf(ids++), vector, documentId };
        index.add(documentId, item.id, vector);
        held.set(keyOf(item.id), item);
      }
    } else if (kind < 9) {
      for (const { id } of kind < 8 ? own : own.slice(0, count)) {
        if (!index.remove(documentId, id)) throw new Error("expected to remove an id, got none");
        held.delete(keyOf(id));
      }
    } else if (own.length > 0) {
      const item = { ...own[0]!, vector: drawVector(next, dim, span) };
      index.add(documentId, item.id, item.vector);
      held.set(keyOf(item.id), item);
    }
    index.settle();
    if (!prepares && pick % 3 > 0) continue; // some steps pass without graphs
    await index.buildGraphs();
    keep();
    if (place !== null && pick % 4 === 0) reopen();
    for (const prefix of prepares ? index.unprepared : []) index.prepare(prefix, halfOf(prefix));
  }
  await index.buildGraphs();
  return { index, items: [...held.values()] };
}

/** The segment as it would be loaded from a file. */
export function storedSegment(segment: Segment, engine: Engine, thread: SegmentThread | null): Segment {
  const bytes = segment.index.serialize();
  const pairs: [Uint8Array, Uint8Array][] = [];
  segment.owners.each((documentId, id) => pairs.push([documentId.slice(), id.slice()]));
  const stored = {
    size: segment.size,
    distinct: segment.distinct,
    load: (at: SegmentThread | null) => {
      if (at === null) return () => VectorIndex.deserialize(engine.another(), bytes);
      const index = new ThreadedIndex(at, sourceOf(bytes));
      return () => index.loaded();
    },
    eachOwner: (take: (documentId: Uint8Array, id: Uint8Array) => void) => {
      for (const [documentId, id] of pairs) take(documentId, id);
    },
  };
  return Segment.stored(segment.prefix, stored, thread);
}
