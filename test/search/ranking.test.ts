import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkMmr, checkRrf } from "#dist/conformance/ranking.js";
import { diversify, lambdaThousandths } from "#dist/search/diversify.js";
import { binary32Bits, fuse, groupRanks } from "#dist/search/fuse.js";
import { compareResults, inResultOrder, type Placed } from "#dist/search/result-order.js";
import { cosine, normalisedBm25, normalisedCosine } from "#dist/search/scores.js";
import mmr from "../../test-vectors/mmr.json" with { type: "json" };
import rrf from "../../test-vectors/rrf.json" with { type: "json" };
import { allPassed } from "../conformance/all-passed.ts";
import { BUILDS, loadBuild } from "../engine/engines.ts";
import { generate as generateMmr, nearDuplicates } from "../reference/mmr.vectors.ts";
import * as reference from "../reference/ranking.ts";
import { generate as generateRrf } from "../reference/rrf.vectors.ts";

const numRuns = import.meta.env.MODE === "long" ? 10_000 : 1_000;

const ids = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 25 });
const weight = fc.double({ min: 0, max: 1_000_000, noNaN: true });
const lists = fc.array(fc.record({ weight, ids }), { maxLength: 5 });
const vector = fc
  .array(fc.integer({ min: -1000, max: 1000 }), { minLength: 16, maxLength: 16 })
  .map(reference.unitVector);

describe("the reference", () => {
  it("gives the committed vectors", () => {
    expect(generateRrf()).toEqual(rrf);
    expect(generateMmr()).toEqual(mmr);
  });

  it("gives CFS-012's scores and ranking, and DocsToKG's score", () => {
    const [cfs] = rrf.cases;
    expect(cfs!.order).toBe("A C B D");
    const value = Object.fromEntries(
      reference
        .fuse(
          [
            { weight: 1, ids: ["A", "B", "C"] },
            { weight: 1, ids: ["C", "A", "D"] },
          ],
          60,
        )
        .map(({ id, score }) => [id, score]),
    );
    expect(value["A"]).toBeCloseTo(0.0325, 4);
    expect(value["C"]).toBeCloseTo(0.0323, 4);
    expect(value["B"]).toBeCloseTo(0.0161, 4);
    expect(value["D"]).toBeCloseTo(0.0159, 4);
    const docsToKg = reference.fuse(
      [
        { weight: 0.65, ids: ["d"] },
        { weight: 0.35, ids: ["a", "b", "c", "e", "d"] },
      ],
      60,
    );
    expect(docsToKg[0]!.score).toBeCloseTo(0.016, 4);
  });
});

describe.each(BUILDS)("the build %s", (build) => {
  const engine = loadBuild(build);

  it("passes the vectors", () => {
    expect(checkRrf(engine, rrf)).toMatchObject(allPassed(rrf.cases, rrf.invalid));
    expect(checkMmr(engine, mmr)).toMatchObject(allPassed(mmr.cases, mmr.invalid));
  });

  it("fuses as the reference does", () => {
    fc.assert(
      fc.property(lists, fc.double({ min: 0, max: 1_000_000, noNaN: true }), (ranked, k) => {
        const got = fuse(engine, ranked, k).map(({ id, score, channels }) => [
          id,
          binary32Bits(score),
          channels,
        ]);
        const expected = reference.fuse(ranked, k);
        expect(got).toEqual(expected.map(({ id, score, channels }) => [id, binary32Bits(score), channels]));
      }),
      { numRuns },
    );
  });

  it("diversifies as the reference does", () => {
    const thousandths = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(
        fc.array(vector, { maxLength: 12 }),
        vector,
        thousandths,
        fc.nat(14),
        (rows, query, lambda, count) => {
          expect(diversify(engine, rows, query, lambda / 1000, count)).toEqual(
            reference.diversify(rows, query, lambda, count),
          );
        },
      ),
      { numRuns: numRuns / 5 },
    );
  });

  it("leaves near-duplicates out of the top five (DocsToKG's test)", () => {
    const { vectors, query } = nearDuplicates();
    const pairs = (five: readonly number[]): number[] =>
      five.flatMap((a, i) => five.slice(i + 1).map((b) => reference.cosine(vectors[a]!, vectors[b]!)));
    expect(Math.min(...pairs([0, 1, 2, 3, 4]))).toBeGreaterThan(0.95);
    for (const each of vectors) expect(reference.cosine(each, query)).toBeGreaterThan(0.5);
    expect(Math.max(...pairs(diversify(engine, vectors, query, 0.7, 5)))).toBeLessThan(0.9);
  });

  it("gives memory back", () => {
    const mark = engine.exports.memory_mark();
    fuse(engine, [{ weight: 1, ids: ["a", "b"] }], 60);
    expect(() => fuse(engine, [{ weight: -1, ids: ["a", "b"] }], 60)).toThrow(
      "expected weights to be numbers from 0 to 1000000, got [-1]",
    );
    diversify(engine, [Int16Array.of(1, 0, 0, 0, 0, 0, 0, 0)], Int16Array.of(1, 0, 0, 0, 0, 0, 0, 0), 0.7, 1);
    expect(engine.exports.memory_mark()).toBe(mark);
  });
});

