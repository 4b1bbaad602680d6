/**
 * The numbers of exp, as binary32 bits. Found by scripts/fit-functions.py (Remez exchange, relative error of e^r
 * on |r| ≤ 0.3467, coefficients rounded one after another): 0.054 · 2^−24 off before any rounding. SPEC §3.1
 */
export const EXP_LOWEST: u32 = 0xc2d20000; // −105: e^−105 < 2^−150 rounds to 0
export const EXP_HIGHEST: u32 = 0x42b20000; // 89: e^89 > 2^128 rounds to infinity
export const EXP_LOG2E: u32 = 0x3fb8aa3b; // 1.44269502163
/** 15 bits, so that its product with |n| ≤ 151 is exact. */
export const EXP_LN2_HIGH: u32 = 0x3f317200; // 0.693145751953
export const EXP_LN2_LOW: u32 = 0x35bfbe8e; // 1.42860676533e-6
export const EXP_Q0: u32 = 0x3efffffe; // 0.4999999404
export const EXP_Q1: u32 = 0x3e2aaa46; // 0.1666651666
export const EXP_Q2: u32 = 0x3d2aac2c; // 0.04166810215
export const EXP_Q3: u32 = 0x3c091eef; // 0.00836919155
export const EXP_Q4: u32 = 0x3ab56370; // 0.001383883879
