import { f32_from_u32 } from "./f32_from_u32";
import { F32_SIGN } from "./f32_parts";

/** The nearest binary32 of an integer, ties to even. SPEC §2.10 */
export function f32_from_i32(x: i32): u32 {
  const negative = x >> 31;
  return (<u32>x & F32_SIGN) | f32_from_u32(<u32>((x ^ negative) - negative));
}
