import { bitsOf } from "./arith.ts";
import { drawBits, drawRow } from "./draws.ts";
import { hexOfF32, hexOfI16, hexOfI32 } from "./hex.ts";
import * as kernels from "./kernels.ts";
import { splitmix32 } from "./prng.ts";

const F32_MAX = 2 ** 128 - 2 ** 104;
const SMALLEST = 2 ** -149;
const EPS = Math.fround(1e-12);
const hex = (value: number): string => bitsOf(value).toString(16).padStart(8, "0");
const row = (...values: number[]): Float32Array => Float32Array.from(values);
const repeat = (value: number, times: number): number[] => new Array(times).fill(value);

/** SPEC §7 */
export function generate() {
  return {
    _comment:
      "The kernels of the forward pass on rows. Arrays are hex: 8 digits for each binary32 (its bits) or i32, 4 for each i16, two's complement; `group*n` is a group that stands n times, groups are separated by a space.",
    spec: "SPEC §7",
    parameters: { gelu_c: "3f3504f3", zeroRow: hex(2 ** -100), weightLevels: 2047, smallestLevels: 1023 },
    cases: [
      ...quantiseCases(),
      ...weightsCases(),
      ...matmulCases(),
      ...layerNormCases(),
      ...softmaxCases(),
      ...geluCases(),
    ],
    invalid: invalidCases(),
  };
}

/** SPEC §7.1 */
function quantiseCases() {
  const quantise = (name: string, levels: number, x: Float32Array) => {
    const { q, scale } = kernels.quantiseRow(x, levels);
    return { kernel: "quantise", name, levels, x: hexOfF32(x), q: hexOfI16(q), scale: hex(scale) };
  };
  const halves = [0.5, 1.5, 2.5, 3.5, 0.49999997, 1.4999999, 2.5000002, 1022.5, 2046.5, 2045.5];
  const ties = [...halves, ...halves.map((x) => -x)];
  return [
    quantise("one element", 2047, row(-0.3)),
    quantise("one zero", 2047, row(0)),
    quantise("zero row, both signs", 32767, row(0, -0, 0, -0, 0, 0, -0)),
    quantise(
      "amax is the last value under 2^-100",
      2047,
      row(2 ** -101, 2 ** -100 - 2 ** -124, -(2 ** -102)),
    ),
    quantise("amax is 2^-100", 32767, row(2 ** -100, -(2 ** -101), 2 ** -117, 2 ** -149)),
    quantise("amax is -2^-100", 2047, row(2 ** -101, -(2 ** -100), 0)),
    quantise("subnormals alone", 2047, row(SMALLEST, -SMALLEST, 2 ** -127, 2 ** -126 - SMALLEST)),
    quantise("subnormals beside 1", 2047, row(SMALLEST, 1, -(2 ** -127), 2 ** -126)),
    quantise("largest binary32", 32767, row(F32_MAX, -F32_MAX, F32_MAX / 3, 1, -0)),
    quantise("largest binary32, one level: the gain is subnormal", 1, row(F32_MAX, -F32_MAX, F32_MAX / 2)),
    quantise("ties to even, gain 1", 2047, row(2047, ...ties)),
    quantise("ties to even, gain 1/2", 2047, row(-4094, ...ties.map((x) => 2 * x))),
    quantise("ties to even, gain 16", 32752, row(2047, ...ties.map((x) => x / 16))),
    quantise("one level", 1, row(0.5, 0.50000006, -0.5, -0.50000006, 1, -1, 0.25)),
    quantise("all equal to amax", 9430, row(...repeat(0.1, 9))),
    quantise("a spike", 2582, row(1000, ...drawRow(38, 11, 1))),
    quantise("any bits", 32767, drawBits(61, 12)),
    quantise("any bits under 2^3", 8191, drawBits(64, 13, 130)),
    ...[1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100].map((n) =>
      quantise(`${n} values`, [2047, 32767, 8336, 1023][n % 4]!, drawRow(n, 100 + n, 0.5)),
    ),
    quantise("384 values", 8336, drawRow(384, 14, 0.7)),
  ];
}

/** SPEC §7.2 */
function weightsCases() {
  const weights = (name: string, rows: number, columns: number, w: Float32Array) => {
    const { q, scales, levels } = kernels.quantiseMatrix(w, rows, columns);
    return {
      kernel: "weights",
      name,
      rows,
      columns,
      w: hexOfF32(w),
      q: hexOfI16(q),
      scales: hexOfF32(scales),
      levels,
    };
  };
  const someZero = drawRow(8 * 32, 22, 0.1)
    .fill(0, 32, 64)
    .fill(-0, 96, 128);
  return [
    weights("all zero", 8, 16, new Float32Array(8 * 16)),
    weights("all under 2^-100", 8, 8, new Float32Array(8 * 8).fill(-(2 ** -101))),
    weights("random", 8, 32, drawRow(8 * 32, 21, 0.1)),
    weights("two zero rows", 8, 32, someZero),
    weights("rows of very different size", 16, 24, scaledRows(16, 24)),
    weights("every weight at its row's amax", 8, 64, new Float32Array(8 * 64).fill(-0.25)),
    weights("levels just under the cap", 8, 40, full(8, 40, 33)),
    weights("the fewest levels allowed, 1023", 8, 1032, full(8, 1032, 1025)),
    weights("random, 24 x 384", 24, 384, drawRow(24 * 384, 23, 0.05)),
  ];
}

