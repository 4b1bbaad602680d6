import { begin, draw_reals, mix, mix_halves, mix_words, next, result } from "../arith/self_test_words";
import { NO_MEMORY } from "../codes";
import { alloc, failed_allocs, memory_mark, memory_release } from "../memory";
import {
  kernel_gelu,
  kernel_layernorm,
  kernel_matmul,
  kernel_quantise_row,
  kernel_softmax,
  kernel_weight_levels,
} from "./conformance";

const SEED: u32 = 0x2545f492;
const STEPS: i32 = 64;
const EPS: u32 = 0x2b8cbccc; // 1e-12

let x: usize = 0; // (64)
let out: usize = 0; // (64)
let gamma: usize = 0; // (64)
let beta: usize = 0; // (64)
let left: usize = 0; // (7, 48) i16
let right: usize = 0; // (24, 48) i16
let weights: usize = 0; // (24, 48)
let sums: usize = 0; // (7, 24) i32

/**
 * Runs every kernel on rows of 1 to 64 elements, so that whole vectors, their tails and the transitions between them
 * are all covered. The digest is the same for every build and host: e79e2720. SPEC §7.8
 */
export function self_test_kernels(): i32 {
  const mark = memory_mark();
  const failed = failed_allocs;
  x = alloc(256);
  out = alloc(256);
  gamma = alloc(256);
  beta = alloc(256);
  left = alloc(7 * 48 * 2);
  right = alloc(24 * 48 * 2);
  weights = alloc(24 * 48 * 4);
  sums = alloc(7 * 24 * 4);
  if (failed_allocs != failed) {
    memory_release(mark);
    return NO_MEMORY;
  }
  begin(SEED);
  for (let step = 0; step < STEPS; step++) {
    rows(step, step + 1);
    products(1 + (step % 7), 2 + 2 * (step % 24), 8 * (1 + (step % 3)));
  }
  memory_release(mark);
  return result();
}

function rows(step: i32, n: i32): void {
  draw_reals(x, n, lowest_exponent(step));
  kernel_quantise_row(out, gamma, x, n, (step & 1) == 0 ? 2047 : 32767);
  mix_halves(out, n);
  mix_words(gamma, 1);

  draw_reals(gamma, n, 120);
  draw_reals(beta, n, 120);
  kernel_layernorm(out, x, gamma, beta, n, EPS);
  mix_words(out, n);

  draw_reals(x, n, 125);
  mix(kernel_softmax(out, x, n));
  mix_halves(out, n);

  draw_reals(x, n, 123);
  kernel_gelu(out, x, n);
  mix_words(out, n);
}

/** Alternates between numbers around 2^−100, where a row is treated as zero; small; ordinary; and large numbers. */
function lowest_exponent(step: i32): u32 {
  const turn = step & 3;
  return turn == 0 ? 24 : turn == 1 ? 60 : turn == 2 ? 120 : 170;
}

function products(m: i32, k: i32, n: i32): void {
  draw_i12(left, m * k);
  draw_i12(right, n * k);
  kernel_matmul(sums, left, right, m, k, n);
  mix_words(sums, m * n);

  draw_reals(weights, n * k, 120);
  mix(kernel_weight_levels(right, out, weights, n, k));
  mix_halves(right, n * k);
  mix_words(out, n);
}

/** at (n) i16 = −2048 … 2047. */
function draw_i12(at: usize, n: i32): void {
  for (let i = 0; i < n; i++) store<i16>(at + (i << 1), <i16>(<i32>next() >> 20));
}
