/** exp and erf in binary64, some 10⁸ times finer than the functions of SPEC §3 that they judge. */

/** The distance of a binary32 `got` from `truth` in units of the last place that binary32 has at `truth`. */
export function ulps(got: number, truth: number): number {
  if (Object.is(got, truth) || got === truth) return 0;
  // Infinity stands for 2^128, where the numbers would go on.
  const near = Math.abs(got) === Number.POSITIVE_INFINITY ? Math.sign(got) * 2 ** 128 : got;
  return Math.abs(near - truth) / lastPlace(truth);
}

const word = new BigUint64Array(1);
const double = new Float64Array(word.buffer);

function lastPlace(truth: number): number {
  double[0] = truth;
  const exponent = Number((word[0]! >> 52n) & 0x7ffn) - 1023;
  return 2 ** (Math.min(127, Math.max(-126, exponent)) - 23);
}

export const trueExp = Math.exp;

/**
 * erf(x) = 2/√π · e^(−x²) · Σ 2^k x^(2k+1) / (1·3·5…(2k+1)): every term has the sign of x, so nothing cancels.
 * Beyond 6 the difference to ±1 is below binary64.
 */
export function trueErf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x);
  const square = x * x;
  let term = x;
  let sum = x;
  for (let k = 1; sum + term !== sum || k === 1; k++) {
    term *= (2 * square) / (2 * k + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-square) * sum;
}
