import { SelfsameError } from "../errors/selfsame-error.ts";
import { type ResolvedParameters, withoutSparse } from "../search/parameters.ts";
import type { ParsedQuery } from "../search/parse-query.ts";
import type { Searched } from "./searched.ts";

export interface QueryVector {
  /** null if no vector is needed, or if none is available: then a warning says why. */
  readonly vector: Int16Array | null;
  readonly warnings: readonly string[];
}

/** The query's own tokens, none if it came with terms; null if the sparse channel is not searched. */
export interface QueryTokens {
  readonly tokens: readonly string[] | null;
  readonly warnings: readonly string[];
}

/** No vector is needed. */
export const NO_VECTOR: QueryVector = { vector: null, warnings: [] };

/** Returns what is done without a vector of the query. SPEC §20.7 */
export function doneInstead({ mode, sparseWeight }: ResolvedParameters): string {
  if (mode === "semantic") return "nothing was searched";
  if (mode === "lexical") return "results were not diversified";
  return sparseWeight > 0 ? "only words and sparse vectors were searched" : "only words were searched";
}

/** Returns the query's vector, or a warning: without a vector, only words are searched. SPEC §20.7 */
export async function queryVector(
  searched: Searched,
  { semanticText }: ParsedQuery,
  p: ResolvedParameters,
): Promise<QueryVector> {
  const { mode, lambda, vector } = p;
  const isWanted = mode !== "lexical" || lambda !== null; // diversity is measured against the query's vector
  const without = (why: string) => ({ vector: null, warnings: [why] });
  const aside = isWanted ? (searched.vectorsAside?.() ?? null) : null;
  if (aside !== null) return without(`${aside}, so ${doneInstead(p)}`);
  if (isWanted && vector !== null) return { vector, warnings: [] };
  if (!isWanted || semanticText === "") return NO_VECTOR;
  // A library of external vectors cannot embed a query itself. SPEC §23.4
  if (searched.dimension !== null)
    return without(
      `no vector of the query, so ${doneInstead(p)} (give the parameter vector, or a featureGenerator to open())`,
    );
  try {
    return { vector: await searched.embed(semanticText), warnings: [] };
  } catch (error) {
    // A model that was never named does not become available by itself: the user is told, whatever the mode.
    if (!(error instanceof SelfsameError) || error.code === "CANON_MISMATCH") throw error;
    return without(`the query could not be embedded, so ${doneInstead(p)} (${error.code}: ${error.message})`);
  }
}

/**
 * Returns the query's own tokens, for the sparse channel. Without the tokenizer, that channel is left out: the
 * parameters that are returned say so. SPEC §24.3
 */
export async function queryTokens(
  searched: Searched,
  { semanticText }: ParsedQuery,
  p: ResolvedParameters,
): Promise<QueryTokens & { readonly p: ResolvedParameters }> {
  if (p.sparseWeight === 0) return { p, tokens: null, warnings: [] };
  if (p.sparse !== null || semanticText === "") return { p, tokens: [], warnings: [] };
  try {
    const tokenizer = await searched.tokenizer();
    const { ids } = tokenizer.tokenize(semanticText, searched.identity.limit);
    const own = Array.from(ids.subarray(1, -1), (id) => tokenizer.tokens[id]!); // without [CLS] and [SEP]
    return { p, tokens: own, warnings: [] };
  } catch (error) {
    if (!(error instanceof SelfsameError)) throw error;
    // Where the model makes the vectors, it is told as for them.
    if (error.code === "CANON_MISMATCH" && searched.dimension === null) throw error;
    const warning = `the query has no terms and its own could not be found, so sparse vectors were not searched (${error.code}: ${error.message})`;
    return { p: withoutSparse(p), tokens: null, warnings: [warning] };
  }
}
