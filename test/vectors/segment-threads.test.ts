/** Segments in other threads: the same bits for any number of threads, whatever happens to them. SPEC §10.10, §10.11 */
import fc from "fast-check";
import { BUILDS, type Engine, loadEngine } from "selfsame/engine";
import { afterAll, describe, expect, it } from "vitest";
import type { Segment } from "#dist/vectors/segment.js";
import { SegmentThread, SegmentThreads } from "#dist/vectors/segment-threads.js";
import { SegmentedIndex } from "#dist/vectors/segmented-index.js";
import { sourceOf } from "#dist/vectors/snapshot.js";
import { ThreadedIndex } from "#dist/vectors/threaded-index.js";
import { VectorIndex } from "#dist/vectors/vector-index.js";
import { splitmix32 } from "../reference/prng.ts";
import { searchSegments, segmentsDigest, segmentsOf } from "../reference/segments.ts";
import { compareHits, dot } from "../reference/vectors.ts";
import { documentIdOf, histories, live, storedSegment } from "./segment-history.ts";
import { drawVector, idOf } from "./vector-items.ts";

const long = import.meta.env.MODE === "long";
const THREADS_MAX = 3;
const DIM = 16;
const plain = ({ id, dot: product }: { id: Uint8Array; dot: number }) => ({ id, dot: product });
const started: SegmentThread[] = [];
const start = async (engine: Engine) => {
  const thread = await SegmentThread.start(engine.build);
  started.push(thread);
  return thread;
};
const builds = await Promise.all(
  BUILDS.map(async (build) => {
    const { engine } = await loadEngine({ build });
    return { engine, threads: await Promise.all(Array.from({ length: THREADS_MAX }, () => start(engine))) };
  }),
);
const { engine, threads } = builds[0]!;
afterAll(() => {
  for (const thread of started) thread.stop();
});

/** The threads in turn, and then this one. */
function inTurn(places: readonly (SegmentThread | null)[]): () => SegmentThread | null {
  let at = 0;
  return () => places[at++ % places.length]!;
}

const items = Array.from({ length: 400 }, (_, i) => ({
  ...{ id: idOf(i), documentId: documentIdOf(i, 0), vector: drawVector(splitmix32(i), DIM, 3000) },
}));

/** An index of the items in this thread, and the same opened again with its segments elsewhere. */
async function pair(
  places: readonly (SegmentThread | null)[],
  again: (prefix: string) => VectorIndex | null,
) {
  const options = {
    ...{ dim: DIM, segment: 100, graphs: "all" as const, engine: () => engine.another() },
    again,
  };
  const whole = new SegmentedIndex(options);
  for (const { documentId, id, vector } of items) whole.add(documentId, id, vector);
  await whole.buildGraphs();
  const index = new SegmentedIndex(options);
  const place = inTurn(places);
  const segments: Segment[] = whole.segments.map((each) => storedSegment(each, engine, place()));
  for (const each of segments) expect(each.loads()).toBe(true);
  index.restore(segments, new Map(whole.forks.map(({ prefix, bound }) => [prefix, bound])));
  expect(segments.length).toBeGreaterThan(3);
  return { whole, index };
}

const queries = Array.from({ length: 5 }, (_, i) => drawVector(splitmix32(i + 9000), DIM, 3000));
function expectSame(index: SegmentedIndex, whole: SegmentedIndex): void {
  const candidates = items.filter((_, i) => i % 3 === 0).map(({ id }) => id);
  for (const query of queries) {
    expect(index.search(query, { k: 9, ef: 12 })).toEqual(whole.search(query, { k: 9, ef: 12 }));
    expect(index.exact(query, { k: 500 })).toEqual(whole.exact(query, { k: 500 }));
    expect(index.exact(query, { k: 7, candidates })).toEqual(whole.exact(query, { k: 7, candidates }));
  }
  for (const { id } of items.slice(0, 9)) expect(index.vector(id)).toEqual(whole.vector(id));
  expect(index.vector(idOf(-1))).toBeUndefined();
  expect([index.size, index.digest()]).toEqual([whole.size, whole.digest()]);
}

describe("any history with segments in threads", () => {
  it("ends in the segments, graphs and hits of the reference, with 0 to 3 threads", {
    timeout: 3_600_000,
  }, async () => {
    let [run, inThreads] = [0, 0];
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { engine: own, threads: all } = builds[run % builds.length]!;
        const count = Math.floor(run++ / builds.length) % (THREADS_MAX + 1);
        const { index, items: held } = await live(history, own, inTurn([...all.slice(0, count), null]));
        inThreads += index.segments.filter(({ thread }) => thread !== null).length;
        const expected = segmentsOf(history.dim, held, history.segment);
        expect(index.segments.map(({ prefix }) => prefix)).toEqual(expected.map(({ prefix }) => prefix));
        expect(index.digest()).toEqual(segmentsDigest(expected));
        expect(index.size).toBe(held.length);
        const query = drawVector(splitmix32(history.seed + 1), history.dim, history.span);
        expect(index.search(query, { k: 7, ef: 9 }).map(plain)).toEqual(
          searchSegments(expected, query, 7, 9),
        );
        const exact = held.map(({ id, vector }) => ({ id, dot: dot(vector, query) })).sort(compareHits);
        expect(index.exact(query, { k: 9 }).map(plain)).toEqual(exact.slice(0, 9));
        index.close();
      }),
      { numRuns: long ? 900 : 24, seed: 18 }, // 300 on each build
    );
    expect(inThreads).toBeGreaterThan(run);
  });
});

