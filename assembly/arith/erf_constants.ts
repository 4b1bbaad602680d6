/**
 * The numbers of erf, as binary32 bits. Found by scripts/fit-functions.py (Remez exchange, coefficients rounded
 * one after another): s is 0.34 · 2^−24 off relatively, 1 − e^g 0.36 · 2^−24 absolutely, before any rounding.
 * The split is where both errors are about equal with six coefficients each. SPEC §3.2
 */
export const ERF_SPLIT: u32 = 0x3f700000; // 0.9375
export const ERF_ONE: u32 = 0x407c0000; // 3.9375: erf is 1 from 3.92 on
export const ERF_S0: u32 = 0x3e0375d3; // 0.1283791512
export const ERF_S1: u32 = 0xbec0936e; // −0.3761247993
export const ERF_S2: u32 = 0x3de70c2b; // 0.1128161773
export const ERF_S3: u32 = 0xbcdb34c7; // −0.02675856464
export const ERF_S4: u32 = 0x3ba33547; // 0.004980716389
export const ERF_S5: u32 = 0xba1b5541; // −0.0005925484584
export const ERF_G0: u32 = 0xbb0d1047; // −0.002152459463
export const ERF_G1: u32 = 0xbf8f4283; // −1.119217277
export const ERF_G2: u32 = 0xbf26f039; // −0.6521030068
export const ERF_G3: u32 = 0xbdb8ba2c; // −0.09019884467
export const ERF_G4: u32 = 0x3c7a5618; // 0.01527931541
export const ERF_G5: u32 = 0xba9f0116; // −0.001213106094
