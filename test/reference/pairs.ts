/** Operands for the tests of §2: random bits, and the places where binary32 goes wrong. */
import { splitmix32 } from "./prng.ts";

/** Zeros, both ends of the subnormal and normal ranges, one and its neighbours, halves, the i32 limits, infinities, NaNs. */
export const EDGES: readonly number[] = [
  0x00000000, 0x00000001, 0x00000002, 0x00400000, 0x007ffffe, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff,
  0x01000000, 0x33000000, 0x33000001, 0x33800000, 0x34000000, 0x3effffff, 0x3f000000, 0x3f000001, 0x3f7fffff,
  0x3f800000, 0x3f800001, 0x3fc00000, 0x3fffffff, 0x40000000, 0x40200000, 0x40600000, 0x4affffff, 0x4b000000,
  0x4b000001, 0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f000000, 0x4f7fffff, 0x5f000000, 0x5f800000, 0x7effffff,
  0x7f000000, 0x7f7ffffe, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fa00000, 0x7fc00000, 0x7fc00001, 0x7fffffff,
].flatMap((bits) => [bits, (bits | 0x80000000) >>> 0]);

type Draw = () => number;

const compose = (sign: number, exponent: number, fraction: number): number =>
  ((sign << 31) | ((exponent & 0xff) << 23) | (fraction & 0x7fffff)) >>> 0;

/** A fraction that leaves sums and products near halfway: mostly zeros or ones, with a few bits changed. */
function thinFraction(draw: Draw): number {
  const run = draw() & 1 ? 0x7fffff : 0;
  return run ^ (1 << (draw() % 23)) ^ (draw() & 3) ^ (draw() & 1 ? 0 : 1 << (draw() % 23));
}

/** Writes one pair to `a[i]` and `b[i]`, by turns of its kinds. */
function writePair(kind: number, a: Uint32Array, b: Uint32Array, i: number, draw: Draw): void {
  const x = draw();
  const y = draw();
  switch (kind) {
    case 0: // any bits
      a[i] = x;
      b[i] = y;
      return;
    case 1: // every distance of exponents up to 31, any fractions
      a[i] = x;
      b[i] = compose(y & 1, (x >>> 23) + ((y >>> 1) % 63) - 31, y >>> 8);
      return;
    case 2: // the same, fractions thin: halfway cases and their neighbours
      a[i] = compose(x & 1, x >>> 1, thinFraction(draw));
      b[i] = compose(y & 1, (x >>> 1) + ((y >>> 1) % 63) - 31, thinFraction(draw));
      return;
    case 3: // products (a + b ≈ 127, 381) and quotients (a − b ≈ ±127) at both ends of the range
      a[i] = x;
      b[i] = compose(
        y & 1,
        127 + (y & 2 ? (x >>> 23) & 0xff : -((x >>> 23) & 0xff)) + ((y >>> 2) % 51) - 25,
        y >>> 9,
      );
      return;
    case 4: // subnormals and the smallest normals
      a[i] = (x & 0x80ffffff) >>> 0;
      b[i] = ((y & 0x80ffffff) >>> (draw() & 1 ? 0 : draw() % 24)) | (y & 0x80000000);
      return;
    case 5: // cancellation: nearly the same magnitude
      a[i] = x;
      b[i] = (x ^ 0x80000000) + (y % 9) - 4;
      return;
    case 6: // products near halfway: short significands whose product has 24 or 25 bits
      a[i] = compose(x & 1, 64 + ((x >>> 1) % 128), (x >>> 9) << ((x >>> 1) % 12));
      b[i] = compose(y & 1, 64 + ((y >>> 1) % 128), (y >>> 9) << (11 + ((y >>> 1) % 12)));
      return;
    default: // an edge with anything near anything
      a[i] = EDGES[x % EDGES.length]!;
      b[i] = y & 0x10000 ? EDGES[(y >>> 17) % EDGES.length]! : draw();
  }
}

/** Fills both arrays with pairs of all kinds; the same seed gives the same pairs. */
export function fillPairs(a: Uint32Array, b: Uint32Array, seed: number): void {
  const draw = splitmix32(seed);
  for (let i = 0; i < a.length; i++) writePair(i & 7, a, b, i, draw);
}

/** Every edge with every edge. */
export function edgePairs(): [a: number, b: number][] {
  return EDGES.flatMap((a) => EDGES.map((b): [number, number] => [a, b]));
}
