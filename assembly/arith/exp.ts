import { constant, ONE } from "./constant";
import {
  EXP_HIGHEST,
  EXP_LN2_HIGH,
  EXP_LN2_LOW,
  EXP_LOG2E,
  EXP_LOWEST,
  EXP_Q0,
  EXP_Q1,
  EXP_Q2,
  EXP_Q3,
  EXP_Q4,
} from "./exp_constants";
import { add, from_i32, max, min, mul, real_from_bits, real_to_bits, sub, to_i32_near_even } from "./real";

/** Returns e^(x − n·ln2), in [0.70, 1.42], for the n nearest to x·log2e: a normal number. SPEC §3.1 */
export function exp_mantissa(x: real, n: i32): real {
  const k = from_i32(n);
  const r = sub(sub(x, mul(k, constant(EXP_LN2_HIGH))), mul(k, constant(EXP_LN2_LOW)));
  let q = add(mul(constant(EXP_Q4), r), constant(EXP_Q3));
  q = add(mul(q, r), constant(EXP_Q2));
  q = add(mul(q, r), constant(EXP_Q1));
  q = add(mul(q, r), constant(EXP_Q0));
  return add(constant(ONE), add(r, mul(mul(r, r), q)));
}

/**
 * Returns e^x for any binary32 x: at most 0.99 ULP off, including subnormal results; infinity above 88.72, zero below
 * −103.98; NaN for NaN. The error was measured as described in SPEC §3. SPEC §3.1
 */
export function exp(x: real): real {
  // Clamped to the range where the scaling below already gives infinity and zero.
  x = min(max(x, constant(EXP_LOWEST)), constant(EXP_HIGHEST));
  const n = to_i32_near_even(mul(x, constant(EXP_LOG2E)));
  const half = n >> 1;
  // 2^n in two steps, since n ranges from −151 to 128. The first is exact (added to the exponent), so that a subnormal
  // result is rounded only once, by the second.
  const scaled = real_from_bits(real_to_bits(exp_mantissa(x, n)) + ((<u32>half) << 23));
  return mul(scaled, real_from_bits((<u32>(n - half) + 127) << 23));
}

/** Returns the same bits as `exp` for x in [−87, 88], where neither clamp nor rounded scaling is needed. SPEC §3.1 */
export function exp_normal(x: real): real {
  const n = to_i32_near_even(mul(x, constant(EXP_LOG2E)));
  return real_from_bits(real_to_bits(exp_mantissa(x, n)) + ((<u32>n) << 23));
}
