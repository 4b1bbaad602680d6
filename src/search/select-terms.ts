/** A term and the number of chunks in which it occurs. */
export interface TermFrequency {
  readonly term: string;
  readonly chunks: number;
}

export interface TermBudget {
  /** Matches that a query may always have. */
  readonly matches: number;
  /** In a large library: this many thousandths of its chunks, if that is more. */
  readonly shareThousandths: number;
}

export const TERM_BUDGET: TermBudget = { matches: 20_000, shareThousandths: 100 };

/**
 * Leaves out the commonest terms of a query whose matches would be too many to rank in time: bm25 costs the same for
 * every match, and common terms bring many and weigh little. A function of the set of chunks alone. SPEC §15.7
 *
 * @returns the kept terms, in the order of the query.
 */
export function selectTerms(
  terms: readonly TermFrequency[],
  totalChunks: number,
  { matches, shareThousandths }: TermBudget = TERM_BUDGET,
): string[] {
  const budget = Math.max(matches, Math.floor((totalChunks * shareThousandths) / 1000));
  const rarestFirst = terms
    .map((_, index) => index)
    .sort((a, b) => terms[a]!.chunks - terms[b]!.chunks || a - b);
  const kept = new Set<number>();
  let spent = 0;
  for (const index of rarestFirst) {
    const { chunks } = terms[index]!;
    // The rarest term that occurs at all is kept at any price.
    if (spent > 0 && spent + chunks > budget) break;
    spent += chunks;
    kept.add(index);
  }
  return terms.filter((_, index) => kept.has(index)).map(({ term }) => term);
}
