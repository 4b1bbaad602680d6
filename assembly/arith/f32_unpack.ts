import { F32_FRACTION, F32_HIDDEN } from "./f32_parts";

/**
 * The significand (bits 0–23, bit 23 set) and exponent (bits 32 up, biased, at most 0 for subnormals) of a
 * finite nonzero value, in one word: a second result would need memory.
 */
export function f32_unpack(a: u32): i64 {
  const exponent = <i32>((a >> 23) & 0xff);
  const fraction = a & F32_FRACTION;
  if (exponent != 0) return ((<i64>exponent) << 32) | <i64>(fraction | F32_HIDDEN);
  const shift = clz(fraction) - 8;
  return ((<i64>(1 - shift)) << 32) | <i64>(fraction << shift);
}
