/**
 * The individual operations and functions on bit patterns, in every build, called by test vectors, the probe at load
 * and other implementers. In the build that uses float instructions, NaN is made canonical here and only here.
 * SPEC §2.13
 */
import { erf } from "./erf";
import { exp } from "./exp";
import { F32_NAN, f32_is_nan } from "./f32_parts";
import {
  abs,
  add,
  div,
  eq,
  from_f16,
  from_i32,
  from_u32,
  le,
  lt,
  max,
  min,
  mul,
  neg,
  real_from_bits,
  real_to_bits,
  sqrt,
  sub,
  to_i32_near_even,
  to_i32_trunc,
} from "./real";
import { tanh } from "./tanh";

function canonical(x: real): u32 {
  const bits = real_to_bits(x);
  return select(F32_NAN, bits, f32_is_nan(bits));
}

export function f32_add(a: u32, b: u32): u32 {
  return canonical(add(real_from_bits(a), real_from_bits(b)));
}

export function f32_sub(a: u32, b: u32): u32 {
  return canonical(sub(real_from_bits(a), real_from_bits(b)));
}

export function f32_mul(a: u32, b: u32): u32 {
  return canonical(mul(real_from_bits(a), real_from_bits(b)));
}

export function f32_div(a: u32, b: u32): u32 {
  return canonical(div(real_from_bits(a), real_from_bits(b)));
}

export function f32_sqrt(a: u32): u32 {
  return canonical(sqrt(real_from_bits(a)));
}

export function f32_neg(a: u32): u32 {
  return canonical(neg(real_from_bits(a)));
}

export function f32_abs(a: u32): u32 {
  return canonical(abs(real_from_bits(a)));
}

export function f32_min(a: u32, b: u32): u32 {
  return canonical(min(real_from_bits(a), real_from_bits(b)));
}

export function f32_max(a: u32, b: u32): u32 {
  return canonical(max(real_from_bits(a), real_from_bits(b)));
}

/** Comparisons return 1 or 0. */
export function f32_eq(a: u32, b: u32): u32 {
  return <u32>eq(real_from_bits(a), real_from_bits(b));
}

export function f32_lt(a: u32, b: u32): u32 {
  return <u32>lt(real_from_bits(a), real_from_bits(b));
}

export function f32_le(a: u32, b: u32): u32 {
  return <u32>le(real_from_bits(a), real_from_bits(b));
}

export function f32_from_i32(x: i32): u32 {
  return real_to_bits(from_i32(x));
}

export function f32_from_u32(x: u32): u32 {
  return real_to_bits(from_u32(x));
}

export function f32_to_i32_near_even(a: u32): i32 {
  return to_i32_near_even(real_from_bits(a));
}

export function f32_to_i32_trunc(a: u32): i32 {
  return to_i32_trunc(real_from_bits(a));
}

export function f32_from_f16(half: u32): u32 {
  return canonical(from_f16(half));
}

export function f32_exp(a: u32): u32 {
  return canonical(exp(real_from_bits(a)));
}

export function f32_tanh(a: u32): u32 {
  return canonical(tanh(real_from_bits(a)));
}

export function f32_erf(a: u32): u32 {
  return canonical(erf(real_from_bits(a)));
}
