import { f32_is_nan } from "./f32_is_nan";
import { F32_NAN } from "./f32_parts";
import { f32_total_key } from "./f32_total_key";

/** The greater of both, +0 after −0; NaN if either is. SPEC §2.9 */
export function f32_max(a: u32, b: u32): u32 {
  if (f32_is_nan(a) || f32_is_nan(b)) return F32_NAN;
  return select(a, b, f32_total_key(a) > f32_total_key(b));
}
