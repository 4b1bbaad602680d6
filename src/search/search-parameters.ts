import type { Bm25Scoring } from "./bm25.ts";
import type { Filters } from "./filters.ts";

/** Semantic, lexical, or both, fused. */
export type SearchMode = "hybrid" | "semantic" | "lexical";

/** The contract whose defaults a search uses. SPEC §20.2 */
export type PresetName = "cfs" | "rifflux" | "orchestration" | "docstokg";

/**
 * The parameters of a search. Every field has a default. `SEARCH_PARAMETERS` has a row for each, with its range and its
 * default. SPEC §20.1
 */
export interface SearchParameters {
  /** Which channels are searched; default `hybrid`. */
  readonly mode?: SearchMode;
  /** How many results; default 10. */
  readonly topK?: number;
  /** How many candidates the semantic channel returns; default 20, or `topK` or `pageSize` if that is larger. */
  readonly semanticK?: number;
  /** How many candidates the lexical channel returns; the same default. */
  readonly lexicalK?: number;
  /** How many candidates the sparse channel returns, if it has a weight; default 80. */
  readonly sparseK?: number;
  /** How words are scored: `bm25`, the default, or `bm25plus`. */
  readonly bm25Scoring?: Bm25Scoring;
  /** The constant of reciprocal rank fusion; default 60. */
  readonly rrfK?: number;
  /** The weight of each channel in fusion; default 1, 1 and 0. */
  readonly weights?: ChannelWeights;
  /**
   * The query's vector, as numbers of any length, instead of the one that the library's model computes. A library whose
   * vectors come from elsewhere needs it to search by meaning.
   */
  readonly vector?: QueryVector;
  /** The query's terms and weights for the sparse channel; default: its WordPiece tokens and their rarity. */
  readonly sparse?: SparseVector;
  /** The breadth of the graph search, if the graph is used; default 50. */
  readonly ef?: number;
  /** Compares all vectors, even if the graph would be used. */
  readonly exact?: boolean;
  /** Among equal scores, results that both channels found come first. */
  readonly preferCoverage?: boolean;
  /** Which documents are searched; default all. */
  readonly filters?: Filters;
  /**
   * `pre`, the default: channels see only documents that pass. `post`: they see everything, and the filters apply to
   * the fused list.
   */
  readonly filterMode?: "pre" | "post";
  /** Makes results differ from each other; `true` means a λ of 0.7. */
  readonly diversify?: boolean | Diversity;
  /** `path`: one result per document, and documents are fused instead of chunks. */
  readonly groupBy?: "path";
  /** Results come in pages of this size, instead of only the first `topK`. */
  readonly pageSize?: number;
  /**
   * Folds results into a better one whose SimHash differs in at most this many of 64 bits; the better one lists them as
   * `duplicates`. Default 0: none. 3 is usual. SPEC §16.6
   */
  readonly nearDuplicates?: number;
  /** The least cosine of results that only the semantic channel found; default none. SPEC §16.5 */
  readonly minSimilarity?: number;
  /** Whether a quoted phrase is required of semantic results, too; default true. SPEC §15.5 */
  readonly bindPhrases?: boolean;
  /** Whether words that no document has are replaced by the nearest words that one has; default true. SPEC §15.9 */
  readonly spelling?: boolean;
  /** Where the next page starts: `nextCursor` of the previous page. */
  readonly cursor?: string;
  /** Adds an explanation of the ranking to the answer. */
  readonly explain?: boolean;
  /** Uses the defaults of a contract. Parameters that are given override them. SPEC §20.2 */
  readonly preset?: PresetName;
}

/** The weight of each channel in fusion. */
export interface ChannelWeights {
  /** The semantic channel's weight; default 1. */
  readonly semantic?: number;
  /** The lexical channel's weight; default 1. */
  readonly lexical?: number;
  /** The sparse channel's weight; default 0, and then it is not searched. */
  readonly sparse?: number;
}

/** The numbers of a vector, as a model gives them. SPEC §9.6 */
export type QueryVector = readonly number[] | Float32Array;

/** How much results should differ from each other. */
export interface Diversity {
  /** From 0, as different as possible, to 1, only by relevance; default 0.7. */
  readonly lambda?: number;
}

/** A sparse vector as a model gives it. SPEC §24.1 */
export interface SparseVector {
  /** Each term once. */
  readonly terms: readonly string[];
  /** The weight of each term, in the same order: finite numbers from 0. */
  readonly weights: readonly number[];
}
