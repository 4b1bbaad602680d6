import { SPARSE_ONE } from "../vectors/sparse-weight.ts";
import { SCALE } from "../vectors/vector.ts";

/** Scores for people, from 0 to 1. They are for display and decide nothing. SPEC §16.4 */

/** Returns the cosine of two unit vectors from their dot product. Rounding can put it slightly outside −1 to 1. */
export function cosine(dot: number): number {
  return dot / SCALE;
}

/** Returns the cosine clamped to [0, 1]: the score of a semantic result. */
export function normalisedCosine(dot: number): number {
  return Math.min(1, Math.max(0, cosine(dot)));
}

/** Returns the sum of products of sparse weights from that of their integers. */
export function sparseScore(score: number): number {
  return score / (SPARSE_ONE * SPARSE_ONE);
}

/**
 * Scales each bm25 of a list (lower is better) to between 0, the worst, and 1, the best. If all are equal, each is 1.
 */
export function normalisedBm25(scores: readonly number[]): number[] {
  let best = Number.POSITIVE_INFINITY;
  let worst = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    best = Math.min(best, score);
    worst = Math.max(worst, score);
  }
  return scores.map((score) => (worst === best ? 1 : (worst - score) / (worst - best)));
}
