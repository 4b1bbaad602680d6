import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deleteChunk, deleteChunks } from "#dist/store/chunks.js";
import type { Database } from "#dist/store/database.js";
import { deleteDocument } from "#dist/store/documents.js";
import { openDatabase } from "#dist/store/open.node.js";
import { checkIntegrity, prepareSchema, SCHEMA_VERSION } from "#dist/store/schema.js";
import { sampleChunk, sampleDocument, sampleId } from "./sample.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();

async function prepared(): Promise<Database> {
  const database = await openDatabase(":memory:");
  prepareSchema(database);
  return database;
}

function matches(database: Database, query: string): unknown[] {
  return database
    .all(
      `SELECT chunkId FROM search JOIN chunks ON chunks.chunk = search.rowid
       WHERE search MATCH ? ORDER BY documentId, sequence`,
      [query],
    )
    .map((row) => Buffer.from(row.chunkId as Uint8Array).readUInt32BE(0));
}

describe("the schema", () => {
  test("is made once, and its version told", async () => {
    const path = join(folder, "once.db");
    for (let i = 0; i < 2; i++) {
      const database = await openDatabase(path);
      prepareSchema(database);
      expect(database.get("PRAGMA user_version")!.user_version).toBe(SCHEMA_VERSION);
      expect(database.get("PRAGMA synchronous")!.synchronous).toBe(3);
      expect(database.get("PRAGMA journal_mode")!.journal_mode).toBe("delete");
      checkIntegrity(database);
      database.close();
    }
    const bytes = readFileSync(path);
    const database = await openDatabase(path);
    prepareSchema(database);
    database.close();
    expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
  });

  test("has a version for its tables", async () => {
    const database = await openDatabase(join(folder, "tables.db"));
    prepareSchema(database);
    const tables = database.all("SELECT name, sql FROM sqlite_schema ORDER BY name");
    database.close();
    const digest = createHash("sha256").update(JSON.stringify(tables)).digest("hex");
    // If the tables change, so does SCHEMA_VERSION: otherwise older libraries look damaged instead of old.
    expect({ version: SCHEMA_VERSION, tables: digest.slice(0, 16) }).toEqual({
      version: 4,
      tables: "90404632ab2bdb54",
    });
  });

  test("of an earlier 0.1.0, which lacks tables, is refused as old", async () => {
    const database = await openDatabase(join(folder, "earlier.db"));
    prepareSchema(database);
    database.exec("DROP TABLE lengths; PRAGMA user_version = 2");
    expect(() => prepareSchema(database)).toThrow(
      expect.objectContaining({ code: "DATABASE_TOO_OLD", hint: expect.stringMatching(/selfsame index/) }),
    );
    database.close();
  });

  test("is made by one of two that come at the same time", async () => {
    const path = join(folder, "race.db");
    const [first, second] = await Promise.all([openDatabase(path), openDatabase(path)]);
    // Both saw an empty file; only then does either begin.
    expect(first.get("SELECT count(*) AS n FROM sqlite_schema")!.n).toBe(0);
    prepareSchema(second);
    prepareSchema(first);
    checkIntegrity(first);
    first.close();
    second.close();
  });

  test("of another version is refused, with the way out", async () => {
    for (const [version, code, hint] of [
      [SCHEMA_VERSION - 1, "DATABASE_TOO_OLD", /add the documents again/],
      [SCHEMA_VERSION + 1, "DATABASE_TOO_NEW", /newer/],
    ] as const) {
      const path = join(folder, `version${version}.db`);
      const database = await openDatabase(path);
      prepareSchema(database);
      database.exec(`PRAGMA user_version = ${version}`);
      const bytes = readFileSync(path);
      expect(() => prepareSchema(database)).toThrow(
        expect.objectContaining({ code, hint: expect.stringMatching(hint) }),
      );
      database.close();
      expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
    }
  });

  test("of a library of 0.1, whose pages have other seals, is refused as that", async () => {
    const path = join(folder, "old.db");
    const database = await openDatabase(path);
    prepareSchema(database);
    database.close();
    const bytes = readFileSync(path);
    // Its header had 8 bytes for seals and version 1.
    bytes[20] = 8;
    bytes.writeUInt32BE(1, 60);
    writeFileSync(path, bytes);
    const again = await openDatabase(path);
    expect(() => prepareSchema(again)).toThrow(expect.objectContaining({ code: "DATABASE_TOO_OLD" }));
    again.close();
    expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
  });

  test.each([
    [
      "a view in place of a table",
      "DROP TABLE files",
      "CREATE VIEW files AS WITH RECURSIVE a(documentId) AS (SELECT 1 UNION ALL SELECT 1 FROM a) SELECT * FROM a",
    ],
    ["a view more", "CREATE VIEW more AS SELECT 1"],
    ["a table more", "CREATE TABLE more (x)"],
    ["a trigger", "CREATE TRIGGER more AFTER INSERT ON documents BEGIN DELETE FROM chunks; END"],
    ["an index more", "CREATE INDEX more ON documents (mime)"],
    [
      "another view for the index",
      "DROP VIEW indexed",
      "CREATE VIEW indexed (chunk, text, headings) AS SELECT chunk, 'x', '' FROM chunks",
    ],
    ["a table less", "DROP TABLE graph"],
    ["a column more", "ALTER TABLE graph ADD COLUMN more TEXT"],
  ])("with %s is refused", async (_name, ...statements) => {
    const path = join(folder, "crafted.db");
    rmSync(path, { force: true });
    const database = await openDatabase(path);
    prepareSchema(database);
    for (const statement of statements) database.exec(statement);
    expect(() => prepareSchema(database)).toThrow(expect.objectContaining({ code: "DATABASE_CORRUPT" }));
    database.close();
  });

  test("leaves other programs' databases alone", async () => {
    const path = join(folder, "foreign.db");
    const database = await openDatabase(path);
    database.exec("CREATE TABLE bookmarks (url); PRAGMA user_version = 1");
    const bytes = readFileSync(path);
    expect(() => prepareSchema(database)).toThrow(expect.objectContaining({ code: "DATABASE_FOREIGN" }));
    database.close();
    expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
  });
});

