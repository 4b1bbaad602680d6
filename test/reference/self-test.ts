/** The walk of SPEC §2.14 through all operations, and its digest. */
import { OPERATIONS } from "./operation.ts";
import { Words } from "./self-test-words.ts";

const STEPS = 16_384;

export function selfTest(): number {
  const words = new Words(0x2545f491);
  for (let step = 0; step < STEPS; step++) {
    const pairs: [a: number, b: number][] = [];
    for (let lane = 0; lane < 4; lane++) pairs.push(operands(step % 4, words.next(), words.next()));
    for (const { apply } of OPERATIONS) {
      for (const [a, b] of pairs) {
        const result = apply(a, b);
        words.mix(result, result);
      }
    }
  }
  return words.digest;
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
