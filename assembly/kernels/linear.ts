import { LEVELS_TOO_FEW, NO_MEMORY } from "../codes";
import { alloc, failed_allocs } from "../memory";
import { dequantise_row } from "./dequantise";
import { matmul_i16_i32 } from "./matmul";
import { RIGHT_STRIDE, right_bytes, right_column } from "./panels";
import { quantise_row } from "./quantise";
import { quantise_left } from "./quantise_rows";

/**
 * A linear layer in memory, quantised once at load. SPEC §7.2
 *
 *     ┌ 0 ─────┬ 4 ──────────┬ 8 ────────┬ 12 ┬ 16 ┬ 20 ───────┬ 24 ────────────┐
 *     │ panels │ scales (n)  │ bias (n)  │ k  │ n  │ levels Q  │ largest Σ|w|   │
 *     │ → i16  │ → real      │ → real    │    │    │           │ of a row       │
 *     └────────┴─────────────┴───────────┴────┴────┴───────────┴────────────────┘
 */
export const LINEAR_BYTES: usize = 28;
const WEIGHT_LEVELS: i32 = 2047;
const LEAST_ACTIVATION_LEVELS: i32 = 1023;

/** Allocates memory for a layer of n outputs and k inputs. Returns 0 or NO_MEMORY. */
export function linear_create(linear: usize, n: i32, k: i32): i32 {
  const failed = failed_allocs;
  const panels = alloc(right_bytes(k, n));
  const scales = alloc((<usize>n) << 2);
  const bias = alloc((<usize>n) << 2);
  if (failed_allocs != failed) return NO_MEMORY;
  store<usize>(linear, panels);
  store<usize>(linear, scales, 4);
  store<usize>(linear, bias, 8);
  store<i32>(linear, k, 12);
  store<i32>(linear, n, 16);
  store<i32>(linear, 32767, 20);
  store<i32>(linear, 0, 24);
  return 0;
}

export function linear_bias(linear: usize): usize {
  return load<usize>(linear, 8);
}

export function linear_inputs(linear: usize): i32 {
  return load<i32>(linear, 12);
}

export function linear_outputs(linear: usize): i32 {
  return load<i32>(linear, 16);
}

export function linear_levels(linear: usize): i32 {
  return load<i32>(linear, 20);
}

/** Quantises row (k) of binary32 weights as output n. Returns 0 or NON_FINITE. SPEC §7.2 */
export function linear_set_row(linear: usize, n: i32, row: usize): i32 {
  const k = linear_inputs(linear);
  const column = right_column(load<usize>(linear), n, k);
  const scale = load<usize>(linear, 4) + ((<usize>n) << 2);
  const code = quantise_row(column, RIGHT_STRIDE, scale, row, k, WEIGHT_LEVELS);
  if (code != 0) return code;
  let magnitude = 0; // at most 32768 · 2047: within i32
  for (let i = 0; i < k; i += 2) {
    const pair = column + (i >> 1) * RIGHT_STRIDE;
    const first = <i32>load<i16>(pair);
    const second = <i32>load<i16>(pair, 2);
    magnitude += (first < 0 ? -first : first) + (second < 0 ? -second : second);
  }
  if (magnitude > load<i32>(linear, 24)) {
    store<i32>(linear, magnitude, 24);
    const levels = 0x7fffffff / magnitude;
    store<i32>(linear, min<i32>(levels, 32767), 20);
  }
  return 0;
}

/** Returns 0, or LEVELS_TOO_FEW. Called after all rows are set: a NaN in any of them is reported first. SPEC §7.2 */
export function linear_check_levels(linear: usize): i32 {
  return linear_levels(linear) < LEAST_ACTIVATION_LEVELS ? LEVELS_TOO_FEW : 0;
}

/**
 * out (rows, n) = Linear(x (rows, k)). SPEC §7.4
 * left has space for the quantised rows, row_scales for `rows` scales, out for rows rounded up to 4. Returns 0 or
 * NON_FINITE.
 */
export function linear_forward(
  out: usize,
  x: usize,
  rows: i32,
  linear: usize,
  left: usize,
  row_scales: usize,
): i32 {
  const k = linear_inputs(linear);
  const n = linear_outputs(linear);
  const levels = linear_levels(linear);
  const code = quantise_left(left, row_scales, x, k << 2, rows, k, levels);
  if (code != 0) return code;
  matmul_i16_i32(out, n << 2, left, load<usize>(linear), rows, k, n);
  for (let m = 0; m < rows; m++) {
    const row = out + m * (n << 2);
    dequantise_row(
      row,
      row,
      load<real>(row_scales + (m << 2)),
      load<usize>(linear, 4),
      linear_bias(linear),
      n,
    );
  }
  return 0;
}
