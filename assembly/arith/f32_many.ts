import { UNKNOWN_OPERATION } from "../codes";
import { apply, apply_f32x4, OPERATIONS } from "./operation";

/**
 * out[i] = a[i] ∘ b[i] for i < n, on arrays of bit patterns (4-byte words; `b` may be anything if the operation has one
 * operand). The build `simd` computes in f32x4 lanes, which are then what is tested, except for the last n mod 4.
 * Returns 0, or UNKNOWN_OPERATION. SPEC §2.13
 */
export function f32_many(operation: u32, out: usize, a: usize, b: usize, n: u32): i32 {
  if (operation >= OPERATIONS) return UNKNOWN_OPERATION;
  let i: u32 = 0;
  if (isFloat<real>()) {
    for (const lanes = n & ~3; i < lanes; i += 4) {
      const at = (<usize>i) << 2;
      v128.store(out + at, apply_f32x4(operation, v128.load(a + at), v128.load(b + at)));
    }
  }
  for (; i < n; i++) {
    const at = (<usize>i) << 2;
    store<u32>(out + at, apply(operation, load<u32>(a + at), load<u32>(b + at)));
  }
  return 0;
}
