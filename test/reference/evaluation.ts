// Measures of rankings (SPEC §19), straight from their definitions. Logarithms are the host's: vectors hold six digits.

export interface Measures {
  precision: number;
  recall: number;
  ndcg: number;
  reciprocalRank: number;
}

export function measures(
  ranking: readonly string[],
  grades: Readonly<Record<string, number>>,
  k: number,
): Measures | null {
  const isRelevant = (id: string): boolean => (grades[id] ?? 0) >= 1;
  const total = Object.keys(grades).filter(isRelevant).length;
  if (total === 0) return null;
  const list = ranking.filter((id, i) => ranking.indexOf(id) === i);
  const retrieved = list.slice(0, k).filter(isRelevant).length;
  const gain = (gains: readonly number[]): number =>
    gains.slice(0, k).reduce((sum, each, i) => sum + Math.max(each, 0) / Math.log2(i + 2), 0);
  const first = list.findIndex(isRelevant);
  return {
    precision: retrieved / k,
    recall: retrieved / total,
    ndcg: gain(list.map((id) => grades[id] ?? 0)) / gain(Object.values(grades).sort((a, b) => b - a)),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
  };
}
