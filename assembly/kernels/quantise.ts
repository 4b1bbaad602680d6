import { div, from_i32, lt, mul, real_from_bits, to_i32_near_even } from "../arith/real";
import { NON_FINITE } from "../codes";

/** 2^-100: below it Q/amax would overflow, so such a row is treated as zero. SPEC §7.1 */
const TINY_BITS: u32 = 0x0d800000;
const INFINITY_BITS: u32 = 0x7f800000;

export function is_finite(amax: real): bool {
  return lt(amax, real_from_bits(INFINITY_BITS));
}

/** Returns div(levels, amax), or 0 if the row is treated as zero. SPEC §7.1 */
export function gain_of(amax: real, levels: i32): real {
  if (lt(amax, real_from_bits(TINY_BITS))) return real_from_bits(0);
  return div(from_i32(levels), amax);
}

/** Returns div(amax, levels), or 0 if the row is treated as zero. SPEC §7.1 */
export function scale_of(amax: real, levels: i32): real {
  if (lt(amax, real_from_bits(TINY_BITS))) return real_from_bits(0);
  return div(amax, from_i32(levels));
}

/**
 * out (n) i16, scale (1) = x (n), with |out| ≤ levels. Returns 0 or NON_FINITE. SPEC §7.1
 * The pairs of out are `pair_stride` bytes apart: 4 for a plain row, else as panels.ts lays out operands.
 */
export function quantise_row(
  out: usize,
  pair_stride: usize,
  scale: usize,
  x: usize,
  n: i32,
  levels: i32,
): i32 {
  const amax = row_amax(x, n);
  if (!is_finite(amax)) return NON_FINITE;
  store<real>(scale, scale_of(amax, levels));
  const gain = gain_of(amax, levels);
  let i = 0;
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      const gains = f32x4.splat(<f32>gain);
      for (; i + 8 <= n; i += 8) {
        const low = near_f32x4(f32x4.mul(v128.load(x + (i << 2)), gains));
        const high = near_f32x4(f32x4.mul(v128.load(x + (i << 2), 16), gains));
        const q = i16x8.narrow_i32x4_s(low, high);
        v128.store32_lane(out, q, 0);
        v128.store32_lane(out + pair_stride, q, 1);
        v128.store32_lane(out + pair_stride * 2, q, 2);
        v128.store32_lane(out + pair_stride * 3, q, 3);
        out += pair_stride * 4;
      }
    }
  }
  for (; i + 2 <= n; i += 2) {
    store<i16>(out, <i16>to_i32_near_even(mul(load<real>(x + (i << 2)), gain)));
    store<i16>(out, <i16>to_i32_near_even(mul(load<real>(x + (i << 2), 4), gain)), 2);
    out += pair_stride;
  }
  if (i < n) store<i16>(out, <i16>to_i32_near_even(mul(load<real>(x + (i << 2)), gain)));
  return 0;
}

/**
 * Returns max |xᵢ| from +0; NaN if any element is NaN. Uses integers in every build: without the sign bit, binary32
 * values are ordered like their bits, with NaN above infinity. (f32x4.max is six instructions on x64, to get NaN and −0
 * right.)
 */
export function row_amax(x: usize, n: i32): real {
  let amax: u32 = 0;
  let i = 0;
  if (ASC_FEATURE_SIMD) {
    const magnitude = i32x4.splat(0x7fffffff);
    let lanes = i32x4.splat(0);
    for (; i + 4 <= n; i += 4) lanes = i32x4.max_u(lanes, v128.and(v128.load(x + (i << 2)), magnitude));
    amax = max<u32>(
      max<u32>(i32x4.extract_lane(lanes, 0), i32x4.extract_lane(lanes, 1)),
      max<u32>(i32x4.extract_lane(lanes, 2), i32x4.extract_lane(lanes, 3)),
    );
  }
  for (; i < n; i++) amax = max<u32>(amax, load<u32>(x + (i << 2)) & 0x7fffffff);
  return real_from_bits(amax);
}

/** near() of four lanes: round half to even, then convert with saturation. Used in float builds only. */
export function near_f32x4(x: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(x));
}
