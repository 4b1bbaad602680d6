import { breadcrumb } from "../chunks/outline.ts";
import type { Content } from "./chunk-contents.ts";
import { type Closeness, type ClosenessThresholds, closenessOf } from "./closeness.ts";
import { type Highlight, highlightsOf } from "./highlights.ts";
import { ItemFinder } from "./occurrences.ts";
import type { ResolvedParameters } from "./parameters.ts";
import type { Receipt } from "./receipt.ts";
import type { DoneMode } from "./receipt-parameters.ts";
import { cosine, normalisedBm25, normalisedCosine, sparseScore } from "./scores.ts";
import type { Ranked, Ranking } from "./search.ts";
import type { SearchMode } from "./search-parameters.ts";
import type { Correction } from "./spelling.ts";

/** The raw numbers behind a score, by mode. A number is null if its channel did not find the chunk. */
export type ScoreBreakdown = LexicalScore | SemanticScore | HybridScore;

/** The raw numbers behind a score in mode lexical. */
export interface LexicalScore {
  /** bm25 as SQLite's FTS5 computes it: lower is better. */
  readonly bm25: number;
}

/** The raw numbers behind a score in mode semantic. */
export interface SemanticScore {
  /** The cosine of the query's vector and the chunk's vector: 1 means the same direction. */
  readonly cosine: number;
}

/** The raw numbers behind a fused score: in mode hybrid, and in mode lexical if the sparse channel has a weight. */
export interface HybridScore {
  /** The fused score: the sum of weight / (rrfK + rank). */
  readonly rrf: number;
  /** The rank in the lexical list, from 1. */
  readonly lexicalRank: number | null;
  /** The rank in the semantic list, from 1. */
  readonly semanticRank: number | null;
  /** The rank in the sparse list, from 1; absent if that channel was not searched. */
  readonly sparseRank?: number | null;
}

/** A chunk that a search found. */
export interface SearchResult {
  /** The chunk's id, in hexadecimal. */
  readonly chunkId: string;
  /** The document's id, in hexadecimal. */
  readonly documentId: string;
  /** The document's path. */
  readonly path: string;
  /** The titles of the headings above the chunk, outermost first. */
  readonly headingPath: readonly string[];
  /** The same titles in one line: `Trees > Roots`. */
  readonly breadcrumb: string;
  /** The chunk's position in the document, from 0. */
  readonly chunkIndex: number;
  /** The line that the chunk starts in, from 1: of the file on disk, or of the text that was read out of it. */
  readonly line: number;
  /** The page that it starts on, from 1; null if the document has no pages. */
  readonly page: number | null;
  /** The chunk's text. */
  readonly content: string;
  /**
   * Depends on the mode: the fused score, the cosine clamped to 0 to 1, or bm25 scaled to 0 to 1 within the list. For
   * display only.
   */
  readonly score: number;
  /** The raw numbers behind the score. */
  readonly scoreBreakdown: ScoreBreakdown;
  /** Which list contains the chunk: the lexical, the semantic or the sparse one, or several (`hybrid`). */
  readonly match: "lexical" | "semantic" | "sparse" | "hybrid";
  /** The cosine of the query's vector and the chunk's, whichever list contains it; null if one has no vector. */
  readonly cosine: number | null;
  /** A word for the cosine; null without a cosine, and for models that define no such words. SPEC §16.5 */
  readonly closeness: Closeness | null;
  /** The ids of results that are nearly the same and were folded into this one; absent without `nearDuplicates`. */
  readonly duplicates?: readonly string[];
  /** The ranges of the tokens that matched, in the UTF-8 bytes of `content`. */
  readonly highlights: readonly Highlight[];
  /** The fields that came with a chunk that was made elsewhere; null for one that was cut here. */
  readonly fields: { readonly [name: string]: unknown } | null;
  /** What was given with the document; a field is null if it was not given. */
  readonly document: {
    /** Milliseconds since 1970. */
    readonly modifiedAt: number | null;
    /** The media type, such as `text/markdown`. */
    readonly mime: string | null;
    /** The metadata that was given with the document. */
    readonly metadata: unknown;
  };
}

/** How a ranking was computed. */
export interface Explanation {
  /** The number of distinct chunks in all lists together. */
  readonly totalCandidates: number;
  /** The weight of each channel; that of the sparse one only if it was searched. */
  readonly weights: Readonly<Record<"semantic" | "lexical", number>> & {
    /** Absent if the sparse channel was not searched. */
    readonly sparse?: number;
  };
  /** The constant of reciprocal rank fusion. */
  readonly rrfK: number;
  /** The MATCH expression given to FTS5; null if the query has no words for it. */
  readonly matchExpression: string | null;
  /** The semantic list, best first. */
  readonly semantic: readonly ExplainedSemantic[];
  /** The lexical list, best first. */
  readonly lexical: readonly ExplainedLexical[];
  /** The sparse list, best first; absent if that channel was not searched. */
  readonly sparse?: readonly ExplainedSparse[];
  /** The fused list, best first. */
  readonly fused: readonly ExplainedFusion[];
}

