import { f32_is_nan } from "./f32_is_nan";
import { f32_value_key } from "./f32_value_key";

/** a = b: zeros are equal, NaN equals nothing. SPEC §2.8 */
export function f32_eq(a: u32, b: u32): bool {
  return <bool>(<u32>(f32_value_key(a) == f32_value_key(b)) & <u32>!f32_is_nan(a) & <u32>!f32_is_nan(b));
}
