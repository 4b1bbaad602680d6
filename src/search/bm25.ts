import { naturalLogarithm } from "./logarithm.ts";

/** What BM25 knows of all chunks together. Of several parts of a library, both numbers are sums. SPEC §25.2 */
export interface WordTotals {
  /** The number of chunks. */
  readonly chunks: number;
  /** The number of tokens in all columns of all chunks. */
  readonly tokens: number;
}

/** FTS5's BM25, or BM25+, which adds 1 for every item that a chunk has. SPEC §25.3 and §25.4 */
export type Bm25Scoring = "bm25" | "bm25plus";

/** FTS5's constants. */
const K1 = 1.2;
const B = 0.75;
/** Stands for the idf of an item that half of the chunks or more have. */
const IDF_MIN = 1e-6;
/** What BM25+ adds for an item that occurs. */
const DELTA = 1;

/** Returns the inverse document frequency of an item that `having` of `chunks` chunks have. SPEC §25.3 */
export function inverseDocumentFrequency(chunks: number, having: number): number {
  const idf = naturalLogarithm((chunks - having + 0.5) / (having + 0.5));
  return idf <= 0 ? IDF_MIN : idf;
}

/** Returns K, by which the length of a chunk counts. SPEC §25.3 */
export function lengthFactor(totals: WordTotals, tokens: number): number {
  return K1 * (1 - B + (B * tokens) / (totals.tokens / totals.chunks));
}

/** Returns what an item adds to the score of a chunk that has it `count` times. SPEC §25.3 and §25.4 */
export function itemScore(idf: number, count: number, factor: number, scoring: Bm25Scoring): number {
  const share = (count * (K1 + 1)) / (count + factor);
  return idf * (scoring === "bm25plus" ? DELTA + share : share);
}

/**
 * Returns the function that scores a chunk by its counts: how often it has each item, in the order of the MATCH
 * expression, and its number of tokens. The score equals FTS5's `bm25()` to the last bit: negative, lower is better.
 * Totals and frequencies may be those of a part of a library, or of several libraries together. SPEC §25.3 and §25.4
 *
 * @param having the number of chunks that have each item, in the same order
 */
export function bm25FromCounts(
  totals: WordTotals,
  having: readonly number[],
  scoring: Bm25Scoring = "bm25",
): (counts: ArrayLike<number>, tokens: number) => number {
  const idf = having.map((chunks) => inverseDocumentFrequency(totals.chunks, chunks));
  return (counts, tokens) => {
    const factor = lengthFactor(totals, tokens);
    let score = 0;
    for (let item = 0; item < idf.length; item++) {
      const count = counts[item]!;
      // An item that is absent adds +0, which changes no bit of a sum that started at +0.
      if (count > 0) score += itemScore(idf[item]!, count, factor, scoring);
    }
    return -1 * score;
  };
}