function scaledRows(rows: number, columns: number): Float32Array {
  return drawRow(rows * columns, 24, 1).map((value, i) => value * 2 ** (8 * (Math.floor(i / columns) - 8)));
}

/** One row has `ones` ones and then zeros, the others are zero. */
function full(rows: number, columns: number, ones: number): Float32Array {
  return new Float32Array(rows * columns).fill(1, 3 * columns, 3 * columns + ones);
}

/** SPEC §7.3 */
function matmulCases() {
  const matmul = (name: string, rows: number, K: number, N: number, a: Int16Array, w: Int16Array) => ({
    kernel: "matmul",
    name,
    rows,
    K,
    N,
    a: hexOfI16(a),
    w: hexOfI16(w),
    acc: hexOfI32(kernels.matmul(a, w, rows, K, N)),
  });
  const draw = (length: number, levels: number, seed: number): Int16Array => {
    const next = splitmix32(seed);
    return Int16Array.from({ length }, () => (next() % (2 * levels + 1)) - levels);
  };
  const random = (rows: number, K: number, N: number, levels: number) =>
    matmul(
      `random ${rows} x ${K} x ${N}`,
      rows,
      K,
      N,
      draw(rows * K, levels, 31 + K),
      draw(N * K, 2047, 32 + N),
    );
  // Σ|w| is the most that these levels allow, so that the sums are 2^31 − 2 and its negative.
  const bound = (K: number, levels: number) => {
    const most = Math.floor((2 ** 31 - 1) / levels);
    const w = new Int16Array(8 * K);
    for (let n = 0; n < 8; n++) {
      for (let k = 0, left = most; left > 0; left -= 2047, k++) {
        w[n * K + k] = Math.min(2047, left) * (n % 2 === 0 ? 1 : -1);
      }
    }
    const a = new Int16Array(2 * K).fill(levels, 0, K).fill(-levels, K);
    return matmul(`the bound of ${levels} levels`, 2, K, 8, a, w);
  };
  return [
    random(1, 2, 8, 32767),
    random(1, 32, 8, 32767),
    random(2, 34, 16, 20000),
    random(3, 64, 8, 16000),
    random(4, 16, 24, 32767),
    random(5, 48, 40, 20000),
    random(7, 96, 8, 10000),
    random(9, 8, 8, 32767),
    random(1, 384, 8, 2731),
    matmul("zeros", 1, 16, 8, new Int16Array(16), draw(128, 2047, 39)),
    bound(34, 32767),
    bound(1026, 1023),
    bound(256, 4107),
  ];
}

/** SPEC §7.5 */
function layerNormCases() {
  const layerNorm = (name: string, x: Float32Array, seed: number, eps = EPS) => {
    const gamma = drawRow(x.length, seed, 0.2).map((value) => value + 1);
    const beta = drawRow(x.length, seed + 1, 0.2);
    return {
      kernel: "layernorm",
      name,
      eps: hex(eps),
      x: hexOfF32(x),
      gamma: hexOfF32(gamma),
      beta: hexOfF32(beta),
      out: hexOfF32(kernels.layerNorm(x, gamma, beta, eps)),
    };
  };
  return [
    layerNorm("8 values", drawRow(8, 41, 1), 42),
    layerNorm("zeros", new Float32Array(16), 43),
    layerNorm("all equal, the mean is not exact", new Float32Array(24).fill(0.1), 44),
    layerNorm(
      "alternating",
      new Float32Array(32).map((_, i) => (i % 2 ? -3 : 3)),
      45,
    ),
    layerNorm("a spike", row(1e6, ...drawRow(31, 46, 1)), 47),
    layerNorm("subnormals", drawRow(16, 48, 2 ** -130), 49),
    layerNorm("squares that underflow", drawRow(16, 50, 2 ** -80), 51),
    layerNorm("large, finite squares", drawRow(16, 52, 2 ** 55), 53),
    layerNorm("squares that overflow: 1/√∞ is 0", drawRow(16, 54, 2 ** 70), 55),
    layerNorm(
      "cancelling",
      new Float32Array(32).map((_, i) => 1000 + (i % 5) * 2 ** -14),
      56,
    ),
    layerNorm("eps 1e-5", drawRow(40, 57, 0.001), 58, Math.fround(1e-5)),
    layerNorm("64 values", drawRow(64, 59, 0.3), 60),
    layerNorm("384 values", drawRow(384, 61, 0.5), 62),
  ];
}

