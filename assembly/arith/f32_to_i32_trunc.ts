import { f32_is_nan } from "./f32_is_nan";
import { F32_FRACTION, F32_HIDDEN } from "./f32_parts";

/** The integer towards zero; saturates, and NaN becomes 0. SPEC §2.11 */
export function f32_to_i32_trunc(a: u32): i32 {
  const exponent = (a >> 23) & 0xff;
  const negative = <i32>a >> 31;
  if (exponent < 127) return 0;
  if (exponent > 157) return f32_is_nan(a) ? 0 : 0x7fffffff ^ negative;
  const fixed = (<u64>((a & F32_FRACTION) | F32_HIDDEN)) << (<u64>(exponent - 118));
  return (<i32>(fixed >> 32) ^ negative) - negative;
}
