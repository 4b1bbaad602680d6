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
  /** The constant of reciprocal rank fusion; default 60. */
  readonly rrfK?: number;
  /** The weight of each channel in fusion; default 1 and 1. */
  readonly weights?: ChannelWeights;
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
}

/** How much results should differ from each other. */
export interface Diversity {
  /** From 0, as different as possible, to 1, only by relevance; default 0.7. */
  readonly lambda?: number;
}
