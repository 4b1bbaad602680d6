/** A constant, given as binary32 bits, in all four lanes. */
export function splat_bits(bits: u32): v128 {
  return f32x4.splat(reinterpret<f32>(bits));
}
