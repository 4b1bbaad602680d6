import fc from "fast-check";
import { BUILDS, loadEngine } from "selfsame/engine";
import { describe, expect, it } from "vitest";
import { checkSparse, type SparseVectors } from "#dist/conformance/sparse.js";
import { fromHex } from "#dist/engine/digest.js";
import type { Engine } from "#dist/engine/engine.js";
import { SparseIndex } from "#dist/vectors/sparse-index.js";
import vectors from "../../test-vectors/sparse.json" with { type: "json" };
import { allPassed } from "../conformance/all-passed.ts";
import { type Sparse, type SparseChunk, sparseSearch } from "../reference/sparse.ts";
import { generate } from "../reference/sparse.vectors.ts";

const long = import.meta.env.MODE === "long";
const published = vectors as unknown as SparseVectors;

it("the vectors are what the reference gives", () => {
  expect(JSON.parse(JSON.stringify(generate()))).toEqual(vectors);
});

/** Numbers terms in the order of `terms`; the numbers must not matter. */
function indexOf(engine: Engine, chunks: readonly SparseChunk[], terms: readonly string[]): SparseIndex {
  const rows = [...chunks].sort((a, b) => (a.id < b.id ? -1 : 1));
  return new SparseIndex(engine, {
    chunks: rows.length,
    termNumbers: terms.length,
    entries: rows.reduce((sum, row) => sum + Object.keys(row.terms).length, 0),
    eachTerm: (visit) => {
      for (const [number, term] of terms.entries()) visit(number, term);
    },
    eachChunk: (visit) => {
      for (const row of rows) {
        const words = Object.entries(row.terms).flatMap(([term, weight]) => [terms.indexOf(term), weight]);
        visit(fromHex(row.id), new Uint8Array(Uint32Array.from(words).buffer));
      }
    },
  });
}

const TERMS = ["a", "b", "c", "d", "e", "f", "g"];
const weight = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 ** 20 - 1 }));
const sparse = fc.dictionary(fc.constantFrom(...TERMS), weight, { maxKeys: 7, noNullPrototype: true });
const id = fc.integer({ min: 0, max: 60 }).map((n) => n.toString(16).padStart(2, "0").repeat(16));
const chunkSet = fc.uniqueArray(fc.record({ id, terms: sparse }), {
  selector: (chunk) => chunk.id,
  maxLength: 40,
});

describe.each(BUILDS)("sparse index of the build %s (SPEC §24.2)", (build) => {
  it("gives the published vectors", async () => {
    const { engine } = await loadEngine({ build });
    const cases = published.cases.flatMap(({ searches, tokens }): unknown[] => [...searches, ...tokens]);
    expect(checkSparse(engine, published)).toMatchObject(allPassed(vectors.weights, vectors.refused, cases));
  });

  it("is the reference's for any set, any numbering of terms and any candidates", async () => {
    const { engine } = await loadEngine({ build });
    const shuffled = fc.shuffledSubarray(TERMS, { minLength: TERMS.length });
    fc.assert(
      fc.property(
        chunkSet,
        sparse,
        shuffled,
        fc.integer({ min: 1, max: 50 }),
        fc.array(id),
        (chunks, query, terms, k, ids) => {
          const index = indexOf(engine, chunks, terms);
          const asked = { terms: Object.keys(query), weights: Object.values(query) };
          const print = (hits: readonly { id: string; score: number }[]) =>
            hits.map((hit) => `${hit.id} ${hit.score}`);
          const expected = (among: readonly SparseChunk[]) =>
            sparseSearch(among, query as Sparse, k).map(([hit, score]) => `${hit} ${score}`);
          expect(print(index.search(asked, k))).toEqual(expected(chunks));
          const bytes = fromHex(ids.join(""));
          expect(print(index.search(asked, k, bytes))).toEqual(
            expected(chunks.filter((chunk) => ids.includes(chunk.id))),
          );
          for (const term of TERMS)
            expect(index.having(term)).toBe(
              chunks.filter((chunk) => Object.hasOwn(chunk.terms, term)).length,
            );
        },
      ),
      { numRuns: long ? 20_000 : 150 },
    );
  });
});

describe("entries that no library writes", () => {
  const build = async (words: number[], ids = ["01"]) => {
    const { engine } = await loadEngine();
    return () =>
      new SparseIndex(engine, {
        chunks: ids.length,
        termNumbers: 2,
        entries: ids.length,
        eachTerm: (visit) => visit(1, "a"),
        eachChunk: (visit) => {
          for (const each of ids)
            visit(fromHex(each.repeat(16)), new Uint8Array(Uint32Array.from(words).buffer));
        },
      });
  };
  it.each([
    ["an unknown term", [2, 1]],
    ["a weight of 0", [1, 0]],
    ["a weight above the limit", [1, 2 ** 20]],
    ["more entries than announced", [0, 1, 1, 1]],
  ])("%s", async (_, words) => {
    expect(await build(words)).toThrow(expect.objectContaining({ code: "DATABASE_CORRUPT" }));
  });
  it("ids out of order", async () => {
    expect(await build([1, 1], ["02", "01"])).toThrow(expect.objectContaining({ code: "DATABASE_CORRUPT" }));
    expect(await build([1, 1], ["01", "01"])).toThrow(expect.objectContaining({ code: "DATABASE_CORRUPT" }));
  });
});
