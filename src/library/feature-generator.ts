/** What an application computes of a query, for a library whose vectors come from outside. */
export interface QueryFeatures {
  /** The dense vector, of the library's dimension. */
  readonly vector?: readonly number[] | Float32Array | null;
  /** The sparse vector. */
  readonly sparse?: { readonly terms: readonly string[]; readonly weights: readonly number[] } | null;
}

/**
 * Computes the vectors of a query with the models that made those of the library. The same text must always give the
 * same vectors. Receipts hold the vectors, so that devices without the models can verify them.
 */
export type FeatureGenerator = (query: string) => QueryFeatures | Promise<QueryFeatures>;
