/** Segments are a function of the set: whatever was added, removed, split and merged before. SPEC §10.10 */
import fc from "fast-check";
import { BUILDS, loadEngine } from "selfsame/engine";
import { describe, expect, it } from "vitest";
import { beamOf } from "#dist/vectors/beam.js";
import { countDistinct } from "#dist/vectors/distinct.js";
import { SegmentedIndex } from "#dist/vectors/segmented-index.js";
import { VectorIndex } from "#dist/vectors/vector-index.js";
import { splitmix32 } from "../reference/prng.ts";
import { beam, type OwnedItem, searchSegments, segmentsDigest, segmentsOf } from "../reference/segments.ts";
import { compareHits, dot } from "../reference/vectors.ts";
import { documentIdOf, histories, live } from "./segment-history.ts";
import { drawVector, idOf } from "./vector-items.ts";

const long = import.meta.env.MODE === "long";
const engines = await Promise.all(BUILDS.map(async (build) => (await loadEngine({ build })).engine));
const plain = ({ id, dot: product }: { id: Uint8Array; dot: number }) => ({ id, dot: product });

describe("any history of splits and merges", () => {
  it("ends in the segments and graphs of the reference", { timeout: 3_600_000 }, async () => {
    let run = 0;
    let [most, merges] = [0, 0];
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { index, items } = await live(history, engines[run++ % engines.length]!);
        const expected = segmentsOf(history.dim, items, history.segment);
        most = Math.max(most, expected.length);
        if (expected.length <= 1 && history.steps.length > 20) merges++;
        expect(index.segments.map(({ prefix }) => prefix)).toEqual(expected.map(({ prefix }) => prefix));
        expect(index.digest()).toEqual(segmentsDigest(expected));
        expect(index.size).toBe(items.length);
        const query = drawVector(splitmix32(history.seed + 1), history.dim, history.span);
        expect(index.search(query, { k: 7, ef: 9 }).map(plain)).toEqual(
          searchSegments(expected, query, 7, 9),
        );
        const exact = items.map(({ id, vector }) => ({ id, dot: dot(vector, query) })).sort(compareHits);
        expect(index.exact(query, { k: 9 }).map(plain)).toEqual(exact.slice(0, 9));
        for (const { id, vector } of items.slice(0, 3)) expect(index.vector(id)).toEqual(vector);
        index.close();
      }),
      { numRuns: long ? 900 : 16, seed: 18 }, // 300 on each build
    );
    expect(most).toBeGreaterThan(8);
    expect(merges).toBeGreaterThan(0);
  });
});

describe("segments", () => {
  it("have graphs only above the limit, if asked so", async () => {
    const [engine] = engines;
    const next = splitmix32(3);
    const index = new SegmentedIndex({
      ...{ dim: 8, segment: 20, graphs: "above", engine: () => engine!.another() },
    });
    const added: OwnedItem[] = [];
    for (let i = 0; i < 21; i++) {
      expect(index.answersByGraph).toBe(false);
      expect(index.isComplete).toBe(true);
      const item = { id: idOf(i), documentId: documentIdOf(i, 0), vector: drawVector(next, 8, 5000) };
      index.add(item.documentId, item.id, item.vector);
      added.push(item);
    }
    expect([index.answersByGraph, index.isComplete]).toEqual([true, false]);
    await index.buildGraphs();
    expect(index.isComplete).toBe(true);
    index.remove(added[4]!.documentId, added[4]!.id);
    index.settle();
    expect([index.answersByGraph, index.isComplete, index.segments.length]).toEqual([false, true, 1]);
    expect(index.segments[0]!.hasGraph).toBe(false);
  });

  it("leave memory when it is short, and come back with the same answers", async () => {
    const [engine] = engines;
    const next = splitmix32(4);
    const options = { dim: 64, segment: 100, graphs: "all" as const, engine: () => engine!.another() };
    const whole = new SegmentedIndex(options);
    const short = new SegmentedIndex({ ...options, memoryMax: 1 });
    for (let i = 0; i < 400; i++) {
      const vector = drawVector(next, 64, 3000);
      for (const index of [whole, short]) index.add(documentIdOf(i, 0), idOf(i), vector);
    }
    await whole.buildGraphs();
    await short.buildGraphs();
    expect(short.segments.length).toBeGreaterThan(3);
    const loads: string[] = [];
    for (const segment of short.segments) {
      const bytes = segment.index.serialize();
      const pairs: [Uint8Array, Uint8Array][] = [];
      segment.owners.each((documentId, id) => pairs.push([documentId.slice(), id.slice()]));
      segment.isStoredAs({
        size: segment.size,
        distinct: segment.distinct,
        load: () => {
          loads.push(segment.prefix);
          return () => VectorIndex.deserialize(engine!.another(), bytes);
        },
        eachOwner: (take) => {
          for (const [documentId, id] of pairs) take(documentId, id);
        },
      });
    }
    for (let i = 0; i < 3; i++) {
      const query = drawVector(next, 64, 3000);
      expect(short.search(query)).toEqual(whole.search(query));
      expect(short.segments.filter(({ isLoaded }) => isLoaded)).toHaveLength(1);
    }
    expect(short.isDegraded).toBe(true);
    expect(loads.length).toBeGreaterThan(6);
    expect(short.digest()).toEqual(whole.digest());
    // A change keeps what it changed in memory: it is nowhere else.
    const vector = drawVector(next, 64, 3000);
    for (const index of [whole, short]) index.add(documentIdOf(1, 0), idOf(1000), vector);
    expect(short.digest()).toEqual(whole.digest());
  });
});

describe("the beam", () => {
  it("is ⌈ef / ∛n⌉", () => {
    for (let ef = 1; ef < 300; ef += 7) for (let n = 1; n < 70; n++) expect(beamOf(ef, n)).toBe(beam(ef, n));
    expect(beamOf(2 ** 31 - 1, 1)).toBe(2 ** 31 - 1);
    expect(beamOf(2 ** 31 - 1, 8)).toBe(2 ** 30);
    expect([1, 2, 4, 8, 16].map((n) => beamOf(50, n))).toEqual([50, 40, 32, 25, 20]);
  });
});

describe("distinct digests", () => {
  it("are told apart when their first eight bytes are equal", () => {
    const digest = (h: number, rest: number) => Uint8Array.from({ length: 32 }, (_, i) => (i < 8 ? h : rest));
    const list = (...digests: Uint8Array[]) => Uint8Array.from(digests.flatMap((each) => [...each]));
    expect(countDistinct([])).toBe(0);
    expect(
      countDistinct([
        list(digest(1, 1), digest(2, 2), digest(2, 1)),
        list(digest(2, 1), digest(2, 3), digest(9, 9)),
        list(digest(1, 1), digest(3, 0)),
      ]),
    ).toBe(6);
  });
});
