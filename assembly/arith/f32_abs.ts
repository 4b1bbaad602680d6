import { f32_is_nan } from "./f32_is_nan";
import { F32_MAGNITUDE, F32_NAN } from "./f32_parts";

/** |a|. SPEC §2.7 */
export function f32_abs(a: u32): u32 {
  return select(F32_NAN, a & F32_MAGNITUDE, f32_is_nan(a));
}
