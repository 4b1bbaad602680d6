/** The counts of work that a time budget stands for. SPEC §26.2 */
export interface Work {
  /** The number of candidates that each store gives, for each result that is wanted. */
  readonly perResult: number;
  /** How many links the graph of documents is followed from the documents that a query names. */
  readonly hops: number;
  /** How many of the first results a cross-encoder may rank again. */
  readonly pairs: number;
}

/**
 * From which time budget on, in milliseconds, how much work is done. Counts and not times, so that the same budget gives
 * the same answer on a fast device and on a slow one. SPEC §26.2
 */
export const BUDGETS: readonly (Work & {
  /** The least time budget of this row, in milliseconds. */
  readonly from: number;
})[] = [
  { from: 5, perResult: 1, hops: 0, pairs: 0 },
  { from: 10, perResult: 2, hops: 1, pairs: 0 },
  { from: 20, perResult: 2, hops: 2, pairs: 4 },
  { from: 100, perResult: 2, hops: 2, pairs: 12 },
  { from: 250, perResult: 3, hops: 2, pairs: 24 },
  { from: 500, perResult: 4, hops: 2, pairs: 50 },
];

/** Returns the work of a budget, which is at least 5 ms. SPEC §26.2 */
export function workOf(timeBudgetMs: number): Work {
  let work = BUDGETS[0]!;
  for (const each of BUDGETS) if (timeBudgetMs >= each.from) work = each;
  const { perResult, hops, pairs } = work;
  return { perResult, hops, pairs };
}
