import { add, div, from_i32, mul, real_from_bits, sqrt, sub } from "../arith/real";
import { sum4, sum4_squares } from "./sum4";

/** out (n) = LayerNorm(x (n)) with gamma (n), beta (n). out may be x. SPEC §7.5 */
export function layernorm_row(out: usize, x: usize, gamma: usize, beta: usize, n: i32, eps: real): void {
  const count = from_i32(n);
  const mean = div(sum4(x, n), count);
  subtract_row(out, x, mean, n);
  const variance = div(sum4_squares(out, n), count);
  const r = div(real_from_bits(0x3f800000), sqrt(add(variance, eps)));
  scale_shift_row(out, r, gamma, beta, n);
}

/** out (n) = sub(x, mean) */
function subtract_row(out: usize, x: usize, mean: real, n: i32): void {
  const bytes = (<usize>n) << 2;
  let i: usize = 0;
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      const means = f32x4.splat(<f32>mean);
      for (; i + 16 <= bytes; i += 16) v128.store(out + i, f32x4.sub(v128.load(x + i), means));
    }
  }
  for (; i < bytes; i += 4) store<real>(out + i, sub(load<real>(x + i), mean));
}

/** x (n) = add(mul(mul(x, r), gamma), beta), in place */
function scale_shift_row(x: usize, r: real, gamma: usize, beta: usize, n: i32): void {
  const bytes = (<usize>n) << 2;
  let i: usize = 0;
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      const rs = f32x4.splat(<f32>r);
      for (; i + 16 <= bytes; i += 16) {
        const scaled = f32x4.mul(f32x4.mul(v128.load(x + i), rs), v128.load(gamma + i));
        v128.store(x + i, f32x4.add(scaled, v128.load(beta + i)));
      }
    }
  }
  for (; i < bytes; i += 4) {
    const scaled = mul(mul(load<real>(x + i), r), load<real>(gamma + i));
    store<real>(x + i, add(scaled, load<real>(beta + i)));
  }
}

/** x (n) = add(y (n), x (n)): the residual connection. SPEC §8.5 */
export function add_row(x: usize, y: usize, n: i32): void {
  const bytes = (<usize>n) << 2;
  let i: usize = 0;
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      for (; i + 16 <= bytes; i += 16) v128.store(x + i, f32x4.add(v128.load(y + i), v128.load(x + i)));
    }
  }
  for (; i < bytes; i += 4) store<real>(x + i, add(load<real>(y + i), load<real>(x + i)));
}