describe("the order of results (SPEC §16.2)", () => {
  const placed = fc.record({
    score: fc.constantFrom(0, 0.25, 0.5),
    channels: fc.integer({ min: 1, max: 3 }),
    path: fc.constantFrom("a", "a/b", "é", "z", "\ufffd", "\u{10000}"),
    sequence: fc.nat(2),
    chunkId: fc.stringMatching(/^[0-9a-f]{4}$/),
  });

  it("is total: any shuffle ends in the same", () => {
    const many = fc.uniqueArray(placed, { selector: ({ chunkId }) => chunkId, maxLength: 12 });
    fc.assert(
      fc.property(many, fc.boolean(), fc.infiniteStream(fc.nat()), (results, coverage, random) => {
        const shuffled = results
          .map((one): [number, Placed] => [random.next().value, one])
          .sort(([a], [b]) => a - b);
        const order = (list: readonly Placed[]) =>
          inResultOrder(list, false, coverage).map(({ chunkId }) => chunkId);
        expect(order(shuffled.map(([, one]) => one))).toEqual(order(results));
      }),
      { numRuns },
    );
  });

  it("is 0 for the same chunk only, and turns its sign with its sides", () => {
    fc.assert(
      fc.property(placed, placed, fc.boolean(), (a, b, coverage) => {
        expect(Math.sign(compareResults(a, b, coverage))).toBe(
          -Math.sign(compareResults(b, a, coverage)) + 0,
        );
        expect(compareResults(a, a, coverage)).toBe(0);
        if (a.chunkId !== b.chunkId) expect(compareResults(a, b, coverage)).not.toBe(0);
      }),
      { numRuns },
    );
  });
});

describe("lists of groups", () => {
  it("name each group where its first member stands", () => {
    expect(groupRanks(["a#1", "b#0", "a#0", "c#2", "b#1"], (id) => id.slice(0, 1))).toEqual(["a", "b", "c"]);
  });
});

describe("scores for people (SPEC §16.4)", () => {
  it("go from 0 to 1, the best having 1", () => {
    expect(normalisedBm25([-3, -2, -1])).toEqual([1, 0.5, 0]);
    expect(normalisedBm25([-2, -2])).toEqual([1, 1]);
    expect(normalisedBm25([])).toEqual([]);
    expect(cosine(1073676289)).toBe(1);
    expect(cosine(-1073676289)).toBe(-1);
    expect(normalisedCosine(-5)).toBe(0);
  });

  it("λ becomes thousandths", () => {
    expect([0, 0.0004, 0.0005, 0.1, 0.29, 0.57, 0.7, 1].map(lambdaThousandths)).toEqual([
      0, 0, 1, 100, 290, 570, 700, 1000,
    ]);
    for (const lambda of [-0.1, 1.001, Number.NaN])
      expect(() => lambdaThousandths(lambda)).toThrow("diversify.lambda");
  });
});
