// BM25 by the binary that defines it (SPEC §14.4). The table keeps its text itself, unlike the library's: scores are a
// function of the rows.
import { openSqlite } from "./sqlite.ts";

export interface FullText {
  /** bm25 of each row that matches, by the row's number. */
  scores(match: string): Promise<Map<number, number>>;
  /** In how many rows each token of a text occurs, whatever the column. */
  frequencies(text: string): Promise<number[]>;
  close(): Promise<void>;
}

/** Rows from 0 on, of text and headings as they are indexed. */
export async function openFullText(rows: readonly (readonly [string, string])[]): Promise<FullText> {
  const { ask, close } = await openSqlite();
  const tokenizer = "tokenize = 'porter unicode61 remove_diacritics 2'";
  await ask(`CREATE VIRTUAL TABLE pages USING fts5 (text, headings, ${tokenizer})`);
  await ask("CREATE VIRTUAL TABLE pageTokens USING fts5vocab ('pages', 'row')");
  await ask(`CREATE VIRTUAL TABLE words USING fts5 (text, ${tokenizer})`);
  await ask("CREATE VIRTUAL TABLE wordTokens USING fts5vocab ('words', 'row')");
  for (const [i, [text, headings]] of rows.entries())
    await ask("INSERT INTO pages (rowid, text, headings) VALUES (?, ?, ?)", [i, text, headings]);
  return {
    scores: async (match) => {
      const sql = "SELECT rowid, bm25(pages, 1.0, 1.0) FROM pages WHERE pages MATCH ?";
      return new Map((await ask(sql, [match])).map(([row, score]) => [Number(row), Number(score)]));
    },
    frequencies: async (text) => {
      await ask("DELETE FROM words");
      await ask("INSERT INTO words (text) VALUES (?)", [text]);
      const found = await ask(
        "SELECT coalesce(pageTokens.doc, 0) FROM wordTokens LEFT JOIN pageTokens USING (term)",
      );
      return found.map(([count]) => Number(count));
    },
    close,
  };
}
