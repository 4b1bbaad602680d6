import fc from "fast-check";
import { SelfsameError } from "selfsame";
import { BUILDS, givenVector, loadEngine, VectorIndex } from "selfsame/engine";
import { describe, expect, it } from "vitest";
import { checkDense } from "#dist/conformance/dense.js";
import { SPARSE_WEIGHT_MAX, sparseInteger } from "#dist/vectors/sparse-weight.js";
import vectors from "../../test-vectors/dense.json" with { type: "json" };
import { allPassed } from "../conformance/all-passed.ts";
import { generate } from "../reference/dense.vectors.ts";
import { quantiseVector, unit } from "../reference/embedding.ts";
import { splitmix32 } from "../reference/prng.ts";
import { exactSearch } from "../reference/vectors.ts";
import { idOf } from "./vector-items.ts";

const long = import.meta.env.MODE === "long";

it("the vectors are what the reference gives", () => {
  expect(generate()).toEqual(vectors);
});

describe.each(BUILDS)("vectors from elsewhere, build %s (SPEC §9.6)", (build) => {
  it("are those of the published vectors", async () => {
    const { engine } = await loadEngine({ build });
    expect(checkDense(engine, vectors)).toMatchObject(allPassed(vectors.cases, vectors.drawn));
  });

  it("are those of the reference, whatever the numbers", async () => {
    const { engine } = await loadEngine({ build });
    const numbers = fc
      .integer({ min: 1, max: 12 })
      .chain((eighths) =>
        fc.float32Array({ noNaN: true, min: -1e6, max: 1e6, minLength: 8 * eighths, maxLength: 8 * eighths }),
      );
    fc.assert(
      fc.property(numbers, (x) => {
        fc.pre(x.some((value) => Math.abs(value) > 1e-6));
        expect(givenVector(engine, x, x.length)).toEqual(quantiseVector(unit(x)));
      }),
      { numRuns: long ? 5_000 : 200 },
    );
  });

  it("are searched at 2,560 and 4,096 dimensions, exactly and by the graph", async () => {
    const next = splitmix32(7);
    for (const dim of [2560, 4096]) {
      const { engine } = await loadEngine({ build });
      const index = VectorIndex.create((await loadEngine({ build })).engine, { dim });
      const draw = () =>
        givenVector(
          engine,
          Float32Array.from({ length: dim }, () => (next() % 2001) - 1000),
          dim,
        );
      const items = Array.from({ length: 40 }, (_, i) => ({ id: idOf(i), vector: draw() }));
      for (const { id, vector } of items) index.add(id, vector);
      const query = draw();
      const exact = exactSearch(items, query, 10);
      const found = index.exact(query, { k: 10 });
      expect(found.map(({ dot }) => dot)).toEqual(exact.map(({ dot }) => dot));
      expect(found.map(({ id }) => id)).toEqual(exact.map(({ id }) => id));
      expect(index.search(query, { k: 10, ef: 50 })).toEqual(found);
    }
  });
});

describe("what is refused", () => {
  const given = async (values: unknown, dim: number) => {
    const { engine } = await loadEngine();
    return () => givenVector(engine, values as number[], dim);
  };
  const codeOf = (work: () => unknown): unknown => {
    try {
      work();
    } catch (error) {
      return error instanceof SelfsameError && `${error.code}: ${error.reason}`;
    }
    return null;
  };
  it.each([
    [[1, 2], 8, "BAD_VECTOR: expected a vector of 8 numbers, got 2 numbers"],
    ["text", 8, 'BAD_VECTOR: expected a vector of 8 numbers, got "text"'],
    [[1, 2, 3, 4, 5, 6, 7, "8"], 8, 'BAD_VECTOR: expected a vector of numbers, got "8" at 7'],
    [[0, Number.NaN, 0, 0, 0, 0, 0, 0], 8, "BAD_VECTOR: expected a vector of finite numbers, got NaN at 1"],
    [[0, 0, 1e300, 0, 0, 0, 0, 0], 8, "BAD_VECTOR: expected a vector of finite numbers, got Infinity at 2"],
    [
      [0, 0, 1e20, 0, 0, 0, 0, 0],
      8,
      "BAD_VECTOR: expected a vector of finite numbers, got squares whose sum binary32 cannot hold",
    ],
  ])("%j", async (values, dim, message) => {
    expect(codeOf(await given(values, dim))).toBe(message);
  });

  it("a dimension that no index takes", async () => {
    for (const dim of [0, 7, 12, 4104, 1.5]) expect(codeOf(await given([], dim))).toMatch(/^BAD_ARGUMENT/);
  });
});

describe("sparse weights (SPEC §24.1)", () => {
  it("become the nearest integers, ties to even", () => {
    const half = 1 / 4096;
    expect([0, -0, half, 2 * half, 3 * half, 5 * half, 1, 0.24].map(sparseInteger)).toEqual([
      0, 0, 0, 1, 2, 2, 2048, 492,
    ]);
    expect([511.9995, 512, 1e30].map(sparseInteger)).toEqual([
      SPARSE_WEIGHT_MAX,
      SPARSE_WEIGHT_MAX,
      SPARSE_WEIGHT_MAX,
    ]);
  });

  it("are refused below 0, if not finite, and if not numbers", () => {
    for (const weight of [-1, -1e-30, Number.NaN, Number.POSITIVE_INFINITY, 1e39, "1", null, undefined])
      expect(() => sparseInteger(weight as number)).toThrow(SelfsameError);
  });
});
