import { F32_MAGNITUDE } from "./f32_parts";

/** An integer that stands among others as a number does among numbers; both zeros are 0. NaN has none. SPEC §2.8 */
export function f32_value_key(a: u32): i32 {
  const negative = <i32>a >> 31;
  return (<i32>(a & F32_MAGNITUDE) ^ negative) - negative;
}
