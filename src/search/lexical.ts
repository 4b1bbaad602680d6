import type { Database } from "../store/database.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import type { Bm25Scoring } from "./bm25.ts";
import { type Place, placeOf } from "./chunk-places.ts";
import { firstByCounts } from "./counted-scores.ts";
import { matchExpression } from "./match.ts";
import type { ParsedQuery } from "./parse-query.ts";

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

/**
 * The lexical channel: returns chunks ordered by (bm25, path, sequence). With candidates, it sees only the documents in
 * that temporary table; statistics are always those of the whole library. SPEC §20.3
 */
export function lexicalChannel(
  database: Database,
  query: ParsedQuery,
  k: number,
  hasCandidates: boolean,
  scoring: Bm25Scoring = "bm25",
): LexicalChannel {
  const { match, items } = lexicalQuestion(query);
  if (match === null) return { hits: [], match, items };
  const hits = firstByCounts(database, query, scoring, k, hasCandidates)
    .map((row) => ({ ...placeOf(row), bm25: row.bm25 }))
    .sort((a, b) => a.bm25 - b.bm25 || compareUtf8(a.path, b.path) || a.sequence - b.sequence);
  return { hits: hits.slice(0, k), match, items };
}

/** Returns what FTS5 would be queried with, without running the query. */
export function lexicalQuestion(query: ParsedQuery): Omit<LexicalChannel, "hits"> {
  return { match: matchExpression(query), items: [...query.phrases, ...query.terms] };
}
