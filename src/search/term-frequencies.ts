import type { Database } from "../store/database.ts";
import type { TermFrequency } from "./select-terms.ts";
import { tokenBytes, tokenOf } from "./token.ts";

/**
 * Returns, for each term, the smallest number of chunks that one of its tokens occurs in, as counted by FTS5.
 * SPEC §15.7
 */
export function termFrequencies(database: Database, terms: readonly string[]): TermFrequency[] {
  const ofToken = new Map<string, number>();
  const count = (word: string): number => {
    const token = tokenOf(word);
    const chunks = ofToken.get(token) ?? chunksWithToken(database, token);
    ofToken.set(token, chunks);
    return chunks;
  };
  return terms.map((term) => ({ term, chunks: Math.min(...term.split(" ").map(count)) }));
}

/**
 * Returns the number of chunks that a token occurs in. The token is passed as a blob cast to text: a stem may end within
 * a character, so it may not be a valid string in the host.
 */
export function chunksWithToken(database: Database, token: string): number {
  prepareVocabulary(database);
  const sql = "SELECT doc AS chunks FROM temp.searchTokens WHERE term = CAST(? AS TEXT)";
  return database.get<{ chunks: number }>(sql, [tokenBytes(token)])?.chunks ?? 0;
}

function prepareVocabulary(database: Database): void {
  if (database.get("SELECT 1 AS there FROM temp.sqlite_schema WHERE name = 'searchTokens'") !== undefined)
    return;
  database.exec("CREATE VIRTUAL TABLE temp.searchTokens USING fts5vocab ('main', 'search', 'row')");
}
