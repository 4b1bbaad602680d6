import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkEvaluation } from "#dist/conformance/evaluation.js";
import { evaluate, log2, measure } from "#dist/search/metrics.js";
import vectors from "../../test-vectors/evaluation.json" with { type: "json" };
import { allPassed } from "../conformance/all-passed.ts";
import { measures } from "../reference/evaluation.ts";
import { generate } from "../reference/evaluation.vectors.ts";

const numRuns = import.meta.env.MODE === "long" ? 20_000 : 2_000;

it("the reference gives the committed vectors", () => {
  expect(JSON.parse(JSON.stringify(generate()))).toEqual(vectors);
});

it("the vectors pass", () => {
  const { cases, queries, judgements, invalidQueries, invalidJudgements } = vectors;
  expect(checkEvaluation(vectors)).toMatchObject(
    allPassed(cases, queries, judgements, invalidQueries, invalidJudgements),
  );
});

describe("measures (SPEC §19.1)", () => {
  const ranking = fc.array(
    fc.nat(20).map((i) => `d${i}`),
    { maxLength: 20 },
  );
  const grades = fc.dictionary(
    fc.nat(20).map((i) => `d${i}`),
    fc.integer({ min: -1, max: 4 }),
    { maxKeys: 12 },
  );

  it("equal the reference, and lie between 0 and 1", () => {
    fc.assert(
      fc.property(ranking, grades, fc.integer({ min: 1, max: 15 }), (ids, judged, k) => {
        const got = measure(ids, new Map(Object.entries(judged)), k);
        const expected = measures(ids, judged, k);
        if (expected === null) {
          expect(got).toBeNull();
          return;
        }
        for (const key of ["precision", "recall", "ndcg", "reciprocalRank"] as const) {
          expect(got![key]).toBeCloseTo(expected[key], 12);
          expect(got![key]).toBeGreaterThanOrEqual(0);
          expect(got![key]).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
      { numRuns },
    );
  });

  it("take a logarithm that is right within two units in the last place", () => {
    for (let power = 1; power <= 53; power++) expect(log2(2 ** power)).toBe(power);
    for (let n = 2; n <= 100_000; n++) {
      if (Math.abs(log2(n) - Math.log2(n)) > 2 * Number.EPSILON * Math.log2(n)) expect.fail(`log2(${n})`);
    }
  });
});

describe("means (SPEC §19.2)", () => {
  it("leave out queries that say nothing, and count those that found nothing", () => {
    const judgements = new Map([
      ["q1", new Map([["a", 1]])],
      ["q2", new Map([["b", 0]])],
      ["q3", new Map([["c", 2]])],
    ]);
    const rankings = new Map([
      ["q1", ["x", "a"]],
      ["q2", ["b"]],
      ["q4", ["z"]],
    ]);
    expect(evaluate(rankings, judgements, 2)).toEqual({
      mean: { precision: 0.25, recall: 0.5, ndcg: 0.315465, reciprocalRank: 0.25 },
      queries: 2,
      skipped: 2,
    });
    expect(evaluate(new Map(), new Map(), 10)).toMatchObject({ queries: 0, skipped: 0, mean: { ndcg: 0 } });
  });
});
