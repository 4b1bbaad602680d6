import { bitsOf } from "./arith.ts";
import { gelu, layerNorm, matmul, quantiseMatrix, quantiseRow, softmax } from "./kernels.ts";
import { Words } from "./self-test-words.ts";

const EPS = Math.fround(1e-12);
const LOWEST = [24, 60, 120, 170];

/** SPEC §7.8 */
export function selfTestKernels(): number {
  const words = new Words(0x2545f492);
  for (let step = 0; step < 64; step++) {
    rows(words, step, step + 1);
    products(words, 1 + (step % 7), 2 + 2 * (step % 24), 8 * (1 + (step % 3)));
  }
  return words.digest;
}

function rows(words: Words, step: number, n: number): void {
  const x = words.reals(n, LOWEST[step % 4]!);
  const { q, scale } = quantiseRow(x, step % 2 === 0 ? 2047 : 32767);
  words.mix(...halves(q), bitsOf(scale));
  const [gamma, beta] = [words.reals(n, 120), words.reals(n, 120)];
  words.mix(...bits(layerNorm(x, gamma, beta, EPS)));
  const { p, sum } = softmax(words.reals(n, 125));
  words.mix(sum, ...halves(p));
  words.mix(...bits(words.reals(n, 123).map(gelu)));
}

function products(words: Words, M: number, K: number, N: number): void {
  const drawn = (n: number) => Int16Array.from({ length: n }, () => words.next() >> 20);
  const [a, w] = [drawn(M * K), drawn(N * K)];
  words.mix(...matmul(a, w, M, K, N));
  const { levels, q, scales } = quantiseMatrix(words.reals(N * K, 120), N, K);
  words.mix(levels, ...halves(q), ...bits(scales));
}

const bits = (values: Float32Array): number[] => Array.from(values, bitsOf);
const halves = (values: Int16Array): number[] => Array.from(values, (value) => value & 0xffff);
