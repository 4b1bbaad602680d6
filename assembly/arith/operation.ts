/**
 * The operations by number: what `f32_many` and `self_test` run through, in this order. SPEC §2.13
 * test/reference/operation.ts holds the same list.
 */
import {
  f32_abs,
  f32_add,
  f32_div,
  f32_eq,
  f32_erf,
  f32_exp,
  f32_from_f16,
  f32_from_i32,
  f32_from_u32,
  f32_le,
  f32_lt,
  f32_max,
  f32_min,
  f32_mul,
  f32_neg,
  f32_sqrt,
  f32_sub,
  f32_to_i32_near_even,
  f32_to_i32_trunc,
} from "./conformance";
import { erf_f32x4 } from "./erf_f32x4";
import { exp_f32x4 } from "./exp_f32x4";
import { F32_NAN } from "./f32_parts";

export const OPERATIONS: u32 = 19;

/** Applies operation number `operation` to bit patterns; operations with one operand ignore `b`. */
export function apply(operation: u32, a: u32, b: u32): u32 {
  switch (operation) {
    case 0:
      return f32_add(a, b);
    case 1:
      return f32_sub(a, b);
    case 2:
      return f32_mul(a, b);
    case 3:
      return f32_div(a, b);
    case 4:
      return f32_sqrt(a);
    case 5:
      return f32_neg(a);
    case 6:
      return f32_abs(a);
    case 7:
      return f32_min(a, b);
    case 8:
      return f32_max(a, b);
    case 9:
      return f32_eq(a, b);
    case 10:
      return f32_lt(a, b);
    case 11:
      return f32_le(a, b);
    case 12:
      return f32_from_i32(<i32>a);
    case 13:
      return f32_from_u32(a);
    case 14:
      return <u32>f32_to_i32_near_even(a);
    case 15:
      return <u32>f32_to_i32_trunc(a);
    case 16:
      return f32_from_f16(a);
    case 17:
      return f32_exp(a);
    case 18:
      return f32_erf(a);
    default:
      assert(false);
      return 0;
  }
}

/** Does the same in four lanes of float instructions, for the build that has them. */
export function apply_f32x4(operation: u32, a: v128, b: v128): v128 {
  switch (operation) {
    case 0:
      return canonical(f32x4.add(a, b));
    case 1:
      return canonical(f32x4.sub(a, b));
    case 2:
      return canonical(f32x4.mul(a, b));
    case 3:
      return canonical(f32x4.div(a, b));
    case 4:
      return canonical(f32x4.sqrt(a));
    case 5:
      return canonical(f32x4.neg(a));
    case 6:
      return canonical(f32x4.abs(a));
    case 7:
      return canonical(f32x4.min(a, b));
    case 8:
      return canonical(f32x4.max(a, b));
    // A comparison's lane is all ones or zero.
    case 9:
      return i32x4.neg(f32x4.eq(a, b));
    case 10:
      return i32x4.neg(f32x4.lt(a, b));
    case 11:
      return i32x4.neg(f32x4.le(a, b));
    case 12:
      return f32x4.convert_i32x4_s(a);
    case 13:
      return f32x4.convert_i32x4_u(a);
    case 14:
      return i32x4.trunc_sat_f32x4_s(f32x4.nearest(a));
    case 15:
      return i32x4.trunc_sat_f32x4_s(a);
    case 16:
      return from_f16_each(a);
    case 17:
      return canonical(exp_f32x4(a));
    case 18:
      return canonical(erf_f32x4(a));
    default:
      assert(false);
      return a;
  }
}

function canonical(x: v128): v128 {
  return v128.bitselect(i32x4.splat(<i32>F32_NAN), x, f32x4.ne(x, x));
}

/** There is no instruction for binary16, so this converts one lane after another. */
function from_f16_each(a: v128): v128 {
  let x = i32x4.splat(<i32>f32_from_f16(i32x4.extract_lane(a, 0)));
  x = i32x4.replace_lane(x, 1, <i32>f32_from_f16(i32x4.extract_lane(a, 1)));
  x = i32x4.replace_lane(x, 2, <i32>f32_from_f16(i32x4.extract_lane(a, 2)));
  return i32x4.replace_lane(x, 3, <i32>f32_from_f16(i32x4.extract_lane(a, 3)));
}
