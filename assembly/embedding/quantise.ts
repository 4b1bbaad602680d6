import { mul, real_from_bits, to_i32_near_even } from "../arith/real";

const SCALE_BITS: u32 = 0x46fffe00; // 32767

/** out (n) i16 = near(mul(x, 32767)), within ±32767. SPEC §9.3 */
export function f32_to_i16_near_even(out: usize, x: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const q = to_i32_near_even(mul(load<real>(x + (i << 2)), real_from_bits(SCALE_BITS)));
    store<i16>(out + (i << 1), <i16>max<i32>(-32767, min<i32>(q, 32767)));
  }
}
