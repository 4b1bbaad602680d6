import type { Filters } from "./filters.ts";

/** By meaning, by words, or by both, fused. */
export type SearchMode = "hybrid" | "semantic" | "lexical";

/** The contract whose defaults a search takes. SPEC §20.2 */
export type PresetName = "cfs" | "rifflux" | "orchestration" | "docstokg";

/**
 * How a search is made. Every field has a default. `SEARCH_PARAMETERS` has a row for each, with its range and its default.
 * SPEC §20.1
 */
export interface SearchParameters {
  /** Which channels are searched; default `hybrid`. */
  readonly mode?: SearchMode;
  /** How many results; default 10. */
  readonly topK?: number;
  /** How many candidates the semantic channel gives; default 20, or `topK` or `pageSize` if that is more. */
  readonly semanticK?: number;
  /** How many candidates the lexical channel gives; the same default. */
  readonly lexicalK?: number;
  /** The constant of reciprocal rank fusion; default 60. */
  readonly rrfK?: number;
  /** How much each channel counts in fusion; default 1 and 1. */
  readonly weights?: ChannelWeights;
  /** How widely the graph is searched, if the graph answers; default 50. */
  readonly ef?: number;
  /** Compares all vectors, even if the graph would answer. */
  readonly exact?: boolean;
  /** Among equal scores, results that both channels found come first. */
  readonly preferCoverage?: boolean;
  /** Which documents are searched; default all. */
  readonly filters?: Filters;
  /** `pre`, the default: channels see only what passes. `post`: they see everything, and the filters apply to the fused list. */
  readonly filterMode?: "pre" | "post";
  /** Makes results differ from each other; `true` means a λ of 0.7. */
  readonly diversify?: boolean | Diversity;
  /** `path`: one result per document, and documents are fused instead of chunks. */
  readonly groupBy?: "path";
  /** Results come in pages of this size, instead of the first `topK`. */
  readonly pageSize?: number;
  /** Where the next page starts: `nextCursor` of the page before. */
  readonly cursor?: string;
  /** Adds to the answer how the ranking came about. */
  readonly explain?: boolean;
  /** Takes the defaults of a contract. What is given besides overrides them. SPEC §20.2 */
  readonly preset?: PresetName;
}

/** How much each channel counts in fusion. */
export interface ChannelWeights {
  /** The semantic channel's weight; default 1. */
  readonly semantic?: number;
  /** The lexical channel's weight; default 1. */
  readonly lexical?: number;
}

/** How much results should differ from each other. */
export interface Diversity {
  /** From 0, as different as possible, to 1, by relevance alone; default 0.7. */
  readonly lambda?: number;
}
