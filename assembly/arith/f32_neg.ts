import { f32_is_nan } from "./f32_is_nan";
import { F32_NAN, F32_SIGN } from "./f32_parts";

/** −a. SPEC §2.7 */
export function f32_neg(a: u32): u32 {
  return select(F32_NAN, a ^ F32_SIGN, f32_is_nan(a));
}
