import { constant } from "./constant";
import { EXP_HIGHEST, EXP_LOG2E, EXP_LOWEST } from "./exp_constants";
import { exp_mantissa } from "./exp_mantissa";
import { max, min, mul, real_from_bits, real_to_bits, to_i32_near_even } from "./real";

/**
 * e^x for every binary32 x: at most 0.99 ULP off, subnormal results included; above 88.72 infinity, below
 * −103.98 zero, of NaN NaN. The error was measured as SPEC §3 says. SPEC §3.1
 */
export function exp(x: real): real {
  // Clamped to where the scaling below gives infinity and zero by itself.
  x = min(max(x, constant(EXP_LOWEST)), constant(EXP_HIGHEST));
  const n = to_i32_near_even(mul(x, constant(EXP_LOG2E)));
  const half = n >> 1;
  // 2^n in two steps, since n reaches from −151 to 128. The first is exact (added to the exponent), so that a
  // subnormal result is rounded once, by the second.
  const scaled = real_from_bits(real_to_bits(exp_mantissa(x, n)) + ((<u32>half) << 23));
  return mul(scaled, real_from_bits((<u32>(n - half) + 127) << 23));
}

/** The same bits as `exp` for x in [−87, 88], where neither clamp nor rounded scaling is needed. SPEC §3.1 */
export function exp_normal(x: real): real {
  const n = to_i32_near_even(mul(x, constant(EXP_LOG2E)));
  return real_from_bits(real_to_bits(exp_mantissa(x, n)) + ((<u32>n) << 23));
}
