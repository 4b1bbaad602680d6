// BM25 by the binary that defines it (SPEC §14.4), asked in SQL through its package's own interface. The table keeps
// its text itself, unlike the library's: scores are a function of the rows.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Factory } from "@journeyapps/wa-sqlite";
import loadSqlite from "@journeyapps/wa-sqlite/dist/wa-sqlite.mjs";

const SHA256 = "c2c86269d8fd0b0913ea40c2b07d82763f00e293b9e4d7c406f5ed95345ddb25";

export interface FullText {
  /** bm25 of each row that matches, by the row's number. */
  scores(match: string): Promise<Map<number, number>>;
  /** In how many rows each token of a text occurs, whatever the column. */
  frequencies(text: string): Promise<number[]>;
  close(): Promise<void>;
}

/** Rows from 0 on, of text and headings as they are indexed. */
export async function openFullText(rows: readonly (readonly [string, string])[]): Promise<FullText> {
  const wasmBinary = readFileSync(
    fileURLToPath(import.meta.resolve("@journeyapps/wa-sqlite/dist/wa-sqlite.wasm")),
  );
  if (createHash("sha256").update(wasmBinary).digest("hex") !== SHA256)
    throw new Error("another SQLite than SPEC's");
  const sqlite = Factory(await loadSqlite({ wasmBinary }));
  const db = await sqlite.open_v2(":memory:");
  const ask = async (sql: string, values: readonly (string | number)[] = []): Promise<unknown[][]> => {
    const found: unknown[][] = [];
    for await (const statement of sqlite.statements(db, sql)) {
      values.forEach((value, i) => {
        sqlite.bind(statement, i + 1, value);
      });
      while ((await sqlite.step(statement)) === 100) found.push(sqlite.row(statement));
    }
    return found;
  };
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
    close: async () => {
      await sqlite.close(db);
    },
  };
}
