import { SCALE } from "../vectors/vector.ts";

/** Scores for people, from 0 to 1. They are shown and decide nothing. SPEC §16.4 */

/** Returns the cosine of two unit vectors from their dot product. Rounding can put it a little outside of −1 to 1. */
export function cosine(dot: number): number {
  return dot / SCALE;
}

/** Returns the cosine clamped to [0, 1]: the score of a result by meaning. */
export function normalisedCosine(dot: number): number {
  return Math.min(1, Math.max(0, cosine(dot)));
}

/** Returns for each bm25 of a list (lower is better) its place between the worst, 0, and the best, 1; all equal: 1. */
export function normalisedBm25(scores: readonly number[]): number[] {
  let best = Number.POSITIVE_INFINITY;
  let worst = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    best = Math.min(best, score);
    worst = Math.max(worst, score);
  }
  return scores.map((score) => (worst === best ? 1 : (worst - score) / (worst - best)));
}
