import { blake3, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/digest.json */
export interface DigestVectors {
  readonly cases: readonly { readonly length: number; readonly digest: string }[];
}

/** SPEC §4.1 */
export function checkDigest(engine: Engine, vectors: DigestVectors): Outcome {
  const tally = new Tally("digest");
  for (const { length, digest } of vectors.cases) {
    const input = Uint8Array.from({ length }, (_, i) => i % 251);
    tally.record(`length ${length}`, [["digest", digest, toHex(blake3(engine, input))]]);
  }
  return tally.outcome();
}
