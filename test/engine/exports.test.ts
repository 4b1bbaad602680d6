// The generated interface of the exports against assembly/, and against what the builds really export.
import { readFileSync } from "node:fs";
import { instantiateSync } from "@assemblyscript/loader";
import { describe, expect, it } from "vitest";
import type { EngineExports } from "#dist/engine/exports.generated.js";
import * as generated from "#dist/engine/exports.generated.js";
import { VectorIndex } from "#dist/vectors/vector-index.js";
import { engineCodes, engineFunctions, isStale } from "../../scripts/generate-exports.mjs";
import { BUILDS, loadBuild } from "./engines.ts";

describe("src/engine/exports.generated.ts", () => {
  it("is what npm run build:engine writes", () => {
    expect(isStale()).toBe(false);
  });

  it("has every number of assembly/codes.ts, and no negative one twice", () => {
    const codes = engineCodes();
    expect(Object.fromEntries(codes.map(({ name, value }) => [name, value]))).toEqual({ ...generated });
    const negative = codes.map(({ value }) => value).filter((value) => value < 0);
    expect(negative.length).toBeGreaterThan(20);
    expect(new Set(negative).size).toBe(negative.length);
  });
});

describe.each(BUILDS)("the build %s", (build) => {
  it("exports the functions of the interface, with as many parameters, and its memory", () => {
    const { exports } = loadBuild(build);
    const functions = Object.entries(exports).filter(([, value]) => typeof value === "function");
    expect(functions.map(([name, { length }]) => `${name}/${length}`).sort()).toEqual(
      engineFunctions()
        .map(({ name, parameters }) => `${name}/${parameters.length}`)
        .sort(),
    );
    expect(exports.memory).toBeInstanceOf(WebAssembly.Memory);
    expect(Object.keys(exports)).toHaveLength(functions.length + 1);
  });

  it("runs through @assemblyscript/loader, typed by the interface", () => {
    const wasm = readFileSync(new URL(`../../build/engine.${build}.wasm`, import.meta.url));
    const { exports } = instantiateSync<EngineExports & Record<string, unknown>>(wasm, {});
    const names = engineFunctions().map(({ name }) => name);
    expect(names.filter((name) => typeof exports[name] !== "function")).toEqual([]);
    expect(exports.f32_add(0x3f800000, 0x40000000)).toBe(0x40400000); // 1 + 2 = 3
    const at = exports.alloc(33);
    expect(exports.blake3(at, at + 32, 1)).toBe(undefined);
    expect(exports.memory_mark() >>> 0).toBe(at + 33);
  });
});

describe("addresses above 2 GiB", () => {
  it("are read without a sign", () => {
    const engine = loadBuild("simd");
    // Nothing is written there, so the host does not really give the memory.
    expect(engine.exports.alloc(0x8000_0000)).not.toBe(0);
    const index = VectorIndex.create(engine, { dim: 8 });
    index.add(new Uint8Array(16).fill(7), Int16Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    const query = Int16Array.of(1, 0, 0, 0, 0, 0, 0, 0);
    expect(index.search(query, { k: 1 })).toEqual(index.exact(query, { k: 1 }));
    expect(index.exact(query, { k: 1 })).toMatchObject([{ id: new Uint8Array(16).fill(7), dot: 1 }]);
    expect(index.vector(new Uint8Array(16).fill(7))).toEqual(Int16Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  });
});
