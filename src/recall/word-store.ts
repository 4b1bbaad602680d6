import type { Engine } from "../engine/engine.ts";
import { bm25FromCounts } from "../search/bm25.ts";
import { rowsByKeys } from "../search/chunk-places.ts";
import { scoredItems } from "../search/match.ts";
import type { ParsedQuery } from "../search/parse-query.ts";
import { LEXICAL_BUDGET, selectTerms } from "../search/select-terms.ts";
import { countWeight, naturalLog } from "../search/signature.ts";
import { type CountedChunks, countItems } from "../search/word-counts.ts";
import { WordLists } from "../search/word-lists.ts";
import type { Database } from "../store/database.ts";
import { binary32, sqrt32 } from "./features.ts";
import type { Permitted } from "./permitted.ts";

/** What the words of a query say about a chunk. */
export interface WordScore {
  /** The rowid. */
  readonly chunk: number;
  /** BM25, higher is better: the negative of FTS5's, in binary64. */
  readonly bm25: number;
  /** The cosine of the vectors of term weights, a binary32. */
  readonly tfidf: number;
}

export interface WordAnswer {
  /** Every chunk that matches, by rowid. */
  readonly scores: ReadonlyMap<number, WordScore>;
  /** The greatest BM25 of a permitted chunk; 0 if none matches. */
  readonly bm25Best: number;
  /** The chunks that the query excludes, by rowid. */
  readonly excluded: ReadonlySet<number>;
  /** The items that were counted. */
  readonly items: readonly string[];
}

/** The square roots of the term norms of chunks, by rowid, kept as long as the library does not change. */
export type TermNorms = Map<number, number>;

/** Scores every permitted chunk that the query's words match, by BM25 and by TF-IDF. SPEC §26.6 */
export function wordScores(
  engine: Engine,
  database: Database,
  query: ParsedQuery,
  { isAll, counted }: Permitted,
  norms: TermNorms,
): WordAnswer {
  const lists = new WordLists(database);
  const excluded = new Set(
    query.excluded.length === 0 ? [] : countItems(database, query.excluded, counted, lists).counts.keys(),
  );
  const terms = affordableTerms(database, query.terms, counted, isAll, lists);
  const items = scoredItems({ phrases: query.phrases, terms });
  if (items.length === 0) return { scores: new Map(), bm25Best: 0, excluded, items };
  const { having, counts } = countItems(database, items, counted, lists);
  const required = items.flatMap((item, i) => (query.phrases.includes(item) ? [i] : []));
  const isFree = excluded.size === 0 && required.length === 0;
  const matching = [...counts].filter(
    ([chunk, row]) => isFree || (!excluded.has(chunk) && required.every((i) => row[i]! > 0)),
  );
  readNorms(engine, database, norms, matching);
  const bm25 = bm25FromCounts(counted.totals, having);
  const tfidf = tfidfFromCounts(engine, counted.totals.chunks, items, having);
  const scores = new Map<number, WordScore>();
  let bm25Best = 0;
  for (const [chunk, row] of matching) {
    const score = -bm25(row, counted.tokensOf(chunk));
    bm25Best = Math.max(bm25Best, score);
    scores.set(chunk, { chunk, bm25: score, tfidf: tfidf(row, norms.get(chunk) ?? 0) });
  }
  return { scores, bm25Best, excluded, items };
}

/** SPEC §15.7, with counts of the permitted chunks. */
function affordableTerms(
  database: Database,
  terms: readonly string[],
  counted: CountedChunks,
  isAll: boolean,
  lists: WordLists,
): readonly string[] {
  if (terms.length <= 1 || terms.length * counted.totals.chunks <= LEXICAL_BUDGET) return terms;
  if (isAll) return selectTerms(terms.map((term) => ({ term, chunks: lists.rarestOf(term) })));
  const words = [...new Set(terms.flatMap((term) => term.split(" ")))];
  const { having } = countItems(database, words, counted, lists);
  const chunksWith = new Map(words.map((word, i) => [word, having[i]!]));
  return selectTerms(
    terms.map((term) => ({
      term,
      chunks: Math.min(...term.split(" ").map((word) => chunksWith.get(word)!)),
    })),
  );
}

/** Adds the norms that are not there yet. */
function readNorms(
  engine: Engine,
  database: Database,
  norms: TermNorms,
  matching: readonly (readonly [number, unknown])[],
): void {
  const missing = matching.map(([chunk]) => chunk).filter((chunk) => !norms.has(chunk));
  const select = "SELECT chunk, termNorm FROM signatures";
  for (const { chunk, termNorm } of rowsByKeys<{ chunk: number; termNorm: number }>(
    database,
    select,
    "chunk",
    missing,
  ))
    norms.set(chunk, sqrt32(engine, binary32(termNorm)));
}

/** The cosine of query and chunk in `lnc.ltc`. A phrase that stands twice among the items counts once. SPEC §26.6 */
function tfidfFromCounts(
  engine: Engine,
  chunks: number,
  items: readonly string[],
  having: readonly number[],
): (counts: ArrayLike<number>, chunkLength: number) => number {
  const idf = items.map((item, i) =>
    having[i]! > 0 && items.indexOf(item) === i ? naturalLog(chunks) - naturalLog(having[i]!) : 0,
  );
  let squares = 0;
  for (const each of idf) squares += each * each;
  const queryLength = sqrt32(engine, Math.fround(squares));
  return (counts, chunkLength) => {
    let dot = 0;
    for (let i = 0; i < idf.length; i++) if (counts[i]! > 0) dot += idf[i]! * countWeight(counts[i]!);
    const lengths = Math.fround(queryLength * chunkLength);
    return lengths === 0 ? 0 : Math.min(1, Math.fround(Math.fround(dot) / lengths));
  };
}
