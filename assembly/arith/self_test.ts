import { f32_many } from "./f32_many";
import { apply, OPERATIONS } from "./operation";
import { begin, mix, next, result } from "./self_test_words";

const STEPS: u32 = 16384;
const SEED: u32 = 0x2545f491;

/** Four words each: the operands and results of one step. */
const A = memory.data(16, 16);
const B = memory.data(16, 16);
const OUT = memory.data(16, 16);

/**
 * Runs 16,384 steps. Each applies all operations to four pairs of operands, once one by one and once as `f32_many` does
 * (by lanes, in the build that has lanes). The digest is the same for every build and host: 5b31f317. Calling it needs
 * nothing but an engine that runs wasm. SPEC §2.14
 */
export function self_test(): i32 {
  begin(SEED);
  for (let step: u32 = 0; step < STEPS; step++) {
    for (let lane: usize = 0; lane < 16; lane += 4) {
      const a = next();
      const b = next();
      store<u32>(A + lane, left_operand(step, a));
      store<u32>(B + lane, right_operand(step, a, b));
    }
    for (let operation: u32 = 0; operation < OPERATIONS; operation++) {
      f32_many(operation, OUT, A, B, 4);
      for (let lane: usize = 0; lane < 16; lane += 4) {
        mix(apply(operation, load<u32>(A + lane), load<u32>(B + lane)));
        mix(load<u32>(OUT + lane));
      }
    }
  }
  return result();
}

/** Alternates between any bits; any bits; around the subnormal boundary; numbers from 2^−31 to 2. */
function left_operand(step: u32, a: u32): u32 {
  if ((step & 3) == 2) return a & 0x80ffffff;
  if ((step & 3) == 3) return (a & 0x8fffffff) | 0x30000000;
  return a;
}

/** Alternates between any bits; near a in magnitude, so that sums cancel; around the subnormal boundary; as for a. */
function right_operand(step: u32, a: u32, b: u32): u32 {
  if ((step & 3) == 1) return (a & 0x7fffffff) ^ (b & 0x8180000f);
  return left_operand(step, b);
}
