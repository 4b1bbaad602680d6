import type { Database } from "../store/database.ts";
import { compareUtf8 } from "../text/order.ts";
import { matchExpression } from "./match.ts";
import type { ParsedQuery } from "./parse.ts";
import { type Place, placesOfRows } from "./places.ts";
import { selectTerms, TERM_BUDGET } from "./select-terms.ts";
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

interface ScoredRow {
  readonly chunk: number;
  readonly score: number;
}

/** So many rows more than asked for, so that ties at the end are seen whole; only longer ties need all rows. */
const TIE_ROOM = 16;

/**
 * The channel of words: chunks by (bm25, path, sequence). With candidates it sees only the documents of that temporary
 * table; statistics are always those of the whole library. SPEC §20.3
 */
export function lexicalChannel(
  database: Database,
  query: ParsedQuery,
  k: number,
  hasCandidates: boolean,
): LexicalChannel {
  const { match, items } = lexicalQuestion(database, query);
  if (match === null) return { hits: [], match, items };
  const scores = new Map(firstRows(database, match, k, hasCandidates).map((row) => [row.chunk, row.score]));
  const hits = placesOfRows(database, [...scores.keys()])
    .map((place) => ({ ...place, bm25: scores.get(place.chunk)! }))
    .sort((a, b) => a.bm25 - b.bm25 || compareUtf8(a.path, b.path) || a.sequence - b.sequence);
  return { hits: hits.slice(0, k), match, items };
}

/** What FTS5 is asked, without asking it. */
export function lexicalQuestion(database: Database, query: ParsedQuery): Omit<LexicalChannel, "hits"> {
  const terms = affordableTerms(database, query.terms);
  return { match: matchExpression({ ...query, terms }), items: [...query.phrases, ...terms] };
}

/** The first k rows by score, and all that are equal to the last of them. */
function firstRows(database: Database, match: string, k: number, hasCandidates: boolean): ScoredRow[] {
  // The plus keeps SQLite from asking FTS5 anew for every candidate: 8 s instead of 30 ms for 5,000, measured.
  const restriction = hasCandidates
    ? "AND +rowid IN (SELECT chunk FROM chunks WHERE documentId IN (SELECT documentId FROM temp.candidates))"
    : "";
  const matches = `SELECT rowid AS chunk, bm25(search) AS score FROM search WHERE search MATCH ? ${restriction}`;
  const top = database.all<ScoredRow>(`${matches} ORDER BY score LIMIT ?`, [match, k + TIE_ROOM]);
  const last = top[Math.min(k, top.length) - 1]?.score;
  const isWhole = top.length < k + TIE_ROOM || top.at(-1)!.score !== last;
  return (isWhole ? top : database.all<ScoredRow>(matches, [match])).filter(({ score }) => score <= last!);
}

/** Without the commonest terms, where all together would match too many chunks to rank in time. SPEC §15.7 */
function affordableTerms(database: Database, terms: readonly string[]): readonly string[] {
  if (terms.length <= 1) return terms; // the rarest one is always kept
  const total = database.get<{ n: number }>("SELECT count(*) AS n FROM chunks")!.n;
  if (terms.length * total <= TERM_BUDGET.matches) return terms;
  return selectTerms(termFrequencies(database, terms), total);
}
