import { mul, to_i32_near_even } from "../arith/real";
import { NON_FINITE } from "../codes";
import { right_column } from "./panels";
import { gain_of, is_finite, near_f32x4, scale_of } from "./quantise";

/**
 * Quantises each column of x (rows, n) separately (SPEC §7.1), into the right operand out (rows rounded up to even, n).
 * The rows of x are `x_stride` bytes apart; amax (n) is scratch, scales (n) is a result; n is a multiple of 8. Returns
 * 0 or NON_FINITE.
 */
export function quantise_columns(
  out: usize,
  scales: usize,
  amax: usize,
  x: usize,
  x_stride: i32,
  rows: i32,
  n: i32,
  levels: i32,
): i32 {
  column_amax(amax, x, x_stride, rows, n);
  for (let c = 0; c < n; c++) {
    const largest = load<real>(amax + (c << 2));
    if (!is_finite(largest)) return NON_FINITE;
    store<real>(scales + (c << 2), scale_of(largest, levels));
    store<real>(amax + (c << 2), gain_of(largest, levels));
  }
  const k = (rows + 1) & ~1;
  for (let t = 0; t < rows; t += 2) {
    const first = x + t * x_stride;
    if (t + 1 < rows)
      quantise_row_pair(right_column(out, 0, k) + (t << 4), k, first, first + x_stride, amax, n);
    else quantise_last_row(right_column(out, 0, k) + (t << 4), k, first, amax, n);
  }
  return 0;
}

/** Like row_amax, for each of n columns. */
function column_amax(amax: usize, x: usize, x_stride: i32, rows: i32, n: i32): void {
  const bytes = (<usize>n) << 2;
  memory.fill(amax, 0, bytes);
  for (let t = 0; t < rows; t++) {
    let i: usize = 0;
    if (ASC_FEATURE_SIMD) {
      const magnitude = i32x4.splat(0x7fffffff);
      for (; i + 16 <= bytes; i += 16) {
        v128.store(amax + i, i32x4.max_u(v128.load(amax + i), v128.and(v128.load(x + i), magnitude)));
      }
    }
    for (; i < bytes; i += 4)
      store<u32>(amax + i, max<u32>(load<u32>(amax + i), load<u32>(x + i) & 0x7fffffff));
    x += x_stride;
  }
}

/** Combines two rows into one line of pairs in each panel: channel c's pair is (first[c], second[c]). */
function quantise_row_pair(out: usize, k: i32, first: usize, second: usize, gains: usize, n: i32): void {
  for (let c = 0; c < n; c += 8) {
    if (isFloat<real>()) {
      if (ASC_FEATURE_SIMD) {
        const gain0 = v128.load(gains);
        const gain4 = v128.load(gains, 16);
        const a = i16x8.narrow_i32x4_s(
          near_f32x4(f32x4.mul(v128.load(first), gain0)),
          near_f32x4(f32x4.mul(v128.load(first, 16), gain4)),
        );
        const b = i16x8.narrow_i32x4_s(
          near_f32x4(f32x4.mul(v128.load(second), gain0)),
          near_f32x4(f32x4.mul(v128.load(second, 16), gain4)),
        );
        v128.store(out, i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
        v128.store(out, i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15), 16);
      } else quantise_pairs_plain(out, first, second, gains);
    } else quantise_pairs_plain(out, first, second, gains);
    out += k << 4;
    first += 32;
    second += 32;
    gains += 32;
  }
}

function quantise_pairs_plain(out: usize, first: usize, second: usize, gains: usize): void {
  for (let i = 0; i < 32; i += 4) {
    const gain = load<real>(gains + i);
    store<i16>(out + i, <i16>to_i32_near_even(mul(load<real>(first + i), gain)));
    store<i16>(out + i, <i16>to_i32_near_even(mul(load<real>(second + i), gain)), 2);
  }
}

/** Quantises the last of an odd number of rows: its partner is zero. */
function quantise_last_row(out: usize, k: i32, row: usize, gains: usize, n: i32): void {
  for (let c = 0; c < n; c++) {
    const at = out + (c >> 3) * (k << 4) + ((c & 7) << 2);
    const value = mul(load<real>(row + (c << 2)), load<real>(gains + (c << 2)));
    store<i16>(at, <i16>to_i32_near_even(value));
    store<i16>(at, 0, 2);
  }
}
