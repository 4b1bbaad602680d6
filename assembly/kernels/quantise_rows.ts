import { NON_FINITE } from "../codes";
import { LEFT_STRIDE, left_row, RIGHT_STRIDE, right_column } from "./panels";
import { gain_of, is_finite, near_f32x4, quantise_row, row_amax, scale_of } from "./quantise";

/**
 * Quantises the rows of x (rows, k), `x_stride` bytes apart, into a left operand; scales (rows). k is a multiple of 8.
 * Returns 0 or NON_FINITE. SPEC §7.1
 */
export function quantise_left(
  left: usize,
  scales: usize,
  x: usize,
  x_stride: i32,
  rows: i32,
  k: i32,
  levels: i32,
): i32 {
  for (let m = 0; m < rows; m += 4) {
    const at = left_row(left, m, k);
    const code = quantise_up_to_four(at, LEFT_STRIDE, scales + (m << 2), x, x_stride, rows - m, k, levels);
    if (code != 0) return code;
    x += x_stride << 2;
  }
  return 0;
}

/** Like quantise_left, but each row becomes a column of a right operand. */
export function quantise_right(
  right: usize,
  scales: usize,
  x: usize,
  x_stride: i32,
  rows: i32,
  k: i32,
  levels: i32,
): i32 {
  for (let m = 0; m < rows; m += 4) {
    const at = right_column(right, m, k);
    const code = quantise_up_to_four(at, RIGHT_STRIDE, scales + (m << 2), x, x_stride, rows - m, k, levels);
    if (code != 0) return code;
    x += x_stride << 2;
  }
  return 0;
}

/** In both operands the pairs of four neighbouring rows (columns) are side by side. */
function quantise_up_to_four(
  out: usize,
  pair_stride: usize,
  scales: usize,
  x: usize,
  x_stride: i32,
  rows: i32,
  k: i32,
  levels: i32,
): i32 {
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      if (rows >= 4) return quantise_four_simd(out, pair_stride, scales, x, x_stride, k, levels);
    }
  }
  for (let r = 0; r < 4 && r < rows; r++) {
    const code = quantise_row(out + (r << 2), pair_stride, scales + (r << 2), x + r * x_stride, k, levels);
    if (code != 0) return code;
  }
  return 0;
}

/** Quantises four rows at once, so that whole vectors are stored instead of lanes: twice as fast, measured. */
function quantise_four_simd(
  out: usize,
  pair_stride: usize,
  scales: usize,
  x: usize,
  x_stride: i32,
  k: i32,
  levels: i32,
): i32 {
  const x1 = x + x_stride;
  const x2 = x1 + x_stride;
  const x3 = x2 + x_stride;
  const amax0 = row_amax(x, k);
  const amax1 = row_amax(x1, k);
  const amax2 = row_amax(x2, k);
  const amax3 = row_amax(x3, k);
  if (!is_finite(amax0) || !is_finite(amax1) || !is_finite(amax2) || !is_finite(amax3)) return NON_FINITE;
  store<real>(scales, scale_of(amax0, levels));
  store<real>(scales, scale_of(amax1, levels), 4);
  store<real>(scales, scale_of(amax2, levels), 8);
  store<real>(scales, scale_of(amax3, levels), 12);
  const gain0 = f32x4.splat(<f32>gain_of(amax0, levels));
  const gain1 = f32x4.splat(<f32>gain_of(amax1, levels));
  const gain2 = f32x4.splat(<f32>gain_of(amax2, levels));
  const gain3 = f32x4.splat(<f32>gain_of(amax3, levels));
  const bytes = (<usize>k) << 2;
  for (let i: usize = 0; i < bytes; i += 32) {
    const q0 = quantise_eight(x + i, gain0);
    const q1 = quantise_eight(x1 + i, gain1);
    const q2 = quantise_eight(x2 + i, gain2);
    const q3 = quantise_eight(x3 + i, gain3);
    // Transposes 4 × 4 pairs.
    const low01 = i32x4.shuffle(q0, q1, 0, 4, 1, 5);
    const low23 = i32x4.shuffle(q2, q3, 0, 4, 1, 5);
    const high01 = i32x4.shuffle(q0, q1, 2, 6, 3, 7);
    const high23 = i32x4.shuffle(q2, q3, 2, 6, 3, 7);
    v128.store(out, i64x2.shuffle(low01, low23, 0, 2));
    v128.store(out + pair_stride, i64x2.shuffle(low01, low23, 1, 3));
    v128.store(out + pair_stride * 2, i64x2.shuffle(high01, high23, 0, 2));
    v128.store(out + pair_stride * 3, i64x2.shuffle(high01, high23, 1, 3));
    out += pair_stride * 4;
  }
  return 0;
}

function quantise_eight(x: usize, gain: v128): v128 {
  const low = near_f32x4(f32x4.mul(v128.load(x), gain));
  const high = near_f32x4(f32x4.mul(v128.load(x, 16), gain));
  return i16x8.narrow_i32x4_s(low, high);
}
