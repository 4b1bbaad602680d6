import { constant_f32x4, ONE } from "./constant";
import {
  EXP_HIGHEST,
  EXP_LN2_HIGH,
  EXP_LN2_LOW,
  EXP_LOG2E,
  EXP_LOWEST,
  EXP_Q0,
  EXP_Q1,
  EXP_Q2,
  EXP_Q3,
  EXP_Q4,
  EXP_ROUNDER,
} from "./exp_constants";

/** Computes four `exp` at once, the same bits in every lane (NaN for NaN, with any payload). SPEC §3.1 */
export function exp_f32x4(x: v128): v128 {
  // pmin and pmax are one instruction each and keep NaN in this order.
  const clamped = f32x4.pmin(f32x4.pmax(x, constant_f32x4(EXP_LOWEST)), constant_f32x4(EXP_HIGHEST));
  const shifted = f32x4.add(f32x4.mul(clamped, constant_f32x4(EXP_LOG2E)), constant_f32x4(EXP_ROUNDER));
  const n = i32x4.sub(shifted, constant_f32x4(EXP_ROUNDER));
  const half = i32x4.shr_s(n, 1);
  const scaled = i32x4.add(exp_mantissa_f32x4(clamped, shifted), i32x4.shl(half, 23));
  const y = f32x4.mul(scaled, i32x4.shl(i32x4.add(i32x4.sub(n, half), i32x4.splat(127)), 23));
  // n is meaningless where x is NaN: setting all bits makes the lane NaN again.
  return v128.or(y, f32x4.ne(x, x));
}

/** Computes four `exp_normal` at once; x must not be NaN. SPEC §3.1 */
export function exp_normal_f32x4(x: v128): v128 {
  const shifted = f32x4.add(f32x4.mul(x, constant_f32x4(EXP_LOG2E)), constant_f32x4(EXP_ROUNDER));
  return i32x4.add(exp_mantissa_f32x4(x, shifted), i32x4.shl(shifted, 23));
}

/** Like `exp_mantissa`; `shifted` is n + 1.5·2^23. */
function exp_mantissa_f32x4(x: v128, shifted: v128): v128 {
  const k = f32x4.sub(shifted, constant_f32x4(EXP_ROUNDER));
  const r = f32x4.sub(
    f32x4.sub(x, f32x4.mul(k, constant_f32x4(EXP_LN2_HIGH))),
    f32x4.mul(k, constant_f32x4(EXP_LN2_LOW)),
  );
  let q = f32x4.add(f32x4.mul(constant_f32x4(EXP_Q4), r), constant_f32x4(EXP_Q3));
  q = f32x4.add(f32x4.mul(q, r), constant_f32x4(EXP_Q2));
  q = f32x4.add(f32x4.mul(q, r), constant_f32x4(EXP_Q1));
  q = f32x4.add(f32x4.mul(q, r), constant_f32x4(EXP_Q0));
  return f32x4.add(constant_f32x4(ONE), f32x4.add(r, f32x4.mul(f32x4.mul(r, r), q)));
}
