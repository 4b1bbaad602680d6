// The limits of this machine that other benchmarks are measured against: one core, operands in the first cache.
import { bestNanoseconds, compile } from "./compile.ts";

const ROUNDS = 20_000;
/** 192 vectors in tiles of 6, each with 8 multiply-adds. */
const TILES = 32;

async function peak(kernel: string, operationsPerPair: number): Promise<number> {
  const kernels = await compile("peak", "f32");
  kernels["fill"]!();
  const nanoseconds = bestNanoseconds(() => kernels[kernel]!(ROUNDS));
  return (ROUNDS * TILES * 8 * operationsPerPair) / nanoseconds;
}

/** 10⁹ operations a second by `i32x4.dot_i16x8_s` and `i32x4.add`: 8 multiplications and 8 additions a pair. */
export function peakDotGops(): Promise<number> {
  return peak("dot_i16x8", 16);
}

/** 10⁹ operations a second by `f32x4.mul` and `f32x4.add`: 4 and 4 a pair. */
export function peakF32Gflops(): Promise<number> {
  return peak("multiply_add_f32x4", 8);
}
