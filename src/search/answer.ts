import type { Database } from "../store/database.ts";
import { breadcrumb } from "../store/records.ts";
import { type Highlight, highlightsOf } from "./highlights.ts";
import { ItemFinder } from "./occurrences.ts";
import type { ResolvedParameters, SearchMode } from "./parameters.ts";
import { rowsByKeys } from "./places.ts";
import type { Receipt } from "./receipt.ts";
import { cosine, normalisedBm25, normalisedCosine } from "./scores.ts";
import type { Ranked, Ranking } from "./search.ts";

/** The raw numbers behind a score, by mode; null where a channel did not find the chunk. */
export type ScoreBreakdown =
  | { readonly bm25: number }
  | { readonly cosine: number }
  | { readonly rrf: number; readonly lexicalRank: number | null; readonly semanticRank: number | null };

export interface SearchResult {
  readonly chunkId: string;
  readonly documentId: string;
  readonly path: string;
  readonly headingPath: readonly string[];
  readonly breadcrumb: string;
  /** From 0. */
  readonly chunkIndex: number;
  readonly content: string;
  /** By mode: the fused score, max(0, cosine), or bm25 from 0 to 1 within the list. Results are in order; this is for display. */
  readonly score: number;
  readonly scoreBreakdown: ScoreBreakdown;
  /** Found by words, by meaning, or by both. */
  readonly match: "exact" | "semantic" | "hybrid";
  /** Of the tokens that matched, in the UTF-8 bytes of `content`. */
  readonly highlights: readonly Highlight[];
  readonly document: {
    readonly modifiedAt: number | null;
    readonly mime: string | null;
    readonly metadata: unknown;
  };
}

/** How a ranking came about. */
export interface Explanation {
  /** Of all lists together, each chunk once. */
  readonly totalCandidates: number;
  readonly weights: { readonly semantic: number; readonly lexical: number };
  readonly rrfK: number;
  readonly matchExpression: string | null;
  readonly semantic: readonly { readonly chunkId: string; readonly rank: number; readonly cosine: number }[];
  readonly lexical: readonly { readonly chunkId: string; readonly rank: number; readonly bm25: number }[];
  readonly fused: readonly {
    readonly chunkId: string;
    readonly path: string;
    readonly chunkIndex: number;
    readonly rank: number;
    readonly score: number;
  }[];
}

export interface SearchAnswer {
  readonly query: string;
  readonly mode: SearchMode;
  readonly results: readonly SearchResult[];
  /** For the next page; null at the end, and without `pageSize`. */
  readonly nextCursor: string | null;
  /** What could not be done, and what was done instead. */
  readonly warnings: readonly string[];
  readonly receipt: Receipt;
  readonly explanation?: Explanation;
  readonly timings: SearchTimings;
}

/** In milliseconds; the one part of an answer that differs from run to run. */
export interface SearchTimings {
  /** Of the query. 0 where an earlier answer is known, as of both channels. */
  readonly embedding: number;
  /** Of each channel, the search alone. */
  readonly semantic: number;
  readonly lexical: number;
  /** Of all but the embedding: reading the question, the channels, fusion, and fetching what results say. */
  readonly ranking: number;
  readonly total: number;
}

/** Dresses a page of the ranking for people. SPEC §20.5 */
export function resultsOf(
  database: Database,
  ranking: Ranking,
  page: readonly Ranked[],
  mode: SearchMode,
): SearchResult[] {
  const dots = new Map(ranking.semantic.map(({ id, dot }) => [id, dot]));
  const bm25 = new Map(ranking.lexical.map(({ chunkId, bm25: score }) => [chunkId, score]));
  const relativeScores = normalisedBm25(ranking.lexical.map((hit) => hit.bm25));
  const relative = new Map(ranking.lexical.map(({ chunkId }, i) => [chunkId, relativeScores[i]!]));
  const contents = contentsOf(database, page);
  const finder = new ItemFinder(ranking.items);
  return page.map((ranked) => {
    const { chunkId, chunk, ranks } = ranked;
    const [semanticRank, lexicalRank] = ranks;
    const { headingPath, text, searchText, document } = contents.get(chunk)!;
    return {
      chunkId,
      documentId: ranked.documentId,
      path: ranked.path,
      headingPath,
      breadcrumb: breadcrumb(headingPath),
      chunkIndex: ranked.sequence,
      content: text,
      score: scoreOf(ranked, mode, dots.get(chunkId), relative.get(chunkId)),
      scoreBreakdown: breakdownOf(ranked, mode, dots.get(chunkId), bm25.get(chunkId)),
      match: lexicalRank === null ? "semantic" : semanticRank === null ? "exact" : "hybrid",
      highlights: bm25.has(chunkId) ? highlightsOf(finder, text, searchText) : [],
      document,
    };
  });
}

