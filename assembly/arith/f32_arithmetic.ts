/** Sign, sum, product, quotient and root of binary32 in integer instructions, on bit patterns. SPEC §2.3 to §2.7 */
import {
  F32_FRACTION,
  F32_HIDDEN,
  F32_INFINITY,
  F32_MAGNITUDE,
  F32_NAN,
  F32_SIGN,
  f32_is_nan,
  f32_round_pack,
  f32_unpack,
} from "./f32_parts";

/** Returns −a. SPEC §2.7 */
export function f32_neg(a: u32): u32 {
  return select(F32_NAN, a ^ F32_SIGN, f32_is_nan(a));
}

/** Returns |a|. SPEC §2.7 */
export function f32_abs(a: u32): u32 {
  return select(F32_NAN, a & F32_MAGNITUDE, f32_is_nan(a));
}

/** Returns a + b. SPEC §2.3 */
export function f32_add(a: u32, b: u32): u32 {
  // The operand of larger magnitude comes first, so that the aligned sum is never negative. All choices below are
  // selects: operands of mixed signs and sizes would mispredict every branch.
  const swap = (a & F32_MAGNITUDE) < (b & F32_MAGNITUDE);
  const high = select(b, a, swap);
  const low = select(a, b, swap);
  const high_exponent = (high >> 23) & 0xff;
  const low_exponent = (low >> 23) & 0xff;
  if (high_exponent == 0xff) return add_special(high, low);

  // A subnormal has exponent 1 and no hidden bit; zero is one of them.
  const high_normal = <u32>(high_exponent != 0);
  const low_normal = <u32>(low_exponent != 0);
  const e = high_exponent + 1 - high_normal;
  const distance = e - (low_exponent + 1 - low_normal);
  const high_significand = <u64>((high & F32_FRACTION) | (high_normal << 23));
  const low_significand = <u64>((low & F32_FRACTION) | (low_normal << 23));
  // There are 38 bits of space below. Beyond that distance the lower operand is under 2^−14 of the last place, where
  // its size no longer matters to rounding, only that it is not zero. So no sticky bit needs to be collected.
  const aligned = <i64>((low_significand << 38) >> <u64>min<u32>(distance, 38));
  const negate = <i64>(<i32>(high ^ low)) >> 63;
  const sum = <u64>(<i64>(high_significand << 38) + ((aligned ^ negate) - negate));
  // Exact cancellation gives +0; two zeros of the same sign keep it.
  if (sum == 0) return a & b & F32_SIGN;

  // Moves the leading bit to position 62, but not beyond what exponent 1 allows.
  const shift = min(<u32>clz(sum) - 1, e);
  const m = sum << (<u64>shift);
  const significand = <u32>((m + 0x3fffffffff + ((m >> 39) & 1)) >> 39);
  return (high & F32_SIGN) | min(((e - shift) << 23) + significand, F32_INFINITY);
}

/** `high` is infinite or NaN, and no other magnitude is larger. */
function add_special(high: u32, low: u32): u32 {
  if (f32_is_nan(high) || (high ^ low) == F32_SIGN) return F32_NAN;
  return high;
}

/** Returns a − b, which is a + (−b) in every case. SPEC §2.3 */
export function f32_sub(a: u32, b: u32): u32 {
  return f32_add(a, b ^ F32_SIGN);
}

/** Returns a · b. SPEC §2.4 */
export function f32_mul(a: u32, b: u32): u32 {
  const a_exponent = (a >> 23) & 0xff;
  const b_exponent = (b >> 23) & 0xff;
  const sign = (a ^ b) & F32_SIGN;
  // e − 1 of a product in [1, 2); a product in [2, 4) has one more.
  const e = <i32>(a_exponent + b_exponent) - 128;
  // Both operands and the result are certainly normal: one branch, taken by nearly every product that is not zero.
  if (a_exponent - 1 < 254 && b_exponent - 1 < 254 && <u32>e < 253) {
    const product = <u64>((a & F32_FRACTION) | F32_HIDDEN) * <u64>((b & F32_FRACTION) | F32_HIDDEN);
    const carry = product >> 47;
    const m = product << (1 - carry);
    const significand = <u32>((m + 0x7fffff + ((m >> 24) & 1)) >> 24);
    return sign | min(((<u32>e + <u32>carry) << 23) + significand, F32_INFINITY);
  }
  return mul_rare(a, b, sign);
}

/** Handles zeros, subnormals, infinities, NaN, and results outside the normal range. */
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

/** Returns a / b. SPEC §2.5 */
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
  // The quotient has at least 26 bits: 24, one for rounding, and a sticky one that holds the remainder.
  const dividend = (<u64>(<u32>a_parts)) << 26;
  const quotient = dividend / divisor;
  const sticky = <u64>(quotient * divisor != dividend);
  // The quotient lies in (2^25, 2^27); `low` means that it is under 2^26, so that the ratio is under 1.
  const low = <u64>(quotient < 0x4000000);
  const e = <i32>((a_parts >> 32) - (b_parts >> 32)) + 127 - <i32>low;
  return f32_round_pack(sign, e, ((quotient << 1) | sticky) << (35 + low));
}

/** Returns √a; √−0 is −0, and any other negative number has no root. SPEC §2.6 */
export function f32_sqrt(a: u32): u32 {
  if ((a & F32_MAGNITUDE) == 0) return a;
  if (f32_is_nan(a) || (a & F32_SIGN) != 0) return F32_NAN;
  if (a == F32_INFINITY) return a;

  const parts = f32_unpack(a);
  const unbiased = <i32>(parts >> 32) - 127;
  const odd = unbiased & 1;
  // The radicand in [2^50, 2^52) has a root in [2^25, 2^26): 24 bits, one for rounding, one to spare.
  let rest = (<u64>(<u32>parts)) << (27 + <u64>odd);
  let root: u64 = 0;
  // Digit by digit from bit 25: each step tries one bit of the root. Called once per row, so simple beats fast.
  for (let bit: u64 = (<u64>1) << 50; bit != 0; bit >>= 2) {
    const trial = root + bit;
    const fits = rest >= trial;
    rest = select(rest - trial, rest, fits);
    root = select((root >> 1) + bit, root >> 1, fits);
  }
  const sticky = <u64>(rest != 0);
  return f32_round_pack(0, ((unbiased - odd) >> 1) + 127, ((root << 1) | sticky) << 36);
}
