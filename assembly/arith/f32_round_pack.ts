import { F32_INFINITY } from "./f32_parts";

/**
 * Rounds m·2^(e−127−62), with 2^62 ≤ m < 2^63, to the nearest binary32, ties to even. SPEC §2.2
 *
 * `sign` is 0 or 80000000; bit 0 of m is sticky (set if anything was lost below it). Too large becomes
 * infinity; too small is shifted into the subnormals before it is rounded, so that it is rounded once.
 */
export function f32_round_pack(sign: u32, e: i32, m: u64): u32 {
  if (e < 1) {
    const shift = min(1 - e, 63);
    const lost = m & (((<u64>1) << (<u64>shift)) - 1);
    m = (m >> <u64>shift) | <u64>(lost != 0);
    e = 1;
  }
  const significand = <u32>((m + 0x3fffffffff + ((m >> 39) & 1)) >> 39);
  // The hidden bit and any carry of the rounding count the exponent up; without hidden bit it stays 0.
  return sign | min(((<u32>(e - 1)) << 23) + significand, F32_INFINITY);
}
