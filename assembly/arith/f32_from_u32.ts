/** The nearest binary32 of an unsigned integer, ties to even. SPEC §2.10 */
export function f32_from_u32(x: u32): u32 {
  if (x == 0) return 0;
  const shift = clz(x);
  const m = <u64>(x << shift);
  const significand = <u32>((m + 0x7f + ((m >> 8) & 1)) >> 8);
  return ((157 - shift) << 23) + significand;
}
