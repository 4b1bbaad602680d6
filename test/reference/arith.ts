/**
 * Binary32 by Math.fround: a binary64 operation on binary32 numbers, rounded once more, is the binary32 operation
 * (binary64 has more than 2·24 + 2 bits). Every function takes and returns bit patterns. SPEC §2
 */

/** The one NaN. SPEC §2.1 */
export const NAN_BITS = 0x7fc00000;

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** The number that a bit pattern stands for. */
export function floatOf(bits: number): number {
  word[0] = bits;
  return float[0]!;
}

/** The bit pattern of a number, which is rounded to binary32. */
export function bitsOf(value: number): number {
  if (Number.isNaN(value)) return NAN_BITS;
  float[0] = value;
  return word[0]!;
}

export const f32Add = (a: number, b: number): number => bitsOf(floatOf(a) + floatOf(b));
export const f32Sub = (a: number, b: number): number => bitsOf(floatOf(a) - floatOf(b));
export const f32Mul = (a: number, b: number): number => bitsOf(floatOf(a) * floatOf(b));
export const f32Div = (a: number, b: number): number => bitsOf(floatOf(a) / floatOf(b));
export const f32Sqrt = (a: number): number => bitsOf(Math.sqrt(floatOf(a)));
export const f32Neg = (a: number): number => bitsOf(-floatOf(a));
export const f32Abs = (a: number): number => bitsOf(Math.abs(floatOf(a)));
// ECMAScript defines both as SPEC §2.9 does: −0 before +0, NaN if either is.
export const f32Min = (a: number, b: number): number => bitsOf(Math.min(floatOf(a), floatOf(b)));
export const f32Max = (a: number, b: number): number => bitsOf(Math.max(floatOf(a), floatOf(b)));
export const f32Eq = (a: number, b: number): number => (floatOf(a) === floatOf(b) ? 1 : 0);
export const f32Lt = (a: number, b: number): number => (floatOf(a) < floatOf(b) ? 1 : 0);
export const f32Le = (a: number, b: number): number => (floatOf(a) <= floatOf(b) ? 1 : 0);
export const f32FromI32 = (x: number): number => bitsOf(x | 0);
export const f32FromU32 = (x: number): number => bitsOf(x >>> 0);

/** A number of binary64 to the nearest integer, ties to even. */
export function nearEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** An integer to the nearest i32, as a u32 word; NaN to 0. */
function saturate(x: number): number {
  if (Number.isNaN(x)) return 0;
  return Math.max(-0x80000000, Math.min(0x7fffffff, x)) >>> 0;
}

export function f32ToI32NearEven(a: number): number {
  const x = floatOf(a);
  return saturate(Number.isFinite(x) ? nearEven(x) : x);
}

export const f32ToI32Trunc = (a: number): number => saturate(Math.trunc(floatOf(a)));

/** Bits 0–15 of `half` as binary16. */
export function f32FromF16(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return bitsOf(fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN);
  if (exponent === 0) return bitsOf(sign * fraction * 2 ** -24);
  return bitsOf(sign * (1024 + fraction) * 2 ** (exponent - 25));
}
