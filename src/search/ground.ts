import type { SparseHit, SparseTerms } from "../vectors/sparse-index.ts";
import type { Bm25Scoring } from "./bm25.ts";
import type { Content } from "./chunk-contents.ts";
import type { Place } from "./chunk-places.ts";
import type { CompiledFilters } from "./filters.ts";
import type { LexicalHit } from "./lexical.ts";
import type { NearWords } from "./near-words.ts";
import type { ParsedQuery } from "./parse-query.ts";
import { asking, type Pipeline } from "./pipeline.ts";

/** One state of a library, as the pipeline of a search asks it. Ids are in lower-case hexadecimal. SPEC §20 */
export interface SearchGround {
  /**
   * Returns of each word whether a chunk has it, in any of the forms that share its stem. SPEC §15.9
   *
   * @param next what `lists` is asked if all occur, for a ground that can prepare the answer meanwhile
   */
  occurring(words: readonly string[], next: ListsQuestion): readonly boolean[];
  /** Returns for each word the nearest words of the vocabulary. SPEC §15.9 */
  nearWords(words: readonly string[]): readonly NearWords[];
  /** Returns the lists of all channels that are asked for. */
  lists(question: ListsQuestion): ChannelLists;
  /** Returns where chunks are, in any order. */
  places(chunkIds: readonly string[]): readonly Place[];
  /** Returns those of the documents that pass the filters. */
  passing(documentIds: readonly string[], filters: CompiledFilters): ReadonlySet<string>;
  /** Returns the SimHashes of those chunks that have terms. SPEC §16.6 */
  simHashes(chunks: readonly ChunkName[]): ReadonlyMap<string, Uint8Array>;
  /** Returns the vectors of those chunks that have one. */
  vectors(chunks: readonly ChunkName[]): ReadonlyMap<string, Int16Array>;
  /** Returns the dot products of a vector with those of the chunks that have one. */
  dots(chunks: readonly ChunkName[], vector: Int16Array): ReadonlyMap<string, number>;
  /** Returns what is displayed of chunks. */
  contents(chunks: readonly ChunkName[]): ReadonlyMap<string, Content>;
}

/** A chunk, and the document that it belongs to. */
export type ChunkName = Pick<Place, "chunkId" | "documentId">;

/** What the channels are asked; null for a channel that is not searched. */
export interface ListsQuestion {
  readonly query: Pick<ParsedQuery, "phrases" | "terms" | "excluded">;
  /** Whether only chunks with all phrases are found by vectors. SPEC §20.4 */
  readonly bindsPhrases: boolean;
  /** What documents must pass to be found; null for all. */
  readonly filters: CompiledFilters | null;
  readonly lexical: { readonly k: number; readonly scoring: Bm25Scoring } | null;
  readonly semantic: NearestQuestion | null;
  readonly sparse: SparseQuestion | null;
}

export interface NearestQuestion {
  readonly vector: Int16Array;
  readonly k: number;
  readonly ef: number;
  /** Whether graphs may answer, where there are some. */
  readonly allowsGraph: boolean;
}

export interface SparseQuestion {
  /** The terms that came with the query; null for its own tokens. */
  readonly terms: SparseTerms | null;
  readonly tokens: readonly string[];
  readonly k: number;
}

export interface ChannelLists {
  /** By (bm25, path, sequence). */
  readonly lexical: readonly LexicalHit[];
  /** By (dot descending, id). */
  readonly semantic: readonly SemanticHit[];
  /** By (score descending, id). */
  readonly sparse: readonly SparseHit[];
}

export interface SemanticHit {
  readonly id: string;
  readonly dot: number;
}

/** The steps of a ranking that are timed. */
export type RankingStage = "semantic" | "lexical" | "sparse" | "fusion" | "diversity";

/** Starts to time a step. Returns the function that stops it. The time decides nothing. */
export type Stopwatch = (stage: RankingStage) => () => void;

/** A pipeline that asks one state of a library. */
export type SearchPipeline<T> = Pipeline<SearchGround, T>;

/** Asks the ground: `yield* ask("places", ids)`. */
export const ask = asking<SearchGround>();
