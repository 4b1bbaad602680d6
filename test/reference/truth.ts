/** exp and erf in binary64, some 10⁸ times finer than the functions of SPEC §3 that they judge. */

/**
 * The distance of a binary32 `got` from `truth` in units of the last place that binary32 has at `truth`. Infinity
 * stands for 2^128, where the numbers would go on, and for anything beyond.
 */
export function ulps(got: number, truth: number): number {
  const y = clampToEnd(got);
  const t = clampToEnd(truth);
  return y === t ? 0 : Math.abs(y - t) / lastPlace(t);
}

const END = 2 ** 128;

function clampToEnd(x: number): number {
  return Math.max(-END, Math.min(END, x));
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
/** Which of the two words holds the exponent. */
const UPPER = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** Of 2^e, for the exponents of binary32's last places: −149 … 104. */
const POWERS = Float64Array.from({ length: 254 }, (_, i) => 2 ** (i - 149));

function lastPlace(truth: number): number {
  double[0] = truth;
  const exponent = ((words[UPPER]! >>> 20) & 0x7ff) - 1023;
  return POWERS[Math.min(127, Math.max(-126, exponent)) + 126]!;
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