describe("segments in threads", () => {
  it("answer like segments in this one, and count their memory", async () => {
    const { whole, index } = await pair([...threads, null], () => null);
    expect(index.segments.filter(({ thread }) => thread !== null).length).toBeGreaterThan(1);
    expectSame(index, whole);
    expect(index.memoryBytes).toBeGreaterThanOrEqual(index.segments.length * 65_536);
    expect(index.segments.every(({ memoryBytes }) => memoryBytes > 0)).toBe(true);
    index.close();
  });

  it("give an answer that is longer than the room for it, and the errors of an index", async () => {
    const { whole, index } = await pair([threads[0]!], () => null);
    const remote = index.segments[0]!.index;
    expect(remote).toBeInstanceOf(ThreadedIndex);
    expect(remote.serialize()).toEqual(whole.segments[0]!.index.serialize());
    expect(remote.packedIds()).toEqual(whole.segments[0]!.index.packedIds());
    expect(remote.nodeDigests()).toEqual(whole.segments[0]!.index.nodeDigests());
    const outside = new Int16Array(DIM).fill(-32768);
    expect(() => index.search(outside)).toThrow(expect.objectContaining({ code: "BAD_VECTOR" }));
    expect(() => index.exact(new Int16Array(8))).toThrow(expect.objectContaining({ code: "BAD_VECTOR" }));
    expect(() => index.search(queries[0]!, { k: 0 })).toThrow(
      expect.objectContaining({ code: "BAD_ARGUMENT" }),
    );
    expectSame(index, whole); // questions that nobody fetched an answer for do no harm
    index.close();
  });

  it("refuse damaged bytes", async () => {
    const { whole } = await pair([null], () => null);
    const bytes = whole.segments[0]!.index.serialize();
    bytes[100]! ^= 1;
    const index = new ThreadedIndex(threads[0]!, sourceOf(bytes));
    expect(() => index.loaded()).toThrow(expect.objectContaining({ code: "BAD_INDEX_BYTES" }));
    expect(threads[0]!.isAlive).toBe(true);
  });

  it("are loaded here if their thread dies, and nothing is lost", async () => {
    const dying = await start(engine);
    const { whole, index } = await pair([dying, null], () => null);
    dying.stop();
    expectSame(index, whole);
    expect(index.segments.every(({ thread }) => thread === null)).toBe(true);
    index.close();
  });

  it("are loaded here if their thread gives no answer in time", async () => {
    const dying = await start(engine);
    const { whole, index } = await pair([dying, null], () => null);
    const hung = index.segments.find(({ thread }) => thread === dying)!;
    // As if the question had never arrived: nobody answers, and the wait ends.
    const post = dying.post.bind(dying);
    dying.post = () => undefined;
    expect(() => dying.wait(new Int32Array(new SharedArrayBuffer(4)), 50)).toThrow(
      expect.objectContaining({ code: "WORKER_FAILED" }),
    );
    expect([dying.isAlive, hung.isLost]).toEqual([false, true]);
    dying.post = post;
    expectSame(index, whole);
    index.close();
  });

  it("that were changed are made again by the caller, or else reported as lost", async () => {
    const vector = drawVector(splitmix32(77), DIM, 3000);
    for (const canBeMade of [true, false]) {
      const dying = await start(engine);
      const made: string[] = [];
      const { whole, index } = await pair([dying, null], (prefix) => {
        made.push(prefix);
        if (!canBeMade) return null;
        const { index: own } = whole.segments.find((each) => each.prefix === prefix)!;
        return VectorIndex.deserialize(engine.another(), own.serialize());
      });
      for (const each of [whole, index]) each.add(items[0]!.documentId, idOf(5000), vector);
      const changed = index.segments.find(({ changes }) => changes > 0)!;
      const isRemote = changed.thread === dying;
      const target = isRemote ? items[0]! : undefined;
      dying.stop();
      if (target !== undefined) {
        expect(() => index.add(target.documentId, idOf(5001), vector)).toThrow(
          expect.objectContaining({ code: "WORKER_FAILED" }),
        );
        expect([index.isLost, index.isComplete]).toEqual([true, false]);
      }
      expect(isRemote).toBe(true);
      if (canBeMade) {
        expectSame(index, whole);
        expect(made).toEqual([changed.prefix]);
      } else
        expect(() => index.search(queries[0]!)).toThrow(expect.objectContaining({ code: "WORKER_FAILED" }));
      index.close();
    }
  });

  it("leave memory when it is short", async () => {
    const { whole, index } = await pair([...threads, null], () => null);
    const short = new SegmentedIndex({
      ...{ dim: DIM, segment: 100, graphs: "all", engine: () => engine.another(), memoryMax: 1 },
    });
    const place = inTurn([...threads, null]);
    short.restore(
      whole.segments.map((each) => storedSegment(each, engine, place())),
      new Map(whole.forks.map(({ prefix, bound }) => [prefix, bound])),
    );
    for (const query of queries) {
      expect(short.search(query)).toEqual(whole.search(query));
      expect(short.segments.filter(({ isLoaded }) => isLoaded)).toHaveLength(1);
    }
    expect(short.isDegraded).toBe(true);
    for (const each of [index, short]) each.close();
  });
});

describe("the threads of an index", () => {
  it("share segments by their vectors, with this thread", async () => {
    const pool = await SegmentThreads.start(2, engine.build);
    expect(pool.count).toBe(2);
    const place = pool.places();
    const [a, b, here] = [place(5), place(4), place(3)];
    expect(here).toBeNull();
    expect(a).not.toBe(b);
    expect([place(1), place(1), place(1)]).toEqual([null, b, null]);
    pool.close();
    expect(pool.count).toBe(0);
    expect(pool.places()(1)).toBeNull();
  });
});
