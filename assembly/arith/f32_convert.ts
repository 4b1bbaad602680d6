/** Conversions between binary32, on bit patterns, and integers, and from binary16. SPEC §2.10 to §2.12 */
import { F32_FRACTION, F32_HIDDEN, F32_INFINITY, F32_NAN, F32_SIGN, f32_is_nan } from "./f32_parts";

/** Returns the nearest binary32 of an unsigned integer, ties to even. SPEC §2.10 */
export function f32_from_u32(x: u32): u32 {
  if (x == 0) return 0;
  const shift = clz(x);
  const m = <u64>(x << shift);
  const significand = <u32>((m + 0x7f + ((m >> 8) & 1)) >> 8);
  return ((157 - shift) << 23) + significand;
}

/** Returns the nearest binary32 of an integer, ties to even. SPEC §2.10 */
export function f32_from_i32(x: i32): u32 {
  const negative = x >> 31;
  return (<u32>x & F32_SIGN) | f32_from_u32(<u32>((x ^ negative) - negative));
}

/** Returns the nearest integer, ties to even; saturates, and NaN becomes 0. SPEC §2.11 */
export function f32_to_i32_near_even(a: u32): i32 {
  const exponent = (a >> 23) & 0xff;
  const negative = <i32>a >> 31;
  if (exponent < 126) return 0;
  if (exponent > 157) return f32_is_nan(a) ? 0 : 0x7fffffff ^ negative;
  // Exact in fixed point with 32 bits after the point.
  const fixed = (<u64>((a & F32_FRACTION) | F32_HIDDEN)) << (<u64>(exponent - 118));
  const rounded = <i32>((fixed + 0x7fffffff + ((fixed >> 32) & 1)) >> 32);
  return (rounded ^ negative) - negative;
}

/** Returns the integer rounded towards zero; saturates, and NaN becomes 0. SPEC §2.11 */
export function f32_to_i32_trunc(a: u32): i32 {
  const exponent = (a >> 23) & 0xff;
  const negative = <i32>a >> 31;
  if (exponent < 127) return 0;
  if (exponent > 157) return f32_is_nan(a) ? 0 : 0x7fffffff ^ negative;
  const fixed = (<u64>((a & F32_FRACTION) | F32_HIDDEN)) << (<u64>(exponent - 118));
  return (<i32>(fixed >> 32) ^ negative) - negative;
}

/** Returns the binary32 of a binary16 (bits 0–15; higher bits are ignored). Exact. SPEC §2.12 */
export function f32_from_f16(half: u32): u32 {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent == 0x1f) return fraction == 0 ? sign | F32_INFINITY : F32_NAN;
  if (exponent != 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  if (fraction == 0) return sign;
  // A subnormal fraction·2^−24: its leading bit becomes the hidden one.
  const shift = <u32>clz(fraction) - 8;
  return sign + ((125 - shift) << 23) + (fraction << shift);
}
