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
} from "./exp_constants";
import { splat_bits } from "./splat_bits";

/** Four `exp` at once, the same bits in every lane. SPEC §3.1 */
export function exp_f32x4(x: v128): v128 {
  x = f32x4.min(f32x4.max(x, splat_bits(EXP_LOWEST)), splat_bits(EXP_HIGHEST));
  const k = f32x4.nearest(f32x4.mul(x, splat_bits(EXP_LOG2E)));
  const n = i32x4.trunc_sat_f32x4_s(k);
  const half = i32x4.shr_s(n, 1);
  const scaled = i32x4.add(exp_mantissa_f32x4(x, k), i32x4.shl(half, 23));
  return f32x4.mul(scaled, i32x4.shl(i32x4.add(i32x4.sub(n, half), i32x4.splat(127)), 23));
}

/** Four `exp_normal` at once. SPEC §3.1 */
export function exp_normal_f32x4(x: v128): v128 {
  const k = f32x4.nearest(f32x4.mul(x, splat_bits(EXP_LOG2E)));
  return i32x4.add(exp_mantissa_f32x4(x, k), i32x4.shl(i32x4.trunc_sat_f32x4_s(k), 23));
}

/**
 * `k` is n as binary32. It is rounded in place rather than converted back from n: −0 may stand for 0, which
 * changes r by the sign of a zero at most, and not its sum with 1.
 */
function exp_mantissa_f32x4(x: v128, k: v128): v128 {
  const r = f32x4.sub(
    f32x4.sub(x, f32x4.mul(k, splat_bits(EXP_LN2_HIGH))),
    f32x4.mul(k, splat_bits(EXP_LN2_LOW)),
  );
  let q = f32x4.add(f32x4.mul(splat_bits(EXP_Q4), r), splat_bits(EXP_Q3));
  q = f32x4.add(f32x4.mul(q, r), splat_bits(EXP_Q2));
  q = f32x4.add(f32x4.mul(q, r), splat_bits(EXP_Q1));
  q = f32x4.add(f32x4.mul(q, r), splat_bits(EXP_Q0));
  return f32x4.add(f32x4.splat(1), f32x4.add(r, f32x4.mul(f32x4.mul(r, r), q)));
}
