// The cost of binary32 where it is a float instruction and where it is integers: compiled once with real=f32 and
// once with real=u32.
import { erf } from "../../assembly/arith/erf";
import { exp } from "../../assembly/arith/exp";
import { add, div, mul, real_from_bits, real_to_bits, sqrt } from "../../assembly/arith/real";

const COUNT: u32 = 4096;
const A = memory.data(16384, 16);
const B = memory.data(16384, 16);

/** Operands of either sign and magnitudes from 2^−4 to 2^4, in no order that a branch predictor could learn. */
export function fill(): void {
  let state: u32 = 0x2545f491;
  for (let i: u32 = 0; i < COUNT * 2; i++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const exponent: u32 = 123 + ((state >> 9) & 7);
    store<u32>((i < COUNT ? A : B) + ((i & (COUNT - 1)) << 2), (state & 0x807fffff) | (exponent << 23));
  }
}

function a(i: u32): real {
  return real_from_bits(load<u32>(A + (i << 2)));
}

function b(i: u32): real {
  return real_from_bits(load<u32>(B + (i << 2)));
}

/** One accumulator, so that each sum waits for the one before, as in a dot product. */
export function multiply_add(rounds: u32): u32 {
  let sum = real_from_bits(0);
  for (let round: u32 = 0; round < rounds; round++) {
    for (let i: u32 = 0; i < COUNT; i++) sum = add(sum, mul(a(i), b(i)));
  }
  return real_to_bits(sum);
}

/** As above, each sum on its own: what a row operation costs. */
export function multiply_add_apart(rounds: u32): u32 {
  let seen: u32 = 0;
  for (let round: u32 = 0; round < rounds; round++) {
    for (let i: u32 = 0; i < COUNT; i++) {
      seen ^= real_to_bits(add(a((i + round) & (COUNT - 1)), mul(a(i), b(i))));
    }
  }
  return seen;
}

export function divide(rounds: u32): u32 {
  let seen: u32 = 0;
  for (let round: u32 = 0; round < rounds; round++) {
    for (let i: u32 = 0; i < COUNT; i++) seen ^= real_to_bits(div(a((i + round) & (COUNT - 1)), b(i)));
  }
  return seen;
}

export function root(rounds: u32): u32 {
  let seen: u32 = 0;
  for (let round: u32 = 0; round < rounds; round++) {
    for (let i: u32 = 0; i < COUNT; i++) seen ^= real_to_bits(sqrt(mul(a(i), a((i + round) & (COUNT - 1)))));
  }
  return seen;
}

export function exponential(rounds: u32): u32 {
  let seen: u32 = 0;
  for (let round: u32 = 0; round < rounds; round++) {
    for (let i: u32 = 0; i < COUNT; i++) seen ^= real_to_bits(exp(a((i + round) & (COUNT - 1)))) + i;
  }
  return seen;
}

export function error_function(rounds: u32): u32 {
  let seen: u32 = 0;
  for (let round: u32 = 0; round < rounds; round++) {
    for (let i: u32 = 0; i < COUNT; i++) seen ^= real_to_bits(erf(a((i + round) & (COUNT - 1)))) + i;
  }
  return seen;
}
