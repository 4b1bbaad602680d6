/** Every operation of SPEC §2 on every build against the reference: many pairs, and every place that is known to be hard. */
import { getFloat16 } from "@petamoriken/float16";
import { beforeAll, describe, expect, it } from "vitest";
import { checkArith } from "#dist/conformance/arith.js";
import type { Engine } from "#dist/engine/engine.js";
import { UNKNOWN_OPERATION } from "#dist/engine/exports.generated.js";
import vectors from "../../test-vectors/arith.json" with { type: "json" };
import { generate } from "../reference/arith.vectors.ts";
import { OPERATIONS, type OperationName } from "../reference/operation.ts";
import { edgePairs, fillPairs } from "../reference/pairs.ts";
import { selfTest } from "../reference/self-test.ts";
import { BUILDS, loadBuild } from "./engines.ts";

/** Pairs of one block: what fits a cache. All kinds of pairs are in each. */
const BLOCK = 16_384;
/** 10,010,624 pairs an operation. */
const BLOCKS = 611;

const binary = OPERATIONS.map((operation, number) => ({ ...operation, number })).filter(
  ({ operands }) => operands === 2,
);

const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, "0");

/** An engine with room for one block of operands and results. */
function bench(engine: Engine) {
  const [a, b, out] = [engine.alloc(BLOCK * 4), engine.alloc(BLOCK * 4), engine.alloc(BLOCK * 4)];
  const view = (at: number) => new Uint32Array(engine.exports.memory.buffer, at, BLOCK);
  return {
    engine,
    operands: (left: Uint32Array, right: Uint32Array): void => {
      view(a).set(left);
      view(b).set(right);
    },
    run: (number: number): Uint32Array => {
      expect(engine.exports.f32_many(number, out, a, b, BLOCK)).toBe(0);
      return view(out);
    },
  };
}

function firstDifference(expected: Uint32Array, got: Uint32Array): number {
  for (let i = 0; i < expected.length; i++) if (expected[i] !== got[i]) return i;
  return -1;
}

describe("binary operations", () => {
  it(`agree with the reference on ${BLOCK * BLOCKS} pairs each, on every build`, () => {
    const benches = BUILDS.map((build) => bench(loadBuild(build)));
    const [a, b] = [new Uint32Array(BLOCK), new Uint32Array(BLOCK)];
    const expected = new Uint32Array(BLOCK);
    for (let block = 0; block < BLOCKS; block++) {
      fillPairs(a, b, block);
      for (const { operands } of benches) operands(a, b);
      for (const { name, number, apply } of binary) {
        for (let i = 0; i < BLOCK; i++) expected[i] = apply(a[i]!, b[i]!);
        for (const { engine, run } of benches) {
          const got = run(number);
          const i = firstDifference(expected, got);
          if (i >= 0) {
            const pair = `${name}(${hex(a[i]!)}, ${hex(b[i]!)}) of ${engine.build}`;
            expect.fail(`expected ${pair} to be ${hex(expected[i]!)}, got ${hex(got[i]!)}`);
          }
        }
      }
    }
  });
});

describe.each(BUILDS)("the build %s", (build) => {
  let engine: Engine;
  beforeAll(() => {
    engine = loadBuild(build);
  });

  /** Calls the export itself, where `f32_many` of the build simd goes by lanes. */
  function agree(name: OperationName, apply: (a: number, b: number) => number, a: number, b: number): void {
    const got = engine.exports[name](a, b) >>> 0;
    const expected = apply(a, b);
    if (got !== expected) {
      expect.fail(`expected ${name}(${hex(a)}, ${hex(b)}) to be ${hex(expected)}, got ${hex(got)}`);
    }
  }

  it.each(OPERATIONS)("$name is right on every pair of edges and 131,072 others", ({ name, apply }) => {
    for (const [a, b] of edgePairs()) agree(name, apply, a, b);
    const [a, b] = [new Uint32Array(131_072), new Uint32Array(131_072)];
    fillPairs(a, b, 0x5e1f);
    for (let i = 0; i < a.length; i++) agree(name, apply, a[i]!, b[i]!);
  });

  it("adds and subtracts at every distance of exponents, halfway and one unit to either side", () => {
    const add = OPERATIONS[0]!;
    const sub = OPERATIONS[1]!;
    for (let exponent = 1; exponent < 255; exponent++) {
      for (let distance = 0; distance < exponent; distance++) {
        for (const fraction of [0, 1, 0x3fffff, 0x400000, 0x400001, 0x7ffffe, 0x7fffff]) {
          const a = (exponent << 23) | fraction;
          for (const other of [0, 1, 2, 0x400000, 0x7fffff]) {
            const b = ((exponent - distance) << 23) | other;
            agree(add.name, add.apply, a, b);
            agree(sub.name, sub.apply, a, b);
          }
        }
      }
    }
  });

  it("widens every binary16 as @petamoriken/float16 does", () => {
    const half = new DataView(new ArrayBuffer(2));
    const single = new DataView(new ArrayBuffer(4));
    for (let bits = 0; bits < 0x10000; bits++) {
      half.setUint16(0, bits);
      const value = getFloat16(half, 0);
      single.setFloat32(0, value);
      const expected = Number.isNaN(value) ? 0x7fc00000 : single.getUint32(0);
      const got = engine.exports.f32_from_f16(bits) >>> 0;
      if (got !== expected) expect.fail(`expected ${hex(bits)} to be ${hex(expected)}, got ${hex(got)}`);
    }
  });

  it("refuses an operation that there is none", () => {
    expect(engine.exports.f32_many(OPERATIONS.length, 0, 0, 0, 0)).toBe(UNKNOWN_OPERATION);
  });

  it("returns the digest of the reference's walk from self_test", () => {
    const digest = engine.exports.self_test() >>> 0;
    expect(hex(digest)).toBe(hex(selfTest()));
    expect(hex(digest)).toBe(vectors.parameters.self_test);
  });

  it("passes its vectors", () => {
    const outcome = checkArith(engine, vectors);
    expect(outcome.firstMismatch).toBeNull();
    expect(outcome.passed).toBe(outcome.cases);
    expect(outcome.cases).toBe(vectors.cases.length + 1);
  });
});

it("the committed vectors are those of the reference", () => {
  expect(generate()).toEqual(vectors);
});
