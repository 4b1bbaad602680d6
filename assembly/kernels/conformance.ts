/** Individual kernels on arrays in memory, for vectors and tests. Scratch is allocated above the mark and released. */
import { max, real_from_bits } from "../arith/real";
import { NO_MEMORY } from "../codes";
import { alloc, failed_allocs, memory_mark, memory_release } from "../memory";
import { gelu_row } from "./gelu";
import { layernorm_row } from "./layernorm";
import { LINEAR_BYTES, linear_check_levels, linear_create, linear_levels, linear_set_row } from "./linear";
import { matmul_i16_i32 } from "./matmul";
import { LEFT_STRIDE, left_bytes, left_row, RIGHT_STRIDE, right_bytes, right_column } from "./panels";
import { quantise_row } from "./quantise";
import { probability_levels, softmax_row } from "./softmax";

/** out (n) i16, scale (1) from x (n). Returns 0 or NON_FINITE. SPEC §7.1 */
export function kernel_quantise_row(out: usize, scale: usize, x: usize, n: i32, levels: i32): i32 {
  return quantise_row(out, 4, scale, x, n, levels);
}

/** q (n, k) i16 and scales (n) from w (n, k). Returns Q, or NON_FINITE, LEVELS_TOO_FEW, NO_MEMORY. SPEC §7.2 */
export function kernel_weight_levels(q: usize, scales: usize, w: usize, n: i32, k: i32): i32 {
  const mark = memory_mark();
  const linear = alloc(LINEAR_BYTES);
  let code = linear == 0 ? NO_MEMORY : linear_create(linear, n, k);
  for (let row = 0; row < n && code == 0; row++) {
    code = linear_set_row(linear, row, w + row * (k << 2));
    const column = right_column(load<usize>(linear), row, k);
    for (let i = 0; i < k; i += 2) {
      store<u32>(q + ((row * k + i) << 1), load<u32>(column + (i >> 1) * RIGHT_STRIDE));
    }
  }
  if (code == 0) code = linear_check_levels(linear);
  if (code == 0) {
    memory.copy(scales, load<usize>(linear, 4), (<usize>n) << 2);
    code = linear_levels(linear);
  }
  memory_release(mark);
  return code;
}

/** out (rows, n) i32 = a (rows, k) i16 · w (n, k) i16, all row-major; k even, n a multiple of 8. SPEC §7.3 */
export function kernel_matmul(out: usize, a: usize, w: usize, rows: i32, k: i32, n: i32): i32 {
  const mark = memory_mark();
  const failed = failed_allocs;
  const left = alloc(left_bytes(rows, k));
  const right = alloc(right_bytes(k, n));
  const sums = alloc(left_bytes(rows, n) << 1);
  if (failed_allocs != failed) {
    memory_release(mark);
    return NO_MEMORY;
  }
  for (let m = 0; m < rows; m++) {
    spread(left_row(left, m, k), LEFT_STRIDE, a + m * (k << 1), k);
  }
  for (let c = 0; c < n; c++) spread(right_column(right, c, k), RIGHT_STRIDE, w + c * (k << 1), k);
  matmul_i16_i32(sums, n << 2, left, right, rows, k, n);
  memory.copy(out, sums, rows * (n << 2));
  memory_release(mark);
  return 0;
}

/** Runs the product alone, on operands laid out as in panels.ts, for benchmarks. */
export function kernel_matmul_panels(out: usize, left: usize, right: usize, rows: i32, k: i32, n: i32): void {
  matmul_i16_i32(out, n << 2, left, right, rows, k, n);
}

/** SPEC §7.5 */
export function kernel_layernorm(
  out: usize,
  x: usize,
  gamma: usize,
  beta: usize,
  n: i32,
  eps_bits: u32,
): void {
  layernorm_row(out, x, gamma, beta, n, real_from_bits(eps_bits));
}

/** out (n, rounded up to even) i16 from scores (n). Returns the sum P. SPEC §7.6 */
export function kernel_softmax(out: usize, scores: usize, n: i32): i32 {
  let largest = load<real>(scores);
  for (let j = 1; j < n; j++) largest = max(largest, load<real>(scores + (j << 2)));
  return softmax_row(out, 4, scores, largest, n, probability_levels(n));
}

/** SPEC §7.7 */
export function kernel_gelu(out: usize, x: usize, n: i32): void {
  gelu_row(out, x, n);
}

function spread(out: usize, pair_stride: usize, row: usize, k: i32): void {
  for (let i = 0; i < k; i += 2) {
    store<u32>(out, load<u32>(row + (i << 1)));
    out += pair_stride;
  }
}
