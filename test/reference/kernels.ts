// The kernels of SPEC §7, written for clarity: binary32 by Math.fround after every operation (exact for + − × ÷ √, since
// binary64 has more than 2·24 + 2 bits), integer sums in plain numbers, where they are exact up to 2^53.
import { bitsOf, floatOf, nearEven } from "./arith.ts";
import { f32Erf, f32Exp } from "./functions.ts";

const f = Math.fround;
const I32_MAX = 2 ** 31 - 1;
/** 2^-100: a row that stays under it counts as zero, else Q / amax could overflow. SPEC §7.1 */
const ZERO_ROW = 2 ** -100;
/** c of SPEC §7.7: the binary32 nearest to 1/√2, bits 3f3504f3. */
const INVERSE_SQRT_2 = f(0.70710677);

/** A value that is NaN or infinite reached a place that must see finite ones. */
export class NonFinite extends Error {}
/** A weight matrix whose sums leave too few levels for its input. SPEC §7.2 */
export class TooFewLevels extends Error {}

const exp = (x: number): number => floatOf(f32Exp(bitsOf(x)));
const erf = (x: number): number => floatOf(f32Erf(bitsOf(x)));

/** sum4: element i goes to accumulator i mod 4, ascending; then (s0 + s1) + (s2 + s3). SPEC §7 */
export function sum4(x: Float32Array): number {
  const s = new Float32Array(4);
  for (let i = 0; i < x.length; i++) s[i & 3] = s[i & 3]! + x[i]!;
  return f(f(s[0]! + s[1]!) + f(s[2]! + s[3]!));
}

export interface QuantisedRow {
  readonly q: Int16Array; // (n)
  readonly scale: number;
}

/** SPEC §7.1 */
export function quantiseRow(x: Float32Array, levels: number): QuantisedRow {
  let amax = 0;
  for (const value of x) {
    if (!Number.isFinite(value)) throw new NonFinite(`expected finite values, got ${value}`);
    amax = Math.max(amax, Math.abs(value));
  }
  const q = new Int16Array(x.length);
  if (amax < ZERO_ROW) return { q, scale: 0 };
  const gain = f(levels / amax);
  for (let i = 0; i < x.length; i++) q[i] = nearEven(f(x[i]! * gain));
  return { q, scale: f(amax / levels) };
}

export interface WeightMatrix {
  readonly rows: number; // N, one per output
  readonly columns: number; // K
  readonly q: Int16Array; // (N, K)
  readonly scales: Float32Array; // (N)
  readonly levels: number; // Q, for the activations
}

/** W (N, K), row-major. SPEC §7.2 */
export function quantiseMatrix(w: Float32Array, rows: number, columns: number): WeightMatrix {
  const q = new Int16Array(rows * columns);
  const scales = new Float32Array(rows);
  let largest = 0;
  for (let n = 0; n < rows; n++) {
    const row = quantiseRow(w.subarray(n * columns, (n + 1) * columns), 2047);
    q.set(row.q, n * columns);
    scales[n] = row.scale;
    largest = Math.max(
      largest,
      row.q.reduce((sum, value) => sum + Math.abs(value), 0),
    );
  }
  const levels = largest === 0 ? 32767 : Math.min(32767, Math.floor(I32_MAX / largest));
  if (levels < 1023) throw new TooFewLevels(`expected at least 1023 levels, got ${levels}`);
  return { rows, columns, q, scales, levels };
}

/** Σ a[aAt + i] · b[bAt + i] over n, exact; refuses a sum outside of i32, which the levels make impossible. */
export function dot(a: Int16Array, aAt: number, b: Int16Array, bAt: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[aAt + i]! * b[bAt + i]!;
  if (sum !== (sum | 0)) throw new RangeError(`expected a sum in i32, got ${sum}`);
  return sum;
}

/** a (M, K) · w (N, K)ᵀ -> (M, N). SPEC §7.3 */
export function matmul(a: Int16Array, w: Int16Array, M: number, K: number, N: number): Int32Array {
  const out = new Int32Array(M * N);
  for (let m = 0; m < M; m++) {
    for (let n = 0; n < N; n++) out[m * N + n] = dot(a, m * K, w, n * K, K);
  }
  return out;
}

/** x (M, K) -> (M, N): each row quantised with the matrix's levels, the exact product, scales and bias. SPEC §7.4 */
export function linear(x: Float32Array, w: WeightMatrix, bias: Float32Array): Float32Array {
  const { rows: N, columns: K } = w;
  const M = x.length / K;
  const out = new Float32Array(M * N);
  for (let m = 0; m < M; m++) {
    const { q: a, scale } = quantiseRow(x.subarray(m * K, (m + 1) * K), w.levels);
    for (let n = 0; n < N; n++) {
      const acc = f(dot(a, 0, w.q, n * K, K));
      out[m * N + n] = f(f(acc * f(scale * w.scales[n]!)) + bias[n]!);
    }
  }
  return out;
}

/** x (n) -> (n). SPEC §7.5 */
export function layerNorm(
  x: Float32Array,
  gamma: Float32Array,
  beta: Float32Array,
  eps: number,
): Float32Array {
  const n = x.length;
  const mean = f(sum4(x) / n);
  const d = x.map((value) => f(value - mean));
  const variance = f(sum4(d.map((value) => f(value * value))) / n);
  const r = f(1 / f(Math.sqrt(f(variance + eps))));
  return d.map((value, i) => f(f(f(value * r) * gamma[i]!) + beta[i]!));
}

/** L of SPEC §7.6: the largest integer with n·L² ≤ 2^31 − 1, at most 32767. */
export function probabilityLevels(n: number): number {
  let levels = 32767;
  while (n * levels * levels > I32_MAX) levels--;
  return levels;
}

export interface Probabilities {
  readonly p: Int16Array; // (n), 0 … L
  readonly sum: number; // P
}

/** scores (n) -> integers p with their exact sum. SPEC §7.6 */
export function softmax(scores: Float32Array): Probabilities {
  const levels = probabilityLevels(scores.length);
  let max = Number.NEGATIVE_INFINITY;
  for (const score of scores) max = Math.max(max, score);
  const p = new Int16Array(scores.length);
  let sum = 0;
  for (let j = 0; j < scores.length; j++) {
    p[j] = nearEven(f(exp(f(scores[j]! - max)) * levels));
    sum += p[j]!;
  }
  return { p, sum };
}

/** SPEC §7.7 */
export function gelu(x: number): number {
  return f(f(0.5 * x) * f(1 + erf(f(x * INVERSE_SQRT_2))));
}
