/**
 * Chunks for large libraries, out of the 60,000 real passages of bench/corpus.ts and their real vectors
 * (bench/embed-corpus.ts). Chunk i < 60,000 is passage i. Every later one is two passages that the integer PRNG draws
 * from i: its text is one after the other, its vector the unit vector of v(a) + w·v(b), with w from 0.3 to 1. So words
 * and neighbourhoods are those of language, no vector occurs twice, and everybody makes the same chunks.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { splitmix32 } from "../../test/reference/prng.ts";
import { corpus, PASSAGES } from "../corpus.ts";
import { DIM } from "../vectors/data.ts";

const VECTORS = join(import.meta.dirname, "../../.cache/minilm-60k.i16");

export interface Corpus {
  text(i: number): string;
  vector(i: number): Int16Array;
  /** Real passages that are in no chunk, and their vectors. */
  readonly queries: readonly string[];
  readonly queryVectors: readonly Int16Array[];
}

export function millionCorpus(): Corpus {
  if (!existsSync(VECTORS))
    throw new Error("the vectors are missing; run: npx tsx bench/corpus.ts && npx tsx bench/embed-corpus.ts");
  const { passages, queries } = corpus();
  const bytes = readFileSync(VECTORS);
  const all = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const real = (i: number) => all.subarray(i * DIM, (i + 1) * DIM);
  const pairOf = (i: number) => {
    const next = splitmix32(i);
    return { a: next() % PASSAGES, b: next() % PASSAGES, weight: 0.3 + (0.7 * (next() % 1024)) / 1023 };
  };
  return {
    text(i) {
      if (i < PASSAGES) return `${passages[i]!}\n`;
      const { a, b } = pairOf(i);
      return `${passages[a]!} ${passages[b]!}\n`;
    },
    vector(i) {
      if (i < PASSAGES) return real(i);
      const { a, b, weight } = pairOf(i);
      return unit(real(a), real(b), weight);
    },
    queries,
    queryVectors: queries.map((_, i) => real(PASSAGES + i)),
  };
}

function unit(a: Int16Array, b: Int16Array, weight: number): Int16Array {
  const sum = Float64Array.from(a, (x, j) => x + weight * b[j]!);
  let norm = 0;
  for (const x of sum) norm += x * x;
  const scale = 32767 / Math.sqrt(norm);
  return Int16Array.from(sum, (x) => Math.round(x * scale));
}
