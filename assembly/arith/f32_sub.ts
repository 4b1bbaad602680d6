import { f32_add } from "./f32_add";
import { F32_SIGN } from "./f32_parts";

/** a − b, which is a + (−b) in every case. SPEC §2.3 */
export function f32_sub(a: u32, b: u32): u32 {
  return f32_add(a, b ^ F32_SIGN);
}
