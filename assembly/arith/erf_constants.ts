/**
 * The constants of erf, as binary32 bits in memory. Computed by scripts/fit-functions.py (Remez exchange, coefficients
 * rounded one after another). Before any rounding, s has a relative error of 0.34 · 2^−24, and 1 − e^g an absolute
 * error of 0.36 · 2^−24. The split is where both errors are about equal with six coefficients each. SPEC §3.2
 */
export const ERF_SPLIT: usize = memory.data<u32>([0x3f700000], 4); // 0.9375
export const ERF_ONE: usize = memory.data<u32>([0x407c0000], 4); // 3.9375: erf is 1 from 3.92 on
export const ERF_S0: usize = memory.data<u32>([0x3e0375d3], 4); // 0.1283791512
export const ERF_S1: usize = memory.data<u32>([0xbec0936e], 4); // −0.3761247993
export const ERF_S2: usize = memory.data<u32>([0x3de70c2b], 4); // 0.1128161773
export const ERF_S3: usize = memory.data<u32>([0xbcdb34c7], 4); // −0.02675856464
export const ERF_S4: usize = memory.data<u32>([0x3ba33547], 4); // 0.004980716389
export const ERF_S5: usize = memory.data<u32>([0xba1b5541], 4); // −0.0005925484584
export const ERF_G0: usize = memory.data<u32>([0xbb0d1047], 4); // −0.002152459463
export const ERF_G1: usize = memory.data<u32>([0xbf8f4283], 4); // −1.119217277
export const ERF_G2: usize = memory.data<u32>([0xbf26f039], 4); // −0.6521030068
export const ERF_G3: usize = memory.data<u32>([0xbdb8ba2c], 4); // −0.09019884467
export const ERF_G4: usize = memory.data<u32>([0x3c7a5618], 4); // 0.01527931541
export const ERF_G5: usize = memory.data<u32>([0xba9f0116], 4); // −0.001213106094
