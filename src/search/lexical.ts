import type { Database } from "../store/database.ts";
import { compareUtf8 } from "../text/order.ts";
import { matchExpression } from "./match.ts";
import type { ParsedQuery } from "./parse.ts";
import { PLACE_COLUMNS, type Place, type PlaceRow, placeOf } from "./places.ts";
import { LEXICAL_BUDGET, selectTerms } from "./select-terms.ts";
import { termFrequencies } from "./term-frequencies.ts";

export interface LexicalHit extends Place {
  /** FTS5's bm25: negative, lower is better. */
  readonly bm25: number;
}

export interface LexicalChannel {
  readonly hits: readonly LexicalHit[];
  /** The expression; null where the query has no words. */
  readonly match: string | null;
  /** The phrases and terms in it. */
  readonly items: readonly string[];
}

interface ScoredRow extends PlaceRow {
  readonly bm25: number;
}

/** So many rows more than asked for, so that ties at the end are seen whole; only longer ties need all rows. */
const TIE_ROOM = 16;
/** As a LIMIT. */
const ALL_ROWS = -1;

/**
 * The channel of words: chunks by (bm25, path, sequence). With candidates it sees only the documents of that temporary
 * table; statistics are always those of the whole library. SPEC §20.3
 */
export function lexicalChannel(
  database: Database,
  query: ParsedQuery,
  k: number,
  hasCandidates: boolean,
  totalChunks: number,
): LexicalChannel {
  const { match, items } = lexicalQuestion(database, query, totalChunks);
  if (match === null) return { hits: [], match, items };
  const hits = firstRows(database, match, k, hasCandidates)
    .map((row) => ({ ...placeOf(row), bm25: row.bm25 }))
    .sort((a, b) => a.bm25 - b.bm25 || compareUtf8(a.path, b.path) || a.sequence - b.sequence);
  return { hits: hits.slice(0, k), match, items };
}

/** What FTS5 is asked, without asking it. */
export function lexicalQuestion(
  database: Database,
  query: ParsedQuery,
  totalChunks: number,
): Omit<LexicalChannel, "hits"> {
  const terms = affordableTerms(database, query.terms, totalChunks);
  return { match: matchExpression({ ...query, terms }), items: [...query.phrases, ...terms] };
}

/** The first k rows by score, and all that are equal to the last of them. */
function firstRows(database: Database, match: string, k: number, hasCandidates: boolean): ScoredRow[] {
  // The plus keeps SQLite from asking FTS5 anew for every candidate: 8 s instead of 30 ms for 5,000, measured.
  const restriction = hasCandidates
    ? "AND +rowid IN (SELECT chunk FROM chunks WHERE documentId IN (SELECT documentId FROM temp.candidates))"
    : "";
  // Scores first, then the places of those that are left: LIMIT and CROSS JOIN keep SQLite to that order.
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

/** Returns the terms without the most common ones, if all together would match too many chunks. SPEC §15.7 */
function affordableTerms(database: Database, terms: readonly string[], total: number): readonly string[] {
  if (terms.length <= 1) return terms; // the rarest one is always kept
  if (terms.length * total <= LEXICAL_BUDGET) return terms; // no sum of matches can exceed it
  return selectTerms(termFrequencies(database, terms));
}
