import { SCALE } from "../vectors/vector.ts";

/** How near a chunk is to a query, in a word for people. */
export type Closeness = "close" | "related" | "weak";

/** The least dot products that count as related and as close. They are a property of the model. SPEC §16.5 */
export interface ClosenessThresholds {
  /** The least dot product of a related chunk. */
  readonly related: number;
  /** The least dot product of a close chunk. */
  readonly close: number;
}

/** Returns the word for a dot product. SPEC §16.5 */
export function closenessOf(dot: number, { related, close }: ClosenessThresholds): Closeness {
  if (dot >= close) return "close";
  return dot >= related ? "related" : "weak";
}

/** Returns whether a dot product reaches a minimum cosine: one rounded product, the same on every host. SPEC §16.5 */
export function reaches(dot: number, minSimilarity: number): boolean {
  return dot >= minSimilarity * SCALE;
}

/** Returns the dot product of two vectors. Every partial sum is an integer below 2⁵³, so it is exact. SPEC §10.1 */
export function dotProduct(a: Int16Array, b: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
