import type { Database } from "../store/database.ts";
import type { TermFrequency } from "./select-terms.ts";

/**
 * Of each term the least number of chunks that one of its tokens occurs in. FTS5 itself says which tokens a term has,
 * and how many rows have a token. SPEC §15.7
 */
export function termFrequencies(database: Database, terms: readonly string[]): TermFrequency[] {
  const frequencies: number[] = terms.map(() => Number.POSITIVE_INFINITY);
  const ofToken = new Map<string, number>();
  for (const { term, token } of tokensOf(database, terms)) {
    const chunks = ofToken.get(token) ?? chunksWith(database, token);
    ofToken.set(token, chunks);
    frequencies[term] = Math.min(frequencies[term]!, chunks);
  }
  return terms.map((term, i) => ({ term, chunks: Number.isFinite(frequencies[i]) ? frequencies[i]! : 0 }));
}

/** The tokens of all terms, each with the number of its term. */
function tokensOf(
  database: Database,
  terms: readonly string[],
): { readonly term: number; readonly token: string }[] {
  prepareVocabulary(database);
  database.run("INSERT INTO temp.queryTerms (queryTerms) VALUES ('delete-all')");
  for (const [i, term] of terms.entries())
    database.run("INSERT INTO temp.queryTerms (rowid, term) VALUES (?, ?)", [i + 1, term]);
  return database
    .all<{ doc: number; token: string }>("SELECT doc, term AS token FROM temp.queryTokens")
    .map(({ doc, token }) => ({ term: doc - 1, token }));
}

function chunksWith(database: Database, token: string): number {
  const sql = "SELECT doc AS chunks FROM temp.searchTokens WHERE term = ?";
  return database.get<{ chunks: number }>(sql, [token])?.chunks ?? 0;
}

function prepareVocabulary(database: Database): void {
  if (database.get("SELECT 1 AS there FROM temp.sqlite_schema WHERE name = 'queryTerms'") !== undefined)
    return;
  database.exec(`
    CREATE VIRTUAL TABLE temp.queryTerms USING fts5 (
      term, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
    );
    CREATE VIRTUAL TABLE temp.queryTokens USING fts5vocab ('temp', 'queryTerms', 'instance');
    CREATE VIRTUAL TABLE temp.searchTokens USING fts5vocab ('main', 'search', 'row');
  `);
}
