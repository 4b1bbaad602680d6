/** Comparisons, minimum and maximum of binary32 on bit patterns. SPEC §2.8 and §2.9 */
import { F32_MAGNITUDE, F32_NAN, f32_is_nan } from "./f32_parts";

/** Returns an integer that orders like the number; both zeros are 0. NaN has none. SPEC §2.8 */
export function f32_value_key(a: u32): i32 {
  const negative = <i32>a >> 31;
  return (<i32>(a & F32_MAGNITUDE) ^ negative) - negative;
}

/** Returns whether a = b: zeros are equal, NaN equals nothing. SPEC §2.8 */
export function f32_eq(a: u32, b: u32): bool {
  return <bool>(<u32>(f32_value_key(a) == f32_value_key(b)) & <u32>!f32_is_nan(a) & <u32>!f32_is_nan(b));
}

/** Returns whether a < b; false with NaN. SPEC §2.8 */
export function f32_lt(a: u32, b: u32): bool {
  return <bool>(<u32>(f32_value_key(a) < f32_value_key(b)) & <u32>!f32_is_nan(a) & <u32>!f32_is_nan(b));
}

/** Returns whether a ≤ b; false with NaN. SPEC §2.8 */
export function f32_le(a: u32, b: u32): bool {
  return <bool>(<u32>(f32_value_key(a) <= f32_value_key(b)) & <u32>!f32_is_nan(a) & <u32>!f32_is_nan(b));
}

/** Like `f32_value_key`, but −0 comes before +0: all that minimum and maximum need. SPEC §2.9 */
export function f32_total_key(a: u32): i32 {
  return <i32>a ^ <i32>(<u32>(<i32>a >> 31) >> 1);
}

/** Returns the smaller of both, −0 before +0; NaN if either is NaN. SPEC §2.9 */
export function f32_min(a: u32, b: u32): u32 {
  if (f32_is_nan(a) || f32_is_nan(b)) return F32_NAN;
  return select(a, b, f32_total_key(a) < f32_total_key(b));
}

/** Returns the larger of both, +0 after −0; NaN if either is NaN. SPEC §2.9 */
export function f32_max(a: u32, b: u32): u32 {
  if (f32_is_nan(a) || f32_is_nan(b)) return F32_NAN;
  return select(a, b, f32_total_key(a) > f32_total_key(b));
}
