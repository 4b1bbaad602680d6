import type { Database } from "../store/database.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import type { Bm25Scoring } from "./bm25.ts";
import { type Place, placeOf } from "./chunk-places.ts";
import { firstByCounts, type WholeWords } from "./counted-scores.ts";
import { matchExpression } from "./match.ts";
import type { ParsedQuery } from "./parse-query.ts";

export interface LexicalHit extends Place {
  /** FTS5's bm25, or BM25+: negative, lower is better. */
  readonly bm25: number;
}

/**
 * The lexical channel: returns chunks ordered by (bm25, path, sequence). With candidates, it sees only the documents in
 * that temporary table; statistics are always those of the whole library. SPEC §20.3
 */
export function lexicalChannel(
  database: Database,
  query: Pick<ParsedQuery, "phrases" | "terms" | "excluded">,
  k: number,
  hasCandidates: boolean,
  scoring: Bm25Scoring,
  whole: WholeWords | null = null,
): LexicalHit[] {
  if (query.phrases.length + query.terms.length === 0) return [];
  return firstByCounts(database, query, scoring, k, hasCandidates, whole)
    .map((row) => ({ ...placeOf(row), bm25: row.bm25 }))
    .sort(compareLexical)
    .slice(0, k);
}

/** Orders chunks by (bm25, path, sequence). SPEC §20.3 */
export function compareLexical(a: LexicalHit, b: LexicalHit): number {
  return a.bm25 - b.bm25 || compareUtf8(a.path, b.path) || a.sequence - b.sequence;
}

/** What FTS5 would be queried with. */
export interface LexicalQuestion {
  /** The MATCH expression; null if the query has no words. */
  readonly match: string | null;
  /** The phrases and terms in the expression. */
  readonly items: readonly string[];
}

/** Returns what FTS5 would be queried with, without running the query. */
export function lexicalQuestion(query: ParsedQuery): LexicalQuestion {
  return { match: matchExpression(query), items: [...query.phrases, ...query.terms] };
}
