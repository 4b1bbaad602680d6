/** How good a ranking is by people's judgements. Figures for people, the same ones on every device. SPEC §19 */

/** Grades by id; above 0 is relevant. An id that is not there was not judged, and counts as 0. */
export type Grades = ReadonlyMap<string, number>;

/** How good one ranking is, or the mean of many; each from 0 to 1. SPEC §19.1 */
export interface Metrics {
  /** The share of relevant ones among the first k. */
  readonly precision: number;
  /** The share of the relevant ones that are among the first k. */
  readonly recall: number;
  /** How near the ranking is to the best one by grades, early places counting more. */
  readonly ndcg: number;
  /** 1 / the rank of the first relevant one, 0 if there is none. Its mean is the MRR. */
  readonly reciprocalRank: number;
}

/** How good the rankings of several queries are. */
export interface Evaluation {
  /** The mean over all queries with a relevant judgement, in millionths. */
  readonly mean: Metrics;
  /** How many queries the mean is over. */
  readonly queries: number;
  /** Queries that no one judged, or without anything relevant: they say nothing. */
  readonly skipped: number;
}

/** Means over queries. A query that has no ranking counts as one that found nothing. SPEC §19.2 */
export function evaluate(
  rankings: ReadonlyMap<string, readonly string[]>,
  judgements: ReadonlyMap<string, Grades>,
  k: number,
): Evaluation {
  const all: Metrics[] = [];
  let skipped = 0;
  for (const query of new Set([...rankings.keys(), ...judgements.keys()])) {
    const metrics = measure(rankings.get(query) ?? [], judgements.get(query) ?? new Map(), k);
    if (metrics === null) skipped++;
    else all.push(metrics);
  }
  const mean = (pick: (metrics: Metrics) => number): number =>
    all.length === 0 ? 0 : millionths(all.reduce((sum, metrics) => sum + pick(metrics), 0) / all.length);
  return {
    mean: {
      precision: mean(({ precision }) => precision),
      recall: mean(({ recall }) => recall),
      ndcg: mean(({ ndcg }) => ndcg),
      reciprocalRank: mean(({ reciprocalRank }) => reciprocalRank),
    },
    queries: all.length,
    skipped,
  };
}

/** Of one ranking, best first; null if nothing is relevant. An id that stands twice counts at its first place. SPEC §19.1 */
export function measure(ranking: readonly string[], grades: Grades, k: number): Metrics | null {
  const relevant = [...grades.values()].filter((grade) => grade > 0);
  if (relevant.length === 0) return null;
  const found = [...new Set(ranking)].map((id) => Math.max(0, grades.get(id) ?? 0));
  const hits = found.slice(0, k).filter((grade) => grade > 0).length;
  const first = found.findIndex((grade) => grade > 0);
  const ideal = relevant.sort((a, b) => b - a);
  return {
    precision: hits / k,
    recall: hits / relevant.length,
    ndcg: discounted(found, k) / discounted(ideal, k),
    reciprocalRank: first === -1 ? 0 : 1 / (first + 1),
  };
}

/** Σ grade / log2(i + 2), i ascending from 0. */
function discounted(grades: readonly number[], k: number): number {
  let sum = 0;
  for (let i = 0; i < Math.min(k, grades.length); i++) sum += grades[i]! / log2(i + 2);
  return sum;
}

/**
 * The binary logarithm of a whole number from 2 to 2⁵³, within 2 units in the last place. Math.log2 differs between
 * engines in its last bits; this is +, −, × and ÷ alone. SPEC §19.1
 */
export function log2(n: number): number {
  let exponent = 0;
  let m = n;
  // Halving is exact.
  while (m >= 2) {
    m /= 2;
    exponent++;
  }
  if (m >= 1.5) {
    m /= 2;
    exponent++;
  }
  const z = (m - 1) / (m + 1);
  let sum = 1 / 23;
  for (let odd = 21; odd >= 1; odd -= 2) sum = sum * (z * z) + 1 / odd;
  return exponent + z * sum * 2.8853900817779268; // 2 / ln 2
}

function millionths(value: number): number {
  return Math.floor(value * 1e6 + 0.5) / 1e6;
}
