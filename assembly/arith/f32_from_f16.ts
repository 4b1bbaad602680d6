import { F32_INFINITY, F32_NAN } from "./f32_parts";

/** The binary32 of a binary16 (bits 0–15; higher bits are ignored), which is exact. SPEC §2.12 */
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
