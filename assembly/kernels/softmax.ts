import { exp } from "../arith/exp";
import { exp_normal_f32x4 } from "../arith/exp_f32x4";
import { abs, from_i32, max, mul, real_from_bits, sub, to_i32_near_even } from "../arith/real";
import { is_finite, near_f32x4 } from "./quantise";

/** Returns the largest L ≤ 32767 with n·L² ≤ 2³¹ − 1: both operands of the value product have L levels. SPEC §7.6 */
export function probability_levels(n: i32): i32 {
  let low = 1;
  let high = 32767;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (<i64>n * <i64>middle * <i64>middle <= 0x7fffffff) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * scores (n) = mul(f32(acc (n)), mul(row_scale, scales (n))), in place over acc. Returns their maximum. SPEC §8.4
 */
export function scores_row(acc: usize, row_scale: real, scales: usize, n: i32): real {
  const bytes = (<usize>n) << 2;
  let largest = real_from_bits(0xff800000); // −infinity
  let i: usize = 0;
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      const row = f32x4.splat(<f32>row_scale);
      let lanes = f32x4.splat(<f32>largest);
      // pmax is one instruction on x64 where max is seven, but it loses NaN, so NaN is checked separately.
      let not_a_number = i32x4.splat(0);
      for (; i + 16 <= bytes; i += 16) {
        const scale = f32x4.mul(row, v128.load(scales + i));
        const score = f32x4.mul(f32x4.convert_i32x4_s(v128.load(acc + i)), scale);
        v128.store(acc + i, score);
        lanes = f32x4.pmax(lanes, score);
        not_a_number = v128.or(not_a_number, f32x4.ne(score, score));
      }
      if (v128.any_true(not_a_number)) lanes = i32x4.splat(0x7fc00000);
      largest = max(
        max(<real>f32x4.extract_lane(lanes, 0), <real>f32x4.extract_lane(lanes, 1)),
        max(<real>f32x4.extract_lane(lanes, 2), <real>f32x4.extract_lane(lanes, 3)),
      );
    }
  }
  for (; i < bytes; i += 4) {
    const score = mul(from_i32(load<i32>(acc + i)), mul(row_scale, load<real>(scales + i)));
    store<real>(acc + i, score);
    largest = max(largest, score);
  }
  return largest;
}

/**
 * out (n) i16 = near(mul(exp(sub(score, largest)), L)), its pairs `pair_stride` bytes apart; if n is odd, the last pair
 * ends in 0. Returns Σ out. SPEC §7.6
 */
export function softmax_row(
  out: usize,
  pair_stride: usize,
  scores: usize,
  largest: real,
  n: i32,
  levels: i32,
): i32 {
  const level = from_i32(levels);
  let total = 0;
  let j = 0;
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      // If the maximum is finite, no score is NaN, so the simpler exp suffices: under −87 both give p = 0. Otherwise
      // the plain loop processes the whole row.
      const whole = is_finite(abs(largest)) ? n : 0;
      const most = f32x4.splat(<f32>largest);
      const least = f32x4.splat(-87);
      const level4 = f32x4.splat(<f32>level);
      let totals = i32x4.splat(0);
      for (; j + 4 <= whole; j += 4) {
        const e = exp_normal_f32x4(f32x4.pmax(f32x4.sub(v128.load(scores + (j << 2)), most), least));
        const p = near_f32x4(f32x4.mul(e, level4));
        totals = i32x4.add(totals, p);
        const pairs = i16x8.narrow_i32x4_s(p, p);
        v128.store32_lane(out, pairs, 0);
        v128.store32_lane(out + pair_stride, pairs, 1);
        out += pair_stride * 2;
      }
      total =
        i32x4.extract_lane(totals, 0) +
        i32x4.extract_lane(totals, 1) +
        i32x4.extract_lane(totals, 2) +
        i32x4.extract_lane(totals, 3);
    }
  }
  for (; j < n; j += 2) {
    const first = probability(load<real>(scores + (j << 2)), largest, level);
    let second = 0;
    if (j + 1 < n) second = probability(load<real>(scores + (j << 2), 4), largest, level);
    store<i16>(out, <i16>first);
    store<i16>(out, <i16>second, 2);
    total += first + second;
    out += pair_stride;
  }
  return total;
}

function probability(score: real, largest: real, level: real): i32 {
  return to_i32_near_even(mul(exp(sub(score, largest)), level));
}
