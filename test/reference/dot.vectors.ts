/** test-vectors/dot.json: dot products, and vectors at both sides of the limit. */
import { hexOfI16 } from "./hex.ts";
import { splitmix32 } from "./prng.ts";
import { dot, isAdmissible } from "./vectors.ts";

/** Element by element from the PRNG, as wide as the dimension allows. */
function drawn(dim: number, next: () => number): Int16Array {
  const span = Math.min(32767, Math.floor(Math.sqrt((2 ** 31 - 1) / dim)));
  return Int16Array.from({ length: dim }, () => (next() % (2 * span + 1)) - span);
}

function padded(dim: number, ...values: number[]): Int16Array {
  const vector = new Int16Array(dim);
  vector.set(values);
  return vector;
}

export function generate() {
  const next = splitmix32(10);
  const full = [32767, 32767, 362, 5]; // squared norm 2³¹ − 1
  const pairs: [name: string, a: Int16Array, b: Int16Array][] = [
    ["zero with anything", new Int16Array(8), padded(8, 1, -2, 3)],
    ["the largest dot", padded(8, ...full), padded(8, ...full)],
    ["the least dot", padded(8, ...full), padded(8, ...full.map((x) => -x))],
    [
      "the largest, at the end",
      padded(16, 0, 0, 0, 0, 0, 0, 0, 0, ...full),
      padded(16, 0, 0, 0, 0, 0, 0, 0, 0, ...full),
    ],
    // Its partial sums leave 32 bits in the middle where lanes are added in order.
    ["signs that cancel", padded(16, 23170, 23170, -23170, -23170), padded(16, 23170, 23170, 23170, 23170)],
  ];
  for (const dim of [8, 16, 24, 40, 64, 128, 384, 768, 1024, 4096]) {
    const a = drawn(dim, next);
    pairs.push([`dimension ${dim}`, a, drawn(dim, next)], [`dimension ${dim}, with itself`, a, a]);
  }
  const limit: [name: string, vector: Int16Array][] = [
    ["the zero vector", new Int16Array(8)],
    ["squared norm 2^31 - 1", padded(8, ...full)],
    ["squared norm 2^31", padded(8, ...full, 1)],
    ["one element of -32767", padded(8, -32767)],
    ["one element of -32768", padded(8, -32768)],
    ["two elements of -32768", padded(8, -32768, -32768)],
    ["-32768 at the end", padded(64, ...new Array(63).fill(0), -32768)],
    ["4096 elements of 32767: 64 bits are needed", new Int16Array(4096).fill(32767)],
    ["4096 elements of 724", new Int16Array(4096).fill(724)],
    ["4096 elements of 725", new Int16Array(4096).fill(725)],
  ];
  return {
    _comment:
      "Exact dot products of 16-bit vectors, and which vectors an index takes. Four hex digits an element; `x*n` is n times x.",
    spec: "SPEC §10.1",
    parameters: { normMax: 2 ** 31 - 1 },
    cases: pairs.map(([name, a, b]) => ({ name, a: hexOfI16(a), b: hexOfI16(b), dot: dot(a, b) })),
    admission: limit.map(([name, vector]) => ({
      name,
      vector: hexOfI16(vector),
      admitted: isAdmissible(vector),
    })),
  };
}
