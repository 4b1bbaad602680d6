import { exp } from "./exp";
import { abs, add, div, lt, mul, neg, real_from_bits, sub } from "./real";

const ONE: u32 = 0x3f800000;
const TWO: u32 = 0x40000000;

/**
 * tanh x = (1 − e^(−2|x|)) / (1 + e^(−2|x|)), with the sign of x. The absolute error is below 2^−22 everywhere: near 0
 * the difference cancels, so the relative error is not bounded there. NaN stays NaN. SPEC §8.6
 */
export function tanh(x: real): real {
  const one = real_from_bits(ONE);
  const e = exp(neg(mul(real_from_bits(TWO), abs(x))));
  const t = div(sub(one, e), add(one, e));
  return lt(x, real_from_bits(0)) ? neg(t) : t;
}
