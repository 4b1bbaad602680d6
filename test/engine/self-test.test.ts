import { describe, expect, it } from "vitest";
import { checkSelfTests } from "#dist/conformance/self-test.js";
import { VectorIndex } from "#dist/vectors/vector-index.js";
import vectors from "../../test-vectors/self-test.json" with { type: "json" };
import { generate } from "../reference/self-test.vectors.ts";
import { BUILDS, loadBuild } from "./engines.ts";

describe.each(BUILDS)("the self tests of the build %s", (build) => {
  it("return the reference's digests, and again", () => {
    const engine = loadBuild(build);
    const mark = engine.exports.memory_mark();
    for (const _ of ["first", "second"]) {
      expect(checkSelfTests(engine, vectors)).toMatchObject({ cases: 3, passed: 3, firstMismatch: null });
    }
    expect(engine.exports.memory_mark()).toBe(mark);
  });

  it("leave an engine that takes an index and finds what it holds", () => {
    const engine = loadBuild(build);
    checkSelfTests(engine, vectors);
    const index = VectorIndex.create(engine, { dim: 8 });
    const id = new Uint8Array(16).fill(7);
    index.add(id, Int16Array.from([1, 2, 3, 4, 5, 6, 7, 8]));
    expect(index.search(Int16Array.from([1, 1, 1, 1, 1, 1, 1, 1]))).toMatchObject([{ id, dot: 36 }]);
  });

  it("trap rather than overwrite an index", () => {
    const engine = loadBuild(build);
    VectorIndex.create(engine, { dim: 8 });
    expect(() => engine.exports.self_test_graph()).toThrow(WebAssembly.RuntimeError);
  });
});

it("a wrong digest is named", () => {
  const wrong = structuredClone(vectors);
  wrong.cases[1]!.out = "00000000";
  expect(checkSelfTests(loadBuild("simd"), wrong)).toMatchObject({
    cases: 3,
    passed: 2,
    firstMismatch: { case: "self_test_forward", expected: "00000000", got: vectors.cases[1]!.out },
  });
});

it("the committed vectors are those of the reference", () => {
  expect(generate()).toEqual(vectors);
});
