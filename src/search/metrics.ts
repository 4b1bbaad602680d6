/** Measures a ranking against human judgements. The figures are for people and the same on every device. SPEC §19 */

/** Grades by id; above 0 is relevant. A missing id was not judged, and counts as 0. */
export type Grades = ReadonlyMap<string, number>;

/** The quality of one ranking, or the mean of many; each figure is from 0 to 1. SPEC §19.1 */
export interface Metrics {
  /** The share of the first k that is relevant. */
  readonly precision: number;
  /** The share of all relevant ones that is among the first k. */
  readonly recall: number;
  /** How close the ranking is to the ideal one by grades; early ranks count more. */
  readonly ndcg: number;
  /** 1 / the rank of the first relevant one; 0 if there is none. Its mean is the MRR. */
  readonly reciprocalRank: number;
}

/** The quality of the rankings of several queries. */
export interface Evaluation {
  /** The mean over all queries with a relevant judgement, in millionths. */
  readonly mean: Metrics;
  /** The number of queries in the mean. */
  readonly queries: number;
  /** The number of queries without judgements, or without anything relevant: they are left out. */
  readonly skipped: number;
}

/** Returns the means over all queries. A query without a ranking counts as one that found nothing. SPEC §19.2 */
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

/**
 * Measures one ranking, best first; null if nothing is relevant. A duplicate id counts at its first rank. SPEC §19.1
 */
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
 * Returns the binary logarithm of a whole number from 2 to 2⁵³, within 2 units in the last place. Math.log2 differs
 * between engines in its last bits; this uses only +, −, × and ÷. SPEC §19.1
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
