// The binary that defines words and BM25 (SPEC §14.4), asked in SQL through its package's own interface.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Factory } from "@journeyapps/wa-sqlite";
import loadSqlite from "@journeyapps/wa-sqlite/dist/wa-sqlite.mjs";

const SHA256 = "c2c86269d8fd0b0913ea40c2b07d82763f00e293b9e4d7c406f5ed95345ddb25";

export interface Sqlite {
  /** The rows that statements give, together. */
  ask(sql: string, values?: readonly (string | number)[]): Promise<unknown[][]>;
  close(): Promise<void>;
}

/** An empty database in memory. */
export async function openSqlite(): Promise<Sqlite> {
  const wasmBinary = readFileSync(
    fileURLToPath(import.meta.resolve("@journeyapps/wa-sqlite/dist/wa-sqlite.wasm")),
  );
  if (createHash("sha256").update(wasmBinary).digest("hex") !== SHA256)
    throw new Error("another SQLite than SPEC's");
  const sqlite = Factory(await loadSqlite({ wasmBinary }));
  const db = await sqlite.open_v2(":memory:");
  return {
    ask: async (sql, values = []) => {
      const found: unknown[][] = [];
      for await (const statement of sqlite.statements(db, sql)) {
        values.forEach((value, i) => {
          sqlite.bind(statement, i + 1, value);
        });
        while ((await sqlite.step(statement)) === 100) found.push(sqlite.row(statement));
      }
      return found;
    },
    close: async () => {
      await sqlite.close(db);
    },
  };
}
