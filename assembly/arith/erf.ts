import { constant, ONE } from "./constant";
import {
  ERF_G0,
  ERF_G1,
  ERF_G2,
  ERF_G3,
  ERF_G4,
  ERF_G5,
  ERF_ONE,
  ERF_S0,
  ERF_S1,
  ERF_S2,
  ERF_S3,
  ERF_S4,
  ERF_S5,
  ERF_SPLIT,
} from "./erf_constants";
import { exp_normal } from "./exp";
import { F32_SIGN } from "./f32_parts";
import { abs, add, lt, min, mul, real_from_bits, real_to_bits, sub } from "./real";

/**
 * Returns the error function of any binary32 x: at most 1.51 ULP off, including subnormal results; ±1 from |x| = 3.92
 * on; NaN for NaN. The error was measured as described in SPEC §3. SPEC §3.2
 */
export function erf(x: real): real {
  const magnitude = abs(x);
  if (lt(magnitude, constant(ERF_SPLIT))) return erf_small(x);
  const sign = real_to_bits(x) & F32_SIGN;
  return real_from_bits(real_to_bits(erf_large(magnitude)) | sign);
}

/** Returns x + x·s(x²), for |x| < 0.9375. */
function erf_small(x: real): real {
  const t = mul(x, x);
  let s = add(mul(constant(ERF_S5), t), constant(ERF_S4));
  s = add(mul(s, t), constant(ERF_S3));
  s = add(mul(s, t), constant(ERF_S2));
  s = add(mul(s, t), constant(ERF_S1));
  s = add(mul(s, t), constant(ERF_S0));
  return add(x, mul(x, s));
}

/** Returns 1 − e^g(x), for x ≥ 0.9375; g lies in [−17.1, −1.69]. */
function erf_large(x: real): real {
  x = min(x, constant(ERF_ONE));
  let g = add(mul(constant(ERF_G5), x), constant(ERF_G4));
  g = add(mul(g, x), constant(ERF_G3));
  g = add(mul(g, x), constant(ERF_G2));
  g = add(mul(g, x), constant(ERF_G1));
  g = add(mul(g, x), constant(ERF_G0));
  return sub(constant(ONE), exp_normal(g));
}
