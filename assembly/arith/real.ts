/**
 * Arithmetic on `real`, the number type of every kernel: float instructions if it is f32, the integer operations of
 * this folder if it is a bit pattern. The compiler decides which; no branch remains. SPEC §2
 *
 * Inside kernels NaN never occurs (inputs are checked), so nothing is canonicalised here: exports do that.
 */
import { f32_abs, f32_add, f32_div, f32_mul, f32_neg, f32_sqrt, f32_sub } from "./f32_arithmetic";
import { f32_eq, f32_le, f32_lt, f32_max, f32_min } from "./f32_compare";
import {
  f32_from_f16,
  f32_from_i32,
  f32_from_u32,
  f32_to_i32_near_even,
  f32_to_i32_trunc,
} from "./f32_convert";

export function real_from_bits(bits: u32): real {
  if (isFloat<real>()) return <real>reinterpret<f32>(bits);
  else return <real>bits;
}

export function real_to_bits(x: real): u32 {
  if (isFloat<real>()) return reinterpret<u32>(<f32>x);
  else return <u32>x;
}

export function add(a: real, b: real): real {
  if (isFloat<real>()) return a + b;
  else return <real>f32_add(<u32>a, <u32>b);
}

export function sub(a: real, b: real): real {
  if (isFloat<real>()) return a - b;
  else return <real>f32_sub(<u32>a, <u32>b);
}

export function mul(a: real, b: real): real {
  if (isFloat<real>()) return a * b;
  else return <real>f32_mul(<u32>a, <u32>b);
}

export function div(a: real, b: real): real {
  if (isFloat<real>()) return a / b;
  else return <real>f32_div(<u32>a, <u32>b);
}

export function sqrt(a: real): real {
  if (isFloat<real>()) return <real>f32.sqrt(<f32>a);
  else return <real>f32_sqrt(<u32>a);
}

export function neg(a: real): real {
  if (isFloat<real>()) return -a;
  else return <real>f32_neg(<u32>a);
}

export function abs(a: real): real {
  if (isFloat<real>()) return <real>f32.abs(<f32>a);
  else return <real>f32_abs(<u32>a);
}

/** wasm's minimum: −0 is less than +0. */
export function min(a: real, b: real): real {
  if (isFloat<real>()) return <real>f32.min(<f32>a, <f32>b);
  else return <real>f32_min(<u32>a, <u32>b);
}

export function max(a: real, b: real): real {
  if (isFloat<real>()) return <real>f32.max(<f32>a, <f32>b);
  else return <real>f32_max(<u32>a, <u32>b);
}

export function eq(a: real, b: real): bool {
  if (isFloat<real>()) return a == b;
  else return f32_eq(<u32>a, <u32>b);
}

export function lt(a: real, b: real): bool {
  if (isFloat<real>()) return a < b;
  else return f32_lt(<u32>a, <u32>b);
}

export function le(a: real, b: real): bool {
  if (isFloat<real>()) return a <= b;
  else return f32_le(<u32>a, <u32>b);
}

/** Rounds to nearest, ties to even, like all conversions to binary32. */
export function from_i32(x: i32): real {
  if (isFloat<real>()) return <real>x;
  else return <real>f32_from_i32(x);
}

export function from_u32(x: u32): real {
  if (isFloat<real>()) return <real>x;
  else return <real>f32_from_u32(x);
}

/** Rounds to nearest, ties to even; saturates, and NaN becomes 0. */
export function to_i32_near_even(x: real): i32 {
  if (isFloat<real>()) return <i32>f32.nearest(<f32>x);
  else return f32_to_i32_near_even(<u32>x);
}

/** Rounds towards zero; saturates, and NaN becomes 0. */
export function to_i32_trunc(x: real): i32 {
  if (isFloat<real>()) return <i32>(<f32>x);
  else return f32_to_i32_trunc(<u32>x);
}

/** Exact: every binary16 value is a binary32 value. */
export function from_f16(half: u32): real {
  return real_from_bits(f32_from_f16(half));
}
