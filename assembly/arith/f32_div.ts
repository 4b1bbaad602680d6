import { f32_is_nan } from "./f32_is_nan";
import { F32_INFINITY, F32_MAGNITUDE, F32_NAN, F32_SIGN } from "./f32_parts";
import { f32_round_pack } from "./f32_round_pack";
import { f32_unpack } from "./f32_unpack";

/** a / b. SPEC §2.5 */
export function f32_div(a: u32, b: u32): u32 {
  const sign = (a ^ b) & F32_SIGN;
  const a_magnitude = a & F32_MAGNITUDE;
  const b_magnitude = b & F32_MAGNITUDE;
  if (f32_is_nan(a) || f32_is_nan(b)) return F32_NAN;
  if (a_magnitude == F32_INFINITY) return b_magnitude == F32_INFINITY ? F32_NAN : sign | F32_INFINITY;
  if (b_magnitude == 0) return a_magnitude == 0 ? F32_NAN : sign | F32_INFINITY;
  if (a_magnitude == 0 || b_magnitude == F32_INFINITY) return sign;

  const a_parts = f32_unpack(a);
  const b_parts = f32_unpack(b);
  const divisor = <u64>(<u32>b_parts);
  // 26 bits at least in the quotient: 24, one for rounding, and a sticky one that holds the remainder.
  const dividend = (<u64>(<u32>a_parts)) << 26;
  const quotient = dividend / divisor;
  const sticky = <u64>(quotient * divisor != dividend);
  // The quotient lies in (2^25, 2^27); `low` says that it is under 2^26, so that the ratio is under 1.
  const low = <u64>(quotient < 0x4000000);
  const e = <i32>((a_parts >> 32) - (b_parts >> 32)) + 127 - <i32>low;
  return f32_round_pack(sign, e, ((quotient << 1) | sticky) << (35 + low));
}