/** An entry in the sparse list. */
export interface ExplainedSparse {
  /** The chunk's id, in hexadecimal. */
  readonly chunkId: string;
  /** The rank, from 1. */
  readonly rank: number;
  /** The sum of products of the weights that the chunk and the query share. */
  readonly score: number;
}

/** An entry in the semantic list. */
export interface ExplainedSemantic {
  /** The chunk's id, in hexadecimal. */
  readonly chunkId: string;
  /** The rank, from 1. */
  readonly rank: number;
  /** The cosine of the query's vector and the chunk's vector. */
  readonly cosine: number;
}

/** An entry in the lexical list. */
export interface ExplainedLexical {
  /** The chunk's id, in hexadecimal. */
  readonly chunkId: string;
  /** The rank, from 1. */
  readonly rank: number;
  /** Lower is better. */
  readonly bm25: number;
}

/** An entry in the fused list. */
export interface ExplainedFusion {
  /** The chunk's id, in hexadecimal. */
  readonly chunkId: string;
  /** The document's path. */
  readonly path: string;
  /** The chunk's position in the document, from 0. */
  readonly chunkIndex: number;
  /** The rank, from 1. */
  readonly rank: number;
  /** The fused score. */
  readonly score: number;
}

/** The answer of `Library.search`. */
export interface SearchAnswer {
  /** The query text in canonical form. */
  readonly query: string;
  /** The mode that was used. */
  readonly mode: SearchMode;
  /** The results, best first. */
  readonly results: readonly SearchResult[];
  /** The cursor of the next page; null on the last page, and without `pageSize`. */
  readonly nextCursor: string | null;
  /** The words of the query that no document has, each with the word that was searched for instead. SPEC §15.9 */
  readonly corrections: readonly Correction[];
  /** Whether no result has one of the words, and none is even related. The results are the nearest. SPEC §16.5 */
  readonly nothingClose: boolean;
  /** Whether all words of the query are stop words, which say little. SPEC §15.4 */
  readonly onlyStopWords: boolean;
  /** What could not be done, and what was done instead. */
  readonly warnings: readonly string[];
  /** The receipt, with which any device can check this answer. */
  readonly receipt: Receipt;
  /** How the ranking was computed, if `explain` was set. */
  readonly explanation?: Explanation;
  /** How long each step took. */
  readonly timings: SearchTimings;
}

/** Times in milliseconds. This is the only part of an answer that differs from run to run. */
export interface SearchTimings {
  /** Embedding the query. If an earlier answer is cached, this is 0, and so are both channels. */
  readonly embedding: number;
  /** The semantic channel, the search alone. */
  readonly semantic: number;
  /** The lexical channel, the search alone. */
  readonly lexical: number;
  /** The sparse channel, the search alone; 0 if it was not searched. */
  readonly sparse: number;
  /**
   * Everything except the embedding: parsing the query, the channels, fusion, and fetching the content of the results.
   */
  readonly ranking: number;
  /** The whole answer. */
  readonly total: number;
}

/** Adds display fields to a page of the ranking. SPEC §20.5 */
export function resultsOf(
  contents: ReadonlyMap<string, Content>,
  ranking: Ranking,
  page: readonly Ranked[],
  kind: ScoreKind,
  thresholds: ClosenessThresholds | undefined,
): SearchResult[] {
  const { dots } = ranking;
  const bm25 = new Map(ranking.lexical.map(({ chunkId, bm25: score }) => [chunkId, score]));
  const relativeScores = normalisedBm25(ranking.lexical.map((hit) => hit.bm25));
  const relative = new Map(ranking.lexical.map(({ chunkId }, i) => [chunkId, relativeScores[i]!]));
  const finder = new ItemFinder(ranking.items);
  return page.map((ranked) => {
    const { chunkId } = ranked;
    const { headingPath, line, page, text, searchText, fields, document } = contents.get(chunkId)!;
    return {
      chunkId,
      documentId: ranked.documentId,
      path: ranked.path,
      headingPath,
      breadcrumb: breadcrumb(headingPath),
      chunkIndex: ranked.sequence,
      line,
      page,
      content: text,
      score: scoreOf(ranked, kind, dots.get(chunkId), relative.get(chunkId)),
      scoreBreakdown: breakdownOf(ranked, kind, dots.get(chunkId), bm25.get(chunkId)),
      match: matchOf(ranked),
      ...closenessFields(dots.get(chunkId), thresholds),
      ...(ranked.duplicates === undefined ? {} : { duplicates: ranked.duplicates }),
      highlights: bm25.has(chunkId) ? highlightsOf(finder, text, searchText) : [],
      fields,
      document,
    };
  });
}

