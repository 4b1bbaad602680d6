import { littleEndianBytes } from "../engine/byte-order.ts";
import { blake3, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { givenVector } from "../vectors/given-vector.ts";
import { parseHex } from "./hex.ts";
import { type Outcome, Tally } from "./outcome.ts";
import { splitmix32 } from "./splitmix32.ts";

/** test-vectors/dense.json */
export interface DenseVectors {
  readonly cases: readonly { readonly name: string; readonly x: string; readonly vector: string }[];
  readonly drawn: readonly { readonly dim: number; readonly seed: number; readonly digest: string }[];
}

/** SPEC §9.6 */
export function checkDense(engine: Engine, vectors: DenseVectors): Outcome {
  const tally = new Tally("dense");
  for (const { name, x, vector } of vectors.cases) {
    const values = fromBits(parseHex(x, 8));
    tally.record(name, [["vector", expected(vector), printed(engine, values)]]);
  }
  for (const { dim, seed, digest } of vectors.drawn) {
    const next = splitmix32(seed);
    const words = Array.from({ length: dim }, () => {
      const word = next();
      return ((word & 0x807fffff) | ((124 + ((word >>> 23) & 3)) << 23)) >>> 0;
    });
    const bytes = littleEndianBytes(givenVector(engine, fromBits(words), dim));
    tally.record(`${dim} numbers, drawn from ${seed}`, [["digest", digest, toHex(blake3(engine, bytes))]]);
  }
  return tally.outcome();
}

function expected(vector: string): string {
  return vector === "BAD_VECTOR" ? vector : Int16Array.from(parseHex(vector, 4)).join();
}

function printed(engine: Engine, values: Float32Array): string {
  try {
    return givenVector(engine, values, values.length).join();
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  }
}

/** Sets bits instead of numbers: a host may change the bits of a NaN. */
function fromBits(words: readonly number[]): Float32Array {
  return new Float32Array(Uint32Array.from(words).buffer);
}
