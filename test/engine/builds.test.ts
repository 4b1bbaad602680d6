/** What the built files contain and, more to the point, what they do not. SPEC §1.3 */
import { readFileSync } from "node:fs";
import binaryen from "binaryen";
import { beforeAll, describe, expect, it } from "vitest";
import { BUILDS } from "./engines.ts";

/** Every mnemonic of a float instruction: f32.add, f64x2.mul, i32.trunc_sat_f32_s, f32x4.splat, i32.reinterpret_f32 … */
const FLOAT_INSTRUCTION =
  /\b(?:f32|f64|f32x4|f64x2|f16x8)\.[a-z]\w*|\b[iv]\d+(?:x\d+)?\.\w*_f(?:32|64)(?:x\d)?\w*/g;
/** A float type where a type stands: parameters, results, locals, globals, blocks. */
const FLOAT_TYPE = /\b(?:f32|f64)\b(?!\.|x)/g;
const VECTOR = /\bv128\b|\b[if]\d+x\d+\.\w+/g;
const RELAXED = /\b\w+\.relaxed_\w+/g;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The disassembly without names of ours, in which anything might stand: f32_add is a function. */
function disassemble(wasm: Uint8Array): string {
  const module = binaryen.readBinary(wasm);
  module.setFeatures(binaryen.Features.All);
  const text = module.emitText();
  module.dispose();
  return text
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\$[^\s()]+/g, "$")
    .replace(/;;.*$/gm, "");
}

/** Float value types (f32 7d, f64 7c) in the type section, read from the bytes: no disassembler between. */
function floatTypesInSignatures(wasm: Uint8Array): number {
  let at = 8;
  const leb = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < wasm.length) {
    const section = wasm[at++]!;
    const end = leb() + at;
    if (section === 1) {
      let floats = 0;
      for (let types = leb(); types > 0; types--) {
        expect(wasm[at++]).toBe(0x60);
        for (const _ of ["parameters", "results"]) {
          for (let values = leb(); values > 0; values--) if ([0x7c, 0x7d].includes(wasm[at++]!)) floats++;
        }
      }
      expect(at).toBe(end);
      return floats;
    }
    at = end;
  }
  return expect.fail("no type section");
}

describe.each(BUILDS)("build/engine.%s.wasm", (build) => {
  const wasm = readFileSync(new URL(`../../build/engine.${build}.wasm`, import.meta.url));
  const module = new WebAssembly.Module(wasm);
  let text = "";
  beforeAll(() => {
    text = disassemble(wasm);
  });

  it("has the instructions that its name says", () => {
    const counts = {
      expressions: count(text, /\(/g),
      floatInstructions: count(text, FLOAT_INSTRUCTION),
      floatTypes: count(text, FLOAT_TYPE) + floatTypesInSignatures(wasm),
      vectors: count(text, VECTOR),
      relaxed: count(text, RELAXED),
    };
    console.log(`${build}: ${JSON.stringify(counts)}, ${wasm.length} bytes`);
    expect(counts.relaxed).toBe(0);
    if (build === "simd") {
      // Shows that the patterns find what is there.
      expect(counts.floatInstructions).toBeGreaterThan(100);
      expect(counts.floatTypes).toBeGreaterThan(0);
    } else {
      expect(counts.floatInstructions).toBe(0);
      expect(counts.floatTypes).toBe(0);
    }
    if (build === "scalar") expect(counts.vectors).toBe(0);
    if (build === "simd") expect(count(text, /\bf32x4\.\w+/g)).toBeGreaterThan(50);
  });

  it("imports nothing and exports its memory", () => {
    expect(WebAssembly.Module.imports(module)).toEqual([]);
    expect(WebAssembly.Module.exports(module)).toContainEqual({ name: "memory", kind: "memory" });
  });

  it("exports every operation and the self test", () => {
    const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
    const wanted =
      "add sub mul div sqrt neg abs min max eq lt le from_i32 from_u32 to_i32_near_even to_i32_trunc from_f16 exp erf many";
    for (const name of wanted.split(" ")) expect(names).toContain(`f32_${name}`);
    expect(names).toContain("self_test");
  });
});

it("the patterns find each kind of float and vector use", () => {
  const seen = (text: string) =>
    [FLOAT_INSTRUCTION, FLOAT_TYPE, VECTOR, RELAXED].map((pattern) => count(text, pattern));
  expect(seen("(f32.add (local.get 0))")).toEqual([1, 0, 0, 0]);
  expect(seen("(f64.const 1)")).toEqual([1, 0, 0, 0]);
  expect(seen("(i32.trunc_sat_f32_s (local.get 0))")).toEqual([1, 0, 0, 0]);
  expect(seen("(i32.reinterpret_f32 (local.get 0))")).toEqual([1, 0, 0, 0]);
  expect(seen("(i32x4.trunc_sat_f64x2_s_zero (local.get 0))")).toEqual([1, 0, 1, 0]);
  expect(seen("(f32x4.mul (local.get 0))")).toEqual([1, 0, 1, 0]);
  expect(seen("(param f32) (local f64) (global (mut f32))")).toEqual([0, 3, 0, 0]);
  expect(seen("(local v128) (v128.load (i32x4.splat))")).toEqual([0, 0, 3, 0]);
  expect(seen("(f32x4.relaxed_madd)")).toEqual([1, 0, 1, 1]);
  expect(seen("(i32.add (i64.extend_i32_u (i32.load8_u)))")).toEqual([0, 0, 0, 0]);
});
