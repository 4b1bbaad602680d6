/** The walk of SPEC §2.14 through all operations, and its digest. */
import { OPERATIONS } from "./operation.ts";

const STEPS = 16_384;
const SEED = 0x2545f491;

export function selfTest(): number {
  let state = SEED;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  let digest = 0;
  const mix = (word: number): void => {
    const x = digest ^ word;
    digest = Math.imul((x << 5) | (x >>> 27), 0x9e3779b1) >>> 0;
  };
  for (let step = 0; step < STEPS; step++) {
    const pairs: [a: number, b: number][] = [];
    for (let lane = 0; lane < 4; lane++) pairs.push(operands(step % 4, next(), next()));
    for (const { apply } of OPERATIONS) {
      for (const [a, b] of pairs) {
        const result = apply(a, b);
        mix(result);
        mix(result);
      }
    }
  }
  return digest;
}

function operands(kind: number, a: number, b: number): [a: number, b: number] {
  switch (kind) {
    case 1:
      return [a, ((a & 0x7fffffff) ^ (b & 0x8180000f)) >>> 0];
    case 2:
      return [(a & 0x80ffffff) >>> 0, (b & 0x80ffffff) >>> 0];
    case 3:
      return [((a & 0x8fffffff) | 0x30000000) >>> 0, ((b & 0x8fffffff) | 0x30000000) >>> 0];
    default:
      return [a, b];
  }
}
