import { f32_is_nan } from "./f32_is_nan";
import { F32_FRACTION, F32_INFINITY, F32_MAGNITUDE, F32_NAN, F32_SIGN } from "./f32_parts";

/** a + b. SPEC §2.3 */
export function f32_add(a: u32, b: u32): u32 {
  // The operand of larger magnitude leads, so that the aligned sum is never negative. All choices below are
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
  // 38 bits of room below: beyond that distance the lower operand is under 2^−14 of the last place, where its
  // size no longer matters to rounding, only that it is there. So nothing needs to be gathered into a sticky bit.
  const aligned = <i64>((low_significand << 38) >> <u64>min<u32>(distance, 38));
  const negate = <i64>(<i32>(high ^ low)) >> 63;
  const sum = <u64>(<i64>(high_significand << 38) + ((aligned ^ negate) - negate));
  // Exact cancellation is +0; zeros keep a sign that they share.
  if (sum == 0) return a & b & F32_SIGN;

  // Leading bit to place 62, but not beyond what exponent 1 allows.
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
