/** A term and the number of chunks in which it occurs. */
export interface TermFrequency {
  readonly term: string;
  readonly chunks: number;
}

/**
 * The most matches that the terms of one query may add up to. bm25 costs the same for every match, so this bounds the
 * time of a lexical search for any size of library. SPEC §15.7
 */
export const LEXICAL_BUDGET = 20_000;

/**
 * Drops the most common terms of a query if the matches would exceed the budget: they bring many matches and carry
 * little weight. SPEC §15.7
 *
 * @returns the kept terms, in the order of the query
 */
export function selectTerms(terms: readonly TermFrequency[], budget = LEXICAL_BUDGET): string[] {
  const rarestFirst = terms
    .map((_, index) => index)
    .sort((a, b) => terms[a]!.chunks - terms[b]!.chunks || a - b);
  const kept = new Set<number>();
  let spent = 0;
  for (const index of rarestFirst) {
    const { chunks } = terms[index]!;
    // The rarest term that occurs at all is always kept.
    if (spent > 0 && spent + chunks > budget) break;
    spent += chunks;
    kept.add(index);
  }
  return terms.filter((_, index) => kept.has(index)).map(({ term }) => term);
}
