/**
 * The number of every kernel: a binary32 value. The compiler is told what it is by `--use real=…` in
 * asconfig.json: `f32` in the build `simd`, `u32` (the bit pattern, worked on by assembly/arith/) in
 * `soft` and `scalar`. Code above arith/ never writes `a + b` on it, but `add(a, b)`. SPEC §1.3
 */
declare type real = number;
