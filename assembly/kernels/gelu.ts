import { erf } from "../arith/erf";
import { erf_f32x4 } from "../arith/erf_f32x4";
import { add, mul, real_from_bits } from "../arith/real";

const HALF: u32 = 0x3f000000; // 0.5
const ONE: u32 = 0x3f800000; // 1
const INV_SQRT2: u32 = 0x3f3504f3; // 0.70710677

/** out (n) = gelu(x (n)). out may be x. SPEC §7.7 */
export function gelu_row(out: usize, x: usize, n: i32): void {
  const bytes = (<usize>n) << 2;
  let i: usize = 0;
  if (isFloat<real>()) {
    if (ASC_FEATURE_SIMD) {
      for (; i + 16 <= bytes; i += 16) v128.store(out + i, gelu_f32x4(v128.load(x + i)));
    }
  }
  for (; i < bytes; i += 4) store<real>(out + i, gelu(load<real>(x + i)));
}

function gelu(x: real): real {
  const e = erf(mul(x, real_from_bits(INV_SQRT2)));
  return mul(mul(real_from_bits(HALF), x), add(real_from_bits(ONE), e));
}

function gelu_f32x4(x: v128): v128 {
  const e = erf_f32x4(f32x4.mul(x, f32x4.splat(reinterpret<f32>(INV_SQRT2))));
  return f32x4.mul(f32x4.mul(f32x4.splat(0.5), x), f32x4.add(f32x4.splat(1), e));
}
