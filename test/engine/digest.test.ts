import { readFileSync } from "node:fs";
import { blake3 as noble } from "@noble/hashes/blake3.js";
import { describe, expect, it } from "vitest";
import { checkDigest } from "#dist/conformance/digest.js";
import { blake3, toHex } from "#dist/engine/digest.js";
import { type Build, Engine } from "#dist/engine/engine.js";
import vectors from "../../test-vectors/digest.json" with { type: "json" };
import { blake3 as reference } from "../reference/blake3.ts";
import { generate } from "../reference/digest.vectors.ts";
import { splitmix32 } from "../reference/prng.ts";

const long = import.meta.env.MODE === "long";

function load(build: Build): Engine {
  const bytes = readFileSync(new URL(`../../build/engine.${build}.wasm`, import.meta.url));
  return new Engine(build, new WebAssembly.Module(bytes));
}

function randomBytes(length: number, seed: number): Uint8Array {
  const next = splitmix32(seed);
  return Uint8Array.from({ length }, () => next());
}

describe("the reference", () => {
  it("equals @noble/hashes", () => {
    const input = randomBytes(20_000, 1);
    for (let length = 0; length <= 20_000; length += 101) {
      const part = input.subarray(0, length);
      expect(toHex(reference(part)), `length ${length}`).toBe(toHex(noble(part)));
    }
  });

  it("gives the committed vectors", () => {
    expect(generate()).toEqual(vectors);
  });
});

describe.each(["simd", "soft", "scalar"] as const)("BLAKE3 of the build %s", (build) => {
  const engine = load(build);

  it("passes the vectors", () => {
    expect(checkDigest(engine, vectors)).toMatchObject({ passed: vectors.cases.length, firstMismatch: null });
  });

  it("equals @noble/hashes at every kind of length", () => {
    const input = randomBytes(4096, 2);
    for (let length = 0; length <= 4096; length += long ? 1 : 7) {
      const part = input.subarray(0, length);
      expect(toHex(blake3(engine, part)), `length ${length}`).toBe(toHex(noble(part)));
    }
    const next = splitmix32(3);
    for (let round = 0; round < 20; round++) {
      const data = randomBytes(next() % 200_000, next());
      expect(toHex(blake3(engine, data)), `length ${data.length}`).toBe(toHex(noble(data)));
    }
  });

  it("equals @noble/hashes on 1 MB and 10 MB", () => {
    const data = randomBytes(10_000_000, 4);
    for (const length of [1_000_000, 1 << 20, 10_000_000]) {
      const part = data.subarray(0, length);
      expect(toHex(blake3(engine, part)), `length ${length}`).toBe(toHex(noble(part)));
    }
  });

  it("takes unaligned input, and output over input", () => {
    const data = randomBytes(5000, 5);
    engine.scope(() => {
      const at = engine.alloc(5016) + 3;
      engine.bytes(at, 5000).set(data);
      engine.exports.blake3(at, at, 5000);
      expect(toHex(engine.read(at, 32))).toBe(toHex(noble(data)));
    });
  });
});
