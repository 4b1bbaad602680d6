import type { Database } from "../store/database.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import type { Bm25Scoring } from "./bm25.ts";
import { PLACE_COLUMNS, type Place, type PlaceRow, placeOf } from "./chunk-places.ts";
import { firstByCounts } from "./counted-scores.ts";
import { matchExpression } from "./match.ts";
import type { ParsedQuery } from "./parse-query.ts";
import { LEXICAL_BUDGET, selectTerms } from "./select-terms.ts";
import { termFrequencies } from "./term-frequencies.ts";

export interface LexicalHit extends Place {
  /** FTS5's bm25, or BM25+: negative, lower is better. */
  readonly bm25: number;
}

export interface LexicalChannel {
  readonly hits: readonly LexicalHit[];
  /** The MATCH expression; null if the query has no words. */
  readonly match: string | null;
  /** The phrases and terms in the expression. */
  readonly items: readonly string[];
}

interface ScoredRow extends PlaceRow {
  readonly bm25: number;
}

/** Fetches this many more rows than requested, so that ties at the end are complete. Only longer ties need all rows. */
const TIE_ROOM = 16;
/** As a LIMIT: no limit. */
const ALL_ROWS = -1;

/**
 * The lexical channel: returns chunks ordered by (bm25, path, sequence). With candidates, it sees only the documents in
 * that temporary table; statistics are always those of the whole library. SPEC §20.3
 */
export function lexicalChannel(
  database: Database,
  query: ParsedQuery,
  k: number,
  hasCandidates: boolean,
  totalChunks: number,
  scoring: Bm25Scoring = "bm25",
): LexicalChannel {
  const { match, items, terms } = lexicalQuestion(database, query, totalChunks);
  if (match === null) return { hits: [], match, items };
  const rows =
    scoring === "bm25"
      ? firstRows(database, match, k, hasCandidates)
      : firstByCounts(database, { ...query, terms }, scoring, k, hasCandidates);
  const hits = rows
    .map((row) => ({ ...placeOf(row), bm25: row.bm25 }))
    .sort((a, b) => a.bm25 - b.bm25 || compareUtf8(a.path, b.path) || a.sequence - b.sequence);
  return { hits: hits.slice(0, k), match, items };
}

/** Returns what FTS5 would be queried with, without running the query. */
export function lexicalQuestion(
  database: Database,
  query: ParsedQuery,
  totalChunks: number,
): Omit<LexicalChannel, "hits"> & { readonly terms: readonly string[] } {
  const terms = affordableTerms(database, query.terms, totalChunks);
  return { match: matchExpression({ ...query, terms }), items: [...query.phrases, ...terms], terms };
}

/** Returns the first k rows by score, and all rows that tie with the last of them. */
function firstRows(database: Database, match: string, k: number, hasCandidates: boolean): ScoredRow[] {
  // The plus keeps SQLite from querying FTS5 again for every candidate: 8 s instead of 30 ms for 5,000, measured.
  const restriction = hasCandidates
    ? "AND +rowid IN (SELECT chunk FROM chunks WHERE documentId IN (SELECT documentId FROM temp.candidates))"
    : "";
  // Scores first, then the places of the remaining rows: LIMIT and CROSS JOIN force SQLite into that order.
  const sql = `
    SELECT best.bm25 AS bm25, ${PLACE_COLUMNS} FROM (
      SELECT rowid AS chunk, bm25(search) AS bm25 FROM search WHERE search MATCH ? ${restriction} ORDER BY bm25 LIMIT ?
    ) AS best CROSS JOIN chunks USING (chunk) CROSS JOIN documents USING (documentId)`;
  const inOrder = (limit: number) =>
    database.all<ScoredRow>(sql, [match, limit]).sort((a, b) => a.bm25 - b.bm25);
  const top = inOrder(k + TIE_ROOM);
  const last = top[Math.min(k, top.length) - 1]?.bm25;
  const isWhole = top.length < k + TIE_ROOM || top.at(-1)!.bm25 !== last;
  return (isWhole ? top : inOrder(ALL_ROWS)).filter(({ bm25 }) => bm25 <= last!);
}

/** Returns the terms without the most common ones, if all of them together would match too many chunks. SPEC §15.7 */
function affordableTerms(database: Database, terms: readonly string[], total: number): readonly string[] {
  if (terms.length <= 1) return terms; // the rarest one is always kept
  if (terms.length * total <= LEXICAL_BUDGET) return terms; // no sum of matches can exceed it
  return selectTerms(termFrequencies(database, terms));
}
