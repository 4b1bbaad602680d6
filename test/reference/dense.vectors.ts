/** test-vectors/dense.json: vectors that another model computed, as i16. */
import { bitsOf } from "./arith.ts";
import { digestOf, quantiseVector, unit } from "./embedding.ts";
import { hexOfI16 } from "./hex.ts";
import { NonFinite } from "./kernels.ts";
import { splitmix32 } from "./prng.ts";
import { isAdmissible } from "./vectors.ts";

const hex = (values: Float32Array): string =>
  Array.from(values, (value) => bitsOf(value).toString(16).padStart(8, "0")).join("");

/** SPEC §9.6 */
function given(x: Float32Array): Int16Array | "BAD_VECTOR" {
  try {
    const vector = quantiseVector(unit(x));
    return isAdmissible(vector) ? vector : "BAD_VECTOR";
  } catch (error) {
    if (error instanceof NonFinite) return "BAD_VECTOR";
    throw error;
  }
}

/** Numbers as the PRNG draws them: eight bits of exponent around 1, any sign. */
function drawn(dim: number, seed: number): Float32Array {
  const next = splitmix32(seed);
  const words = Uint32Array.from({ length: dim }, () => {
    const word = next();
    return ((word & 0x807fffff) | ((124 + ((word >>> 23) & 3)) << 23)) >>> 0;
  });
  return new Float32Array(words.buffer);
}

const eight = (...values: number[]): Float32Array => {
  const x = new Float32Array(8);
  x.set(values);
  return x;
};

const CASES: [name: string, x: Float32Array][] = [
  ["zero", eight()],
  ["zero and −0", eight(-0, 0, -0)],
  ["one axis", eight(0, 0, 5)],
  ["two axes", eight(3, -4)],
  ["a unit vector already", eight(0.6, 0.8)],
  ["all equal", new Float32Array(8).fill(0.25)],
  ["ties of the rounding", eight(1, 2 ** -16, 3 * 2 ** -16, -(2 ** -16))],
  ["large, its squares just fit", eight(2 ** 63, 2 ** 62)],
  ["squares above binary32", eight(2 ** 64)],
  ["small, its squares are below the normal numbers", eight(2 ** -70, -(2 ** -71))],
  ["squares of one bit: clamped", eight(2 ** -75 * 1.7)],
  ["squares of 0: the zero vector", eight(2 ** -80, 2 ** -90)],
  [
    "most squares lost: longer than any unit vector",
    new Float32Array(16).fill(2 ** -75 * 0.99).fill(2 ** -75 * 1.01, 0, 1),
  ],
  ["subnormal numbers", eight(2 ** -149)],
  ["not a number", eight(1, Number.NaN)],
  ["infinite", eight(1, 2, Number.POSITIVE_INFINITY)],
  ["infinite below", eight(Number.NEGATIVE_INFINITY)],
  ["16 numbers", drawn(16, 1)],
  ["24 numbers", drawn(24, 2)],
];

const DRAWN: [dim: number, seed: number][] = [
  [8, 3],
  [40, 4],
  [384, 5],
  [768, 6],
  [1536, 7],
  [2560, 8],
  [2560, 9],
  [4096, 10],
];

export function generate() {
  return {
    _comment:
      "Vectors of binary32 numbers, as i16. x: 8 hex digits a number; vector: 4 hex digits an element, `x*n` is n times x, or the error. drawn: number i has the bits (w & 807fffff) + ((124 + ((w >> 23) mod 4)) << 23), w from splitmix32(seed); digest as in §9.3.",
    spec: "SPEC §9.6",
    cases: CASES.map(([name, x]) => {
      const vector = given(x);
      return { name, x: hex(x), vector: typeof vector === "string" ? vector : hexOfI16(vector) };
    }),
    drawn: DRAWN.map(([dim, seed]) => ({
      dim,
      seed,
      digest: digestOf(given(drawn(dim, seed)) as Int16Array),
    })),
  };
}
