// The most that this machine does: a 4 × 2 tile of accumulators on operands in the first cache, nothing else.

import { erf_f32x4 } from "../../assembly/arith/erf_f32x4";
import { exp_f32x4 } from "../../assembly/arith/exp_f32x4";

const VECTORS: usize = 192;
const DATA = memory.data(3072, 16);

/** Small numbers in f32 lanes, so that no sum overflows or becomes subnormal. */
export function fill(): void {
  for (let i: usize = 0; i < VECTORS * 4; i++) store<f32>(DATA + (i << 2), 0.5 + 0.001 * <f32>i);
}

/** VECTORS / 6 tiles of 8 f32x4 multiplications and additions each. */
export function multiply_add_f32x4(rounds: u32): u32 {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  let s7 = s0;
  for (let round: u32 = 0; round < rounds; round++) {
    for (let at = DATA; at < DATA + VECTORS * 16; at += 96) {
      const b0 = v128.load(at, 64);
      const b1 = v128.load(at, 80);
      let a = v128.load(at);
      s0 = f32x4.add(s0, f32x4.mul(a, b0));
      s1 = f32x4.add(s1, f32x4.mul(a, b1));
      a = v128.load(at, 16);
      s2 = f32x4.add(s2, f32x4.mul(a, b0));
      s3 = f32x4.add(s3, f32x4.mul(a, b1));
      a = v128.load(at, 32);
      s4 = f32x4.add(s4, f32x4.mul(a, b0));
      s5 = f32x4.add(s5, f32x4.mul(a, b1));
      a = v128.load(at, 48);
      s6 = f32x4.add(s6, f32x4.mul(a, b0));
      s7 = f32x4.add(s7, f32x4.mul(a, b1));
    }
  }
  s0 = f32x4.add(
    f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)),
    f32x4.add(f32x4.add(s4, s5), f32x4.add(s6, s7)),
  );
  return i32x4.extract_lane(s0, 0);
}

/** The same tiles of `i32x4.dot_i16x8_s` and `i32x4.add`. */
export function dot_i16x8(rounds: u32): u32 {
  let s0 = i32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  let s7 = s0;
  for (let round: u32 = 0; round < rounds; round++) {
    for (let at = DATA; at < DATA + VECTORS * 16; at += 96) {
      const b0 = v128.load(at, 64);
      const b1 = v128.load(at, 80);
      let a = v128.load(at);
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(a, b0));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(a, b1));
      a = v128.load(at, 16);
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(a, b0));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(a, b1));
      a = v128.load(at, 32);
      s4 = i32x4.add(s4, i32x4.dot_i16x8_s(a, b0));
      s5 = i32x4.add(s5, i32x4.dot_i16x8_s(a, b1));
      a = v128.load(at, 48);
      s6 = i32x4.add(s6, i32x4.dot_i16x8_s(a, b0));
      s7 = i32x4.add(s7, i32x4.dot_i16x8_s(a, b1));
    }
  }
  s0 = i32x4.add(
    i32x4.add(i32x4.add(s0, s1), i32x4.add(s2, s3)),
    i32x4.add(i32x4.add(s4, s5), i32x4.add(s6, s7)),
  );
  return i32x4.extract_lane(s0, 0);
}

export function exp_lanes(rounds: u32): u32 {
  let seen = i32x4.splat(0);
  for (let round: u32 = 0; round < rounds; round++) {
    for (let at = DATA; at < DATA + VECTORS * 16; at += 16) seen = v128.xor(seen, exp_f32x4(v128.load(at)));
  }
  return i32x4.extract_lane(seen, 0);
}

export function erf_lanes(rounds: u32): u32 {
  let seen = i32x4.splat(0);
  for (let round: u32 = 0; round < rounds; round++) {
    for (let at = DATA; at < DATA + VECTORS * 16; at += 16) seen = v128.xor(seen, erf_f32x4(v128.load(at)));
  }
  return i32x4.extract_lane(seen, 0);
}
