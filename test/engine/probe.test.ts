import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Build, Engine } from "#dist/engine/engine.js";
import { KNOWN_ANSWERS, OPERATIONS, type Operation } from "#dist/engine/known-answers.js";
import { probeEngine } from "#dist/engine/probe.js";
import {
  contracting,
  dottingUnsigned,
  flushingOperands,
  flushingResults,
  trapping,
} from "./faulty-device.ts";

const BUILDS = ["simd", "soft", "scalar"] as const;

function wasm(build: Build): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(`../../build/engine.${build}.wasm`, import.meta.url)));
}

function probe(build: Build, bytes: Uint8Array<ArrayBuffer>) {
  return probeEngine(new Engine(build, new WebAssembly.Module(bytes)));
}

// Every answer, from binary64: one operation on binary32 operands, rounded once, is exact in it.
const floats = new Float32Array(1);
const words = new Uint32Array(floats.buffer);

function float(bits: number): number {
  words[0] = bits;
  return floats[0]!;
}

function bits(x: number): number {
  floats[0] = x;
  return Number.isNaN(x) ? 0x7fc00000 : words[0]!;
}

const low = (pair: number) => (pair << 16) >> 16;
const saturated = (x: number) => (Number.isNaN(x) ? 0 : Math.min(Math.max(x, -(2 ** 31)), 2 ** 31 - 1) >>> 0);

function nearEven(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

const ANSWER: Record<Operation, (a: number, b: number, c: number) => number> = {
  add: (a, b) => bits(float(a) + float(b)),
  sub: (a, b) => bits(float(a) - float(b)),
  mul: (a, b) => bits(float(a) * float(b)),
  div: (a, b) => bits(float(a) / float(b)),
  sqrt: (a) => bits(Math.sqrt(float(a))),
  min: (a, b) => bits(Math.min(float(a), float(b))),
  max: (a, b) => bits(Math.max(float(a), float(b))),
  mulAdd: (a, b, c) => bits(Math.fround(float(a) * float(b)) + float(c)),
  eq: (a, b) => Number(float(a) === float(b)),
  lt: (a, b) => Number(float(a) < float(b)),
  le: (a, b) => Number(float(a) <= float(b)),
  fromI32: (a) => bits(a | 0),
  fromU32: (a) => bits(a),
  toI32NearEven: (a) => saturated(nearEven(float(a))),
  toI32Trunc: (a) => saturated(Math.trunc(float(a))),
  dot: (a, b) => (low(a) * low(b) + (a >> 16) * (b >> 16)) >>> 0,
};

describe("the known answers", () => {
  it.each(KNOWN_ANSWERS)("%s", (_, operation, [a = 0, b = 0, c = 0], expected) => {
    expect(ANSWER[operation](a, b, c)).toBe(expected);
  });

  it("cover every operation", () => {
    expect(new Set(KNOWN_ANSWERS.map(([, operation]) => operation))).toEqual(new Set(OPERATIONS));
  });

  it("number the operations as the engine does", () => {
    const source = readFileSync(new URL("../../assembly/arith/probe.ts", import.meta.url), "utf8");
    const numbered = [...source.matchAll(/^const ([A-Z0-9_]+): i32 = (\d+);/gm)];
    const names = numbered.map(([, name]) =>
      name!.toLowerCase().replace(/_(.)/g, (_, c: string) => c.toUpperCase()),
    );
    expect(numbered.map(([, , number]) => Number(number))).toEqual(OPERATIONS.map((_, index) => index));
    expect(names).toEqual(OPERATIONS);
  });
});

describe("the probe", () => {
  it.each(BUILDS)("accepts the build %s", (build) => {
    expect(probe(build, wasm(build))).toBeNull();
  });

  it("refuses f32x4 that flushes subnormal results, while plain f32 is right", () => {
    expect(probe("simd", flushingResults(wasm("simd"), "f32x4"))).toEqual({
      check: "sum of subnormals",
      where: "lane 0",
      expected: "00000002",
      got: "00000000",
    });
  });

  it("refuses f32 that flushes subnormal results", () => {
    const failure = probe("simd", flushingResults(wasm("simd"), "f32"));
    expect(failure).toMatchObject({ check: "sum of subnormals", where: "plain", got: "00000000" });
  });

  it.each(["f32", "f32x4"] as const)("refuses %s that reads subnormal operands as zeros", (kind) => {
    const failure = probe("simd", flushingOperands(wasm("simd"), kind));
    expect(failure).toMatchObject({ check: "sum of subnormals", where: kind === "f32" ? "plain" : "lane 0" });
  });

  it.each(["f32", "f32x4"] as const)("refuses %s that contracts a·b+c", (kind) => {
    expect(probe("simd", contracting(wasm("simd"), kind))).toEqual({
      check: "product and sum, two roundings",
      where: kind === "f32" ? "plain" : "lane 0",
      expected: "00000000",
      got: "33800000", // 2^-24, the part of the product that rounding drops
    });
  });

  it.each(["simd", "soft"] as const)("refuses a wrong integer dot product in the build %s", (build) => {
    const failure = probe(build, dottingUnsigned(wasm(build)));
    expect(failure).toMatchObject({ check: "dot, signs cancel", where: "lane 0" });
  });

  it("refuses a module that is no engine, and one that traps", () => {
    const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    expect(probe("scalar", empty)).toMatchObject({ check: "the probe runs" });
    expect(probe("simd", trapping(wasm("simd")))).toMatchObject({
      check: "the probe runs",
      got: "unreachable",
    });
  });
});
