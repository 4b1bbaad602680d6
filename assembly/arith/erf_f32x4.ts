import { constant_f32x4, ONE } from "./constant";
import {
  ERF_G0,
  ERF_G1,
  ERF_G2,
  ERF_G3,
  ERF_G4,
  ERF_G5,
  ERF_ONE,
  ERF_S0,
  ERF_S1,
  ERF_S2,
  ERF_S3,
  ERF_S4,
  ERF_S5,
  ERF_SPLIT,
} from "./erf_constants";
import { exp_normal_f32x4 } from "./exp_f32x4";

/**
 * Computes four `erf` at once, the same bits in every lane. Both pieces are computed and one is selected (for NaN the
 * small one, which passes NaN through). SPEC §3.2
 */
export function erf_f32x4(x: v128): v128 {
  const magnitude = f32x4.abs(x);
  const is_large = f32x4.ge(magnitude, constant_f32x4(ERF_SPLIT));
  const t = f32x4.mul(x, x);
  let s = f32x4.add(f32x4.mul(constant_f32x4(ERF_S5), t), constant_f32x4(ERF_S4));
  s = f32x4.add(f32x4.mul(s, t), constant_f32x4(ERF_S3));
  s = f32x4.add(f32x4.mul(s, t), constant_f32x4(ERF_S2));
  s = f32x4.add(f32x4.mul(s, t), constant_f32x4(ERF_S1));
  s = f32x4.add(f32x4.mul(s, t), constant_f32x4(ERF_S0));
  const small = f32x4.add(x, f32x4.mul(x, s));

  const a = f32x4.pmin(magnitude, constant_f32x4(ERF_ONE));
  let g = f32x4.add(f32x4.mul(constant_f32x4(ERF_G5), a), constant_f32x4(ERF_G4));
  g = f32x4.add(f32x4.mul(g, a), constant_f32x4(ERF_G3));
  g = f32x4.add(f32x4.mul(g, a), constant_f32x4(ERF_G2));
  g = f32x4.add(f32x4.mul(g, a), constant_f32x4(ERF_G1));
  g = f32x4.add(f32x4.mul(g, a), constant_f32x4(ERF_G0));
  const large = f32x4.sub(constant_f32x4(ONE), exp_normal_f32x4(g));
  const signed = v128.bitselect(x, large, i32x4.splat(0x80000000));
  return v128.bitselect(signed, small, is_large);
}