interface Content {
  readonly text: string;
  /** The text as it is indexed. */
  readonly searchText: string;
  readonly headingPath: readonly string[];
  readonly document: SearchResult["document"];
}

/** What the results of a page say, by rowid. */
function contentsOf(database: Database, page: readonly Ranked[]): Map<number, Content> {
  const rows = rowsByKeys<{
    chunk: number;
    headings: string;
    text: string;
    searchText: string | null;
    modifiedAt: number | null;
    mime: string | null;
    metadata: string | null;
  }>(
    database,
    `SELECT chunk, headings, chunks.text AS text, searchText, modifiedAt, mime, metadata
     FROM chunks JOIN documents USING (documentId)`,
    "chunk",
    page.map(({ chunk }) => chunk),
  );
  return new Map(
    rows.map(({ chunk, headings, text, searchText, modifiedAt, mime, metadata }) => {
      const document = { modifiedAt, mime, metadata: metadata === null ? null : JSON.parse(metadata) };
      const headingPath = JSON.parse(headings) as string[];
      return [chunk, { text, searchText: searchText ?? text, headingPath, document }];
    }),
  );
}

function scoreOf(
  ranked: Ranked,
  mode: SearchMode,
  dot: number | undefined,
  relative: number | undefined,
): number {
  if (mode === "semantic") return normalisedCosine(dot!);
  return mode === "lexical" ? relative! : ranked.score;
}

function breakdownOf(
  ranked: Ranked,
  mode: SearchMode,
  dot: number | undefined,
  bm25: number | undefined,
): ScoreBreakdown {
  if (mode === "semantic") return { cosine: cosine(dot!) };
  if (mode === "lexical") return { bm25: bm25! };
  const [semanticRank, lexicalRank] = ranked.ranks;
  return { rrf: ranked.score, lexicalRank: lexicalRank ?? null, semanticRank: semanticRank ?? null };
}

/** The bits that a receipt carries: of the fused binary32, of the dot (i32), or of bm25 (binary64). SPEC §18.1 */
export function scoreBits(ranking: Ranking, ranked: Ranked, mode: SearchMode): string {
  const view = new DataView(new ArrayBuffer(8));
  if (mode === "lexical") {
    view.setFloat64(0, ranking.lexical.find(({ chunkId }) => chunkId === ranked.chunkId)!.bm25);
    return view.getBigUint64(0).toString(16).padStart(16, "0");
  }
  if (mode === "semantic") view.setInt32(0, ranking.semantic.find(({ id }) => id === ranked.chunkId)!.dot);
  else view.setFloat32(0, ranked.score);
  return view.getUint32(0).toString(16).padStart(8, "0");
}

export function explain(ranking: Ranking, p: ResolvedParameters): Explanation {
  const { semantic, lexical, match, results } = ranking;
  return {
    totalCandidates: new Set([...semantic.map(({ id }) => id), ...lexical.map(({ chunkId }) => chunkId)])
      .size,
    weights: { semantic: p.semanticWeight, lexical: p.lexicalWeight },
    rrfK: p.rrfK,
    matchExpression: match,
    semantic: semantic.map(({ id, dot }, i) => ({ chunkId: id, rank: i + 1, cosine: cosine(dot) })),
    lexical: lexical.map(({ chunkId, bm25 }, i) => ({ chunkId, rank: i + 1, bm25 })),
    fused: results.map(({ chunkId, path, sequence, score }, i) => ({
      chunkId,
      path,
      chunkIndex: sequence,
      rank: i + 1,
      score,
    })),
  };
}
