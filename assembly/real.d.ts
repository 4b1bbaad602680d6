/**
 * The number type of every kernel: a binary32 value. `--use real=…` in asconfig.json tells the compiler what it is:
 * `f32` in the build `simd`, `u32` (the bit pattern, processed by assembly/arith/) in `soft` and `scalar`. Code above
 * arith/ never writes `a + b` on it, but `add(a, b)`. SPEC §1.3
 */
declare type real = number;
