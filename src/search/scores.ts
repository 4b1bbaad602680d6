import { SCALE } from "../vectors/vector.ts";

/** Scores for people: from 0 to 1 within one list. They are shown, and decide nothing. SPEC §16.4 */

/** The cosine of two unit vectors from their dot product; a little above 1 is possible. */
export function cosine(dot: number): number {
  return dot / SCALE;
}

export function normalisedCosine(dot: number): number {
  return Math.max(0, cosine(dot));
}

/** Of each of a list's bm25 scores (negative, lower is better): 1 for the best, 0 for the worst, 1 where all are equal. */
export function normalisedBm25(scores: readonly number[]): number[] {
  let best = Number.POSITIVE_INFINITY;
  let worst = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    best = Math.min(best, score);
    worst = Math.max(worst, score);
  }
  return scores.map((score) => (worst === best ? 1 : (worst - score) / (worst - best)));
}
