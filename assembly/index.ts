/** What the engine offers its host, in the order of the walk (SPEC §1.2). Exports only. */

export {
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
} from "./arith/conformance";
export { f32_many } from "./arith/f32_many";
export { self_test } from "./arith/self_test";
export { alloc, memory_mark, memory_release } from "./memory";