describe("the index", () => {
  test("follows chunks that come and go", async () => {
    const database = await prepared();
    for (const n of [10, 11, 12]) sampleDocument(database, n, `${n}.md`, "x");
    sampleChunk(database, 10, 0, "running in the Zürich rain", "Weather");
    sampleChunk(database, 10, 1, "and more rain");
    sampleChunk(database, 11, 0, "東京に雨が降る", "天気", "東 京 に 雨 が 降 る");
    sampleChunk(database, 12, 0, "ran", "Weather reports");
    expect(matches(database, '"run"')).toStrictEqual([10]);
    expect(matches(database, '"zurich"')).toStrictEqual([10]);
    expect(matches(database, '"weather"')).toStrictEqual([10, 12]);
    expect(matches(database, '"東 京"')).toStrictEqual([11]);
    expect(deleteChunk(database, sampleId(10, 0))).toBe(true);
    expect(deleteChunk(database, sampleId(10, 0))).toBe(false);
    expect(matches(database, '"run"')).toStrictEqual([]);
    expect(matches(database, '"rain"')).toStrictEqual([10]);
    expect(deleteDocument(database, sampleId(1, 12))).toBe(true);
    expect(deleteDocument(database, sampleId(1, 12))).toBe(false);
    expect(matches(database, '"weather"')).toStrictEqual([]);
    expect(deleteChunks(database, sampleId(1, 11))).toBe(1);
    expect(matches(database, '"東 京"')).toStrictEqual([]);
    checkIntegrity(database);
  });

  test("is undone with its transaction", async () => {
    const database = await prepared();
    sampleDocument(database, 1, "1.md", "x");
    sampleChunk(database, 1, 0, "words");
    const fails = () =>
      database.transaction(() => {
        sampleChunk(database, 1, 1, "words");
        deleteChunk(database, sampleId(1, 0));
        throw new Error("no");
      });
    expect(fails).toThrow("no");
    database.transaction(() => {
      expect(fails).toThrow("no");
    });
    expect(matches(database, '"words"')).toStrictEqual([1]);
    checkIntegrity(database);
  });

  test("that has lost step with the texts is found out", async () => {
    const database = await prepared();
    sampleDocument(database, 1, "1.md", "x");
    sampleChunk(database, 1, 0, "words");
    database.exec("UPDATE chunks SET text = 'other'");
    expect(() => checkIntegrity(database)).toThrow(expect.objectContaining({ code: "DATABASE_CORRUPT" }));
  });
});

describe("the tables", () => {
  test("refuse a second chunk in a place, a second document of a path, and ids of a wrong length", async () => {
    const database = await prepared();
    sampleDocument(database, 1, "1.md", "x");
    sampleChunk(database, 1, 0, "words");
    const refused = expect.objectContaining({ code: "DATABASE_CONSTRAINT" });
    expect(() => sampleChunk(database, 1, 0, "words")).toThrow(refused);
    expect(() => sampleDocument(database, 2, "1.md", "x")).toThrow(refused);
    expect(() => database.run("UPDATE documents SET documentId = ?", [new Uint8Array(15)])).toThrow(refused);
  });

  test("are found out when a chunk has lost its document", async () => {
    const database = await prepared();
    sampleDocument(database, 1, "1.md", "x");
    sampleChunk(database, 1, 0, "words");
    database.exec("DELETE FROM texts; DELETE FROM documents");
    expect(() => checkIntegrity(database)).toThrow(/a row of chunks without its documents/);
  });

  test("order paths by their UTF-8 bytes", async () => {
    const database = await prepared();
    // In UTF-16 order, U+1F600 (a surrogate pair) would come before U+FF5E.
    const paths = ["Z", "a", "\u00e9", "\uff5e", "\u{1f600}"];
    for (const i of [3, 1, 4, 0, 2]) sampleDocument(database, i, paths[i]!, "x");
    expect(database.all("SELECT path FROM documents ORDER BY path").map((row) => row.path)).toStrictEqual(
      paths,
    );
  });
});
