import { f32_is_nan } from "./f32_is_nan";
import { F32_FRACTION, F32_HIDDEN, F32_INFINITY, F32_MAGNITUDE, F32_NAN, F32_SIGN } from "./f32_parts";
import { f32_round_pack } from "./f32_round_pack";
import { f32_unpack } from "./f32_unpack";

/** a · b. SPEC §2.4 */
export function f32_mul(a: u32, b: u32): u32 {
  const a_exponent = (a >> 23) & 0xff;
  const b_exponent = (b >> 23) & 0xff;
  const sign = (a ^ b) & F32_SIGN;
  // e − 1 of a product in [1, 2); the product in [2, 4) has one more.
  const e = <i32>(a_exponent + b_exponent) - 128;
  // Both operands and the result surely normal: one branch, taken by nearly every product that is not zero.
  if (a_exponent - 1 < 254 && b_exponent - 1 < 254 && <u32>e < 253) {
    const product = <u64>((a & F32_FRACTION) | F32_HIDDEN) * <u64>((b & F32_FRACTION) | F32_HIDDEN);
    const carry = product >> 47;
    const m = product << (1 - carry);
    const significand = <u32>((m + 0x7fffff + ((m >> 24) & 1)) >> 24);
    return sign | min(((<u32>e + <u32>carry) << 23) + significand, F32_INFINITY);
  }
  return mul_rare(a, b, sign);
}

/** Zeros, subnormals, infinities, NaN, and results outside of the normal range. */
function mul_rare(a: u32, b: u32, sign: u32): u32 {
  if (f32_is_nan(a) || f32_is_nan(b)) return F32_NAN;
  const a_magnitude = a & F32_MAGNITUDE;
  const b_magnitude = b & F32_MAGNITUDE;
  if (a_magnitude == F32_INFINITY || b_magnitude == F32_INFINITY) {
    return a_magnitude == 0 || b_magnitude == 0 ? F32_NAN : sign | F32_INFINITY;
  }
  if (a_magnitude == 0 || b_magnitude == 0) return sign;
  const a_parts = f32_unpack(a);
  const b_parts = f32_unpack(b);
  const e = <i32>((a_parts >> 32) + (b_parts >> 32)) - 127;
  const product = <u64>(<u32>a_parts) * <u64>(<u32>b_parts);
  const carry = product >> 47;
  return f32_round_pack(sign, e + <i32>carry, product << (16 - carry));
}