const LABELS = ["semantic", "lexical", "sparse"] as const;

/** Returns the label of the one list that has the result, or `hybrid`. SPEC §20.5 */
function matchOf({ ranks, channels }: Ranked): SearchResult["match"] {
  return channels > 1 ? "hybrid" : LABELS[ranks.findIndex((rank) => rank !== null)]!;
}

function closenessFields(
  dot: number | undefined,
  thresholds: ClosenessThresholds | undefined,
): Pick<SearchResult, "cosine" | "closeness"> {
  if (dot === undefined) return { cosine: null, closeness: null };
  return {
    cosine: cosine(dot),
    closeness: thresholds === undefined ? null : closenessOf(dot, thresholds),
  };
}

/** Returns whether nothing was found by words and nothing found by meaning is even related. SPEC §16.5 */
export function isNothingClose(
  { lexical, results, dots }: Ranking,
  thresholds: ClosenessThresholds | undefined,
): boolean {
  if (thresholds === undefined || lexical.length > 0 || results.length === 0 || dots.size === 0) return false;
  return [...dots.values()].every((dot) => closenessOf(dot, thresholds) === "weak");
}

/** What the scores of an answer are: fused, or those of its only channel. */
export type ScoreKind = "fused" | "semantic" | "lexical";

/** Returns what the scores of a search are. With a weight, the sparse channel is fused in mode lexical, too. SPEC §20.5 */
export function scoreKind(mode: DoneMode, sparseWeight: number): ScoreKind {
  if (mode === "semantic") return "semantic";
  return mode === "lexical" && sparseWeight === 0 ? "lexical" : "fused";
}

function scoreOf(
  ranked: Ranked,
  kind: ScoreKind,
  dot: number | undefined,
  relative: number | undefined,
): number {
  if (kind === "semantic") return normalisedCosine(dot!);
  return kind === "lexical" ? relative! : ranked.score;
}

function breakdownOf(
  ranked: Ranked,
  kind: ScoreKind,
  dot: number | undefined,
  bm25: number | undefined,
): ScoreBreakdown {
  if (kind === "semantic") return { cosine: cosine(dot!) };
  if (kind === "lexical") return { bm25: bm25! };
  const [semanticRank, lexicalRank, sparseRank] = ranked.ranks;
  return {
    rrf: ranked.score,
    lexicalRank: lexicalRank ?? null,
    semanticRank: semanticRank ?? null,
    ...(sparseRank === undefined ? {} : { sparseRank }),
  };
}

/**
 * Returns the score bits that a receipt contains: of the fused binary32, of the dot product (i32), or of bm25
 * (binary64). SPEC §18.1
 */
export function scoreBits(ranking: Ranking, ranked: Ranked, kind: ScoreKind): string {
  const view = new DataView(new ArrayBuffer(8));
  if (kind === "lexical") {
    view.setFloat64(0, ranking.lexical.find(({ chunkId }) => chunkId === ranked.chunkId)!.bm25);
    return view.getBigUint64(0).toString(16).padStart(16, "0");
  }
  if (kind === "semantic") view.setInt32(0, ranking.semantic.find(({ id }) => id === ranked.chunkId)!.dot);
  else view.setFloat32(0, ranked.score);
  return view.getUint32(0).toString(16).padStart(8, "0");
}

export function explain(ranking: Ranking, p: ResolvedParameters): Explanation {
  const { semantic, lexical, sparse, match, results } = ranking;
  const ids = [...semantic, ...(sparse ?? [])].map(({ id }) => id);
  const weights = { semantic: p.semanticWeight, lexical: p.lexicalWeight };
  return {
    totalCandidates: new Set([...ids, ...lexical.map(({ chunkId }) => chunkId)]).size,
    weights: sparse === null ? weights : { ...weights, sparse: p.sparseWeight },
    rrfK: p.rrfK,
    matchExpression: match,
    semantic: semantic.map(({ id, dot }, i) => ({ chunkId: id, rank: i + 1, cosine: cosine(dot) })),
    lexical: lexical.map(({ chunkId, bm25 }, i) => ({ chunkId, rank: i + 1, bm25 })),
    ...(sparse === null
      ? {}
      : {
          sparse: sparse.map(({ id, score }, i) => ({ chunkId: id, rank: i + 1, score: sparseScore(score) })),
        }),
    fused: results.map(({ chunkId, path, sequence, score }, i) => ({
      chunkId,
      path,
      chunkIndex: sequence,
      rank: i + 1,
      score,
    })),
  };
}
