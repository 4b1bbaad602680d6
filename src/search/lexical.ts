import { toHex } from "../engine/digest.ts";
import type { Database } from "../store/database.ts";
import { compareUtf8 } from "../text/order.ts";
import { matchExpression } from "./match.ts";
import type { ParsedQuery } from "./parse.ts";
import { selectTerms, TERM_BUDGET } from "./select-terms.ts";

export interface LexicalHit {
  readonly id: string;
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

/** So many rows more than asked for, so that ties at the end are seen whole; only longer ties need all rows. */
const TIE_ROOM = 64;

/**
 * The channel of words: chunks by (bm25, path, sequence). `candidates`, where given, is the temporary table of the documents
 * that it may see. Statistics are always those of the whole library. SPEC §20.3
 */
export function lexicalChannel(
  database: Database,
  query: ParsedQuery,
  k: number,
  hasCandidates: boolean,
): LexicalChannel {
  const terms = affordableTerms(database, query.terms);
  const match = matchExpression({ ...query, terms });
  const items = [...query.phrases, ...terms];
  if (match === null) return { hits: [], match, items };
  const restriction = hasCandidates
    ? "AND rowid IN (SELECT chunk FROM chunks WHERE documentId IN (SELECT documentId FROM temp.candidates))"
    : "";
  const top = database.all<{ chunk: number; score: number }>(
    `SELECT rowid AS chunk, bm25(search) AS score FROM search WHERE search MATCH ? ${restriction}
     ORDER BY score LIMIT ?`,
    [match, k + TIE_ROOM],
  );
  const last = top[Math.min(k, top.length) - 1]?.score;
  const isWhole = top.length < k + TIE_ROOM || top.at(-1)!.score !== last;
  const rows = isWhole
    ? top.filter(({ score }) => score <= last!)
    : database
        .all<{ chunk: number; score: number }>(
          `SELECT rowid AS chunk, bm25(search) AS score FROM search WHERE search MATCH ? ${restriction}`,
          [match],
        )
        .filter(({ score }) => score <= last!);
  const placed = rows.map(({ chunk, score }) => {
    const sql = `SELECT chunkId, path, sequence FROM chunks JOIN documents USING (documentId) WHERE chunk = ?`;
    const { chunkId, path, sequence } = database.get<{ chunkId: Uint8Array; path: string; sequence: number }>(
      sql,
      [chunk],
    )!;
    return { id: toHex(chunkId), bm25: score, path, sequence };
  });
  placed.sort((a, b) => a.bm25 - b.bm25 || compareUtf8(a.path, b.path) || a.sequence - b.sequence);
  return { hits: placed.slice(0, k).map(({ id, bm25 }) => ({ id, bm25 })), match, items };
}

/** Without the commonest terms, where all together would match too many chunks to rank in time. SPEC §15.7 */
function affordableTerms(database: Database, terms: readonly string[]): readonly string[] {
  const total = database.get<{ n: number }>("SELECT count(*) AS n FROM chunks")!.n;
  if (terms.length * total <= TERM_BUDGET.matches) return terms;
  const frequencies = terms.map((term) => ({ term, chunks: chunksWith(database, term) }));
  return selectTerms(frequencies, total);
}

/** The least number of chunks that one of the term's tokens occurs in. */
function chunksWith(database: Database, term: string): number {
  prepareVocabulary(database);
  database.run("DELETE FROM temp.queryWords");
  database.run("INSERT INTO temp.queryWords (word) VALUES (?)", [term]);
  let least = Number.POSITIVE_INFINITY;
  for (const { token } of database.all<{ token: string }>(
    "SELECT DISTINCT term AS token FROM temp.queryTokens ORDER BY term",
  )) {
    const found = database.get<{ chunks: number }>(
      "SELECT doc AS chunks FROM temp.searchTokens WHERE term = ?",
      [token],
    );
    least = Math.min(least, found?.chunks ?? 0);
  }
  return Number.isFinite(least) ? least : 0;
}

/** FTS5 itself says which tokens a term has, and how many rows have a token. */
function prepareVocabulary(database: Database): void {
  if (database.get("SELECT 1 AS there FROM temp.sqlite_schema WHERE name = 'queryWords'") !== undefined)
    return;
  database.exec(`
    CREATE VIRTUAL TABLE temp.queryWords USING fts5 (word, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE temp.queryTokens USING fts5vocab ('temp', 'queryWords', 'instance');
    CREATE VIRTUAL TABLE temp.searchTokens USING fts5vocab ('main', 'search', 'row');
  `);
}