/** SPEC §7.6 */
function softmaxCases() {
  const softmax = (name: string, scores: Float32Array) => {
    const { p, sum } = kernels.softmax(scores);
    return {
      kernel: "softmax",
      name,
      scores: hexOfF32(scores),
      levels: kernels.probabilityLevels(scores.length),
      p: hexOfI16(p),
      sum,
    };
  };
  const steps = (n: number, step: number): Float32Array =>
    Float32Array.from({ length: n }, (_, j) => -j * step);
  return [
    softmax("one score", row(-7.25)),
    softmax("two equal", row(0.5, 0.5)),
    softmax("two, 2^31 − 1 is not 2·L²", row(-1, 1)),
    softmax("both zeros", row(0, -0, -0, 0, 0)),
    softmax("64 equal", new Float32Array(64).fill(-3.75)),
    softmax("the first is far ahead", row(200, 0, 1, 2, 3, -200)),
    softmax("probabilities around one half of a level", steps(64, 0.17)),
    softmax("steps of 1", steps(32, 1)),
    softmax("exp is subnormal", row(0, -87.5, -95, -103, -103.97, -104, -105, -1000)),
    softmax("a difference that overflows", row(F32_MAX, -F32_MAX, F32_MAX, 0)),
    softmax("subnormal scores", drawBits(17, 71, 0)),
    softmax("any bits", drawBits(40, 72)),
    ...[3, 4, 5, 7, 8, 9, 16, 33, 63].map((n) => softmax(`${n} scores`, drawRow(n, 700 + n, 3))),
    softmax("256 scores", drawRow(256, 73, 4)),
    softmax("512 scores", drawRow(512, 74, 2)),
  ];
}

/** SPEC §7.7 */
function geluCases() {
  const gelu = (name: string, x: Float32Array) => ({
    kernel: "gelu",
    name,
    x: hexOfF32(x),
    out: hexOfF32(x.map(kernels.gelu)),
  });
  const both = (...values: number[]): Float32Array => row(...values, ...values.map((x) => -x));
  return [
    gelu("zeros", both(0, 0, 0, 0)),
    gelu(
      "tiny",
      both(SMALLEST, 2 * SMALLEST, 3 * SMALLEST, 2 ** -127, 2 ** -126, 2 ** -100, 2 ** -30, 2 ** -12),
    ),
    gelu(
      "where erf changes its formula",
      both(1.3258251, 1.3258252, 1.3258253, 1.325824, 5.568, 5.5684, 5.5685, 5.57),
    ),
    gelu("where 1 + erf is 0 or 2", both(4, 4.5, 5, 5.25, 5.5, 5.75, 6, 6.5)),
    gelu("large", both(10, 88, 1e10, 1e30, F32_MAX / 4, F32_MAX / 2, F32_MAX, 12.5)),
    gelu(
      "a grid of 1/32",
      Float32Array.from({ length: 384 }, (_, i) => (i - 192) / 32),
    ),
    gelu("random", drawRow(256, 81, 1)),
    gelu("any bits under 2^3", drawBits(128, 82, 129)),
  ];
}

function invalidCases() {
  const quantise = (name: string, x: Float32Array) => ({
    kernel: "quantise",
    name,
    levels: 2047,
    x: hexOfF32(x),
    error: refusal(() => kernels.quantiseRow(x, 2047)),
  });
  const weights = (name: string, rows: number, columns: number, w: Float32Array) => ({
    kernel: "weights",
    name,
    rows,
    columns,
    w: hexOfF32(w),
    error: refusal(() => kernels.quantiseMatrix(w, rows, columns)),
  });
  const at = (index: number, value: number): Float32Array => {
    const x = drawRow(21, 91, 1);
    x[index] = value;
    return x;
  };
  const badWeight = (value: number): Float32Array => {
    const w = drawRow(8 * 16, 92, 1);
    w[77] = value;
    return w;
  };
  const lateWeight = (value: number): Float32Array => {
    const w = full(8, 1032, 1026);
    w[w.length - 1] = value;
    return w;
  };
  const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
  return [
    quantise("NaN first", at(0, nan)),
    quantise("NaN last", at(20, nan)),
    quantise("NaN before infinity", at(7, nan).fill(infinity, 12, 13)),
    quantise("infinity", at(3, infinity)),
    quantise("minus infinity in the last place", at(20, -infinity)),
    quantise("NaN among zeros", row(0, 0, nan)),
    quantise("one NaN", row(nan)),
    weights("NaN", 8, 16, badWeight(nan)),
    weights("minus infinity", 8, 16, badWeight(-infinity)),
    weights("1022 levels", 8, 1032, full(8, 1032, 1026)),
    weights("a row of 2048 at amax", 8, 2048, full(8, 2048, 2048)),
    weights("a row that leaves 1022 levels, and a later NaN", 8, 1032, lateWeight(nan)),
  ];
}

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof kernels.NonFinite) return "NON_FINITE";
    if (error instanceof kernels.TooFewLevels) return "LEVELS_TOO_FEW";
    throw error;
  }
  throw new Error("expected a refusal, got a result");
}
