/**
 * The constants of exp, as binary32 bits in memory. Computed by scripts/fit-functions.py (Remez exchange, relative
 * error of e^r on |r| ≤ 0.3467, coefficients rounded one after another): the error before any rounding is 0.054 ·
 * 2^−24. SPEC §3.1
 */
export const EXP_LOWEST: usize = memory.data<u32>([0xc2d20000], 4); // −105: e^−105 < 2^−150 rounds to 0
export const EXP_HIGHEST: usize = memory.data<u32>([0x42b20000], 4); // 89: e^89 > 2^128 rounds to infinity
export const EXP_LOG2E: usize = memory.data<u32>([0x3fb8aa3b], 4); // 1.44269502163
/** 15 bits, so that its product with |n| ≤ 151 is exact. */
export const EXP_LN2_HIGH: usize = memory.data<u32>([0x3f317200], 4); // 0.693145751953
export const EXP_LN2_LOW: usize = memory.data<u32>([0x35bfbe8e], 4); // 1.42860676533e-6
export const EXP_Q0: usize = memory.data<u32>([0x3efffffe], 4); // 0.4999999404
export const EXP_Q1: usize = memory.data<u32>([0x3e2aaa46], 4); // 0.1666651666
export const EXP_Q2: usize = memory.data<u32>([0x3d2aac2c], 4); // 0.04166810215
export const EXP_Q3: usize = memory.data<u32>([0x3c091eef], 4); // 0.00836919155
export const EXP_Q4: usize = memory.data<u32>([0x3ab56370], 4); // 0.001383883879
/**
 * 1.5·2^23, for the SIMD twin. Added to a number under 2^22, it leaves the nearest integer (ties to even) in the last
 * bits; subtracted again, it leaves that integer as binary32. Cheaper than `nearest` and a conversion to i32.
 */
export const EXP_ROUNDER: usize = memory.data<u32>([0x4b400000], 4); // 12582912
