/** The bit patterns that all operations on binary32 use. SPEC §2.1 */
export const F32_SIGN: u32 = 0x80000000;
export const F32_MAGNITUDE: u32 = 0x7fffffff;
export const F32_INFINITY: u32 = 0x7f800000;
/** The one NaN that any operation returns. */
export const F32_NAN: u32 = 0x7fc00000;
/** The implicit leading bit of a normal significand. */
export const F32_HIDDEN: u32 = 0x00800000;
export const F32_FRACTION: u32 = 0x007fffff;

/** Returns whether a is any NaN, of either sign and with any payload. SPEC §2.1 */
export function f32_is_nan(a: u32): bool {
  return (a & F32_MAGNITUDE) > F32_INFINITY;
}

/**
 * Returns the significand (bits 0–23, bit 23 set) and exponent (bits 32 up, biased, at most 0 for subnormals) of a
 * finite nonzero value, in one word: a second result would need memory.
 */
export function f32_unpack(a: u32): i64 {
  const exponent = <i32>((a >> 23) & 0xff);
  const fraction = a & F32_FRACTION;
  if (exponent != 0) return ((<i64>exponent) << 32) | <i64>(fraction | F32_HIDDEN);
  const shift = clz(fraction) - 8;
  return ((<i64>(1 - shift)) << 32) | <i64>(fraction << shift);
}

/**
 * Rounds m·2^(e−127−62), with 2^62 ≤ m < 2^63, to the nearest binary32, ties to even. SPEC §2.2
 *
 * `sign` is 0 or 80000000; bit 0 of m is sticky (set if anything was lost below it). A value too large becomes
 * infinity. A value too small is shifted into the subnormals before rounding, so that it is rounded once.
 */
export function f32_round_pack(sign: u32, e: i32, m: u64): u32 {
  if (e < 1) {
    const shift = min(1 - e, 63);
    const lost = m & (((<u64>1) << (<u64>shift)) - 1);
    m = (m >> <u64>shift) | <u64>(lost != 0);
    e = 1;
  }
  const significand = <u32>((m + 0x3fffffffff + ((m >> 39) & 1)) >> 39);
  // The hidden bit and any carry of the rounding increment the exponent; without a hidden bit it stays 0.
  return sign | min(((<u32>(e - 1)) << 23) + significand, F32_INFINITY);
}
