import { add, div, from_i32, mul } from "../arith/real";

/**
 * out (n) = add(mul(f32(acc), mul(row_scale, scales)), bias). out may be acc. SPEC §7.4
 */
export function dequantise_row(
  out: usize,
  acc: usize,
  row_scale: real,
  scales: usize,
  bias: usize,
  n: i32,
): void {
  const bytes = (<usize>n) << 2;
  let i: usize = 0;
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      const row = f32x4.splat(<f32>row_scale);
      for (; i + 16 <= bytes; i += 16) {
        const scale = f32x4.mul(row, v128.load(scales + i));
        const product = f32x4.mul(f32x4.convert_i32x4_s(v128.load(acc + i)), scale);
        v128.store(out + i, f32x4.add(product, v128.load(bias + i)));
      }
    }
  }
  for (; i < bytes; i += 4) {
    const product = mul(from_i32(load<i32>(acc + i)), mul(row_scale, load<real>(scales + i)));
    store<real>(out + i, add(product, load<real>(bias + i)));
  }
}

/** out (n) = div(mul(f32(acc), scales), denominator): a row of attention's values. SPEC §8.4 */
export function dequantise_context_row(
  out: usize,
  acc: usize,
  scales: usize,
  denominator: real,
  n: i32,
): void {
  const bytes = (<usize>n) << 2;
  let i: usize = 0;
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      const denominators = f32x4.splat(<f32>denominator);
      for (; i + 16 <= bytes; i += 16) {
        const product = f32x4.mul(f32x4.convert_i32x4_s(v128.load(acc + i)), v128.load(scales + i));
        v128.store(out + i, f32x4.div(product, denominators));
      }
    }
  }
  for (; i < bytes; i += 4) {
    const product = mul(from_i32(load<i32>(acc + i)), load<real>(scales + i));
    store<real>(out + i, div(product, denominator));
  }
}
