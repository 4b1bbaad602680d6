import { splitmix32 } from "./prng.ts";

/** Values close to normal around 0, of deviation about 1.6 · scale. */
function normal(seed: number, scale: number): () => number {
  const next = splitmix32(seed);
  return () => {
    let sum = -4 * 0xffff;
    for (let i = 0; i < 4; i++) sum += (next() >>> 16) + (next() >>> 16);
    return Math.fround(sum * scale * 2 ** -16);
  };
}

/** A row of such values. */
export function drawRow(length: number, seed: number, scale: number): Float32Array {
  return Float32Array.from({ length }, normal(seed, scale));
}

/** A row of any finite bit patterns, biased exponents up to `largestExponent`. */
export function drawBits(length: number, seed: number, largestExponent = 254): Float32Array {
  const next = splitmix32(seed);
  const words = Uint32Array.from({ length }, () => {
    const word = next();
    const exponent = (word >>> 23) & 255;
    return ((word & 0x807fffff) | ((exponent % (largestExponent + 1)) << 23)) >>> 0;
  });
  return new Float32Array(words.buffer);
}
