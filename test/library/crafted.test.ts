import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { SelfsameError } from "#dist/errors/selfsame-error.js";
import type { Database } from "#dist/store/database.js";
import { openDatabase } from "#dist/store/open.node.js";
import { PAGE_BYTES, sealOf, sealPage } from "#dist/store/page-seal.js";
import { cpuMsSince } from "../cpu-seconds.ts";
import { scratchFolder } from "../store/scratch.ts";
import { openTiny } from "./opened.ts";
import { stateOf } from "./state.ts";
import { sampleDocument } from "./steps.ts";

const IS_LONG = import.meta.env.MODE === "long";
/** All of the cases, or every so many-th. */
const STRIDE = IS_LONG ? 7 : 97;
const CASE_MS_MAX = 30_000;
const folder = scratchFolder();
const base = join(folder, "base.db");
let intact: string;

/** Values that may stand in a column, or not, as SQL. */
const VALUES: readonly string[] = [
  ...["NULL", "0", "-1", "1", "9007199254740993", "-9223372036854775808", "9223372036854775807"],
  ...["1.5", "-1e308", "9e999", "''", "'x'", "'[1]'", "'{}'", "'[['", "char(0)", "CAST(x'ff80' AS TEXT)"],
  ...["x''", "x'00'", "zeroblob(15)", "zeroblob(16)", "zeroblob(32)", "zeroblob(1000000)"],
  "replace(hex(zeroblob(200000)), '00', '[')",
  "hex(zeroblob(500000))",
];

interface Case {
  readonly table: string;
  readonly column: string;
  readonly value: string;
  /** In all rows, or in one. */
  readonly isEverywhere: boolean;
}

beforeAll(async () => {
  const opened = await openTiny(base, { index: "hnsw" });
  await opened.library.add(Array.from({ length: 12 }, (_, i) => sampleDocument("notes", i)));
  await opened.library.search("order");
  // Rows of a table that only indexing files writes.
  opened.parts.database.run("INSERT INTO files SELECT documentId, 1, 2, 3, '{}' FROM documents");
  intact = await answers(base);
  await opened.library.close();
});

function columnsOf(database: Database): { table: string; column: string }[] {
  return database
    .all<{ owner: string; name: string }>(
      `SELECT schema.name AS owner, info.name AS name FROM sqlite_schema AS schema, pragma_table_info(schema.name) AS info
     WHERE schema.type = 'table' AND schema.name <> 'search'`,
    )
    .map(({ owner, name }) => ({ table: owner, column: name }));
}

/**
 * Sets a column of some rows to a value that the table does not allow: its statement is replaced by one without types
 * and rules, and put back afterwards. Seals are right, since our own VFS writes the pages. False if SQLite refused.
 */
async function craft(path: string, { table, column, value, isEverywhere }: Case): Promise<boolean> {
  copyFileSync(base, path);
  const sql = await relax(path, table);
  try {
    const database = await openDatabase(path);
    try {
      const where = isEverywhere ? "" : `WHERE "${column}" IS (SELECT "${column}" FROM "${table}" LIMIT 1)`;
      database.exec("PRAGMA ignore_check_constraints = on");
      database.run(`UPDATE OR REPLACE "${table}" SET "${column}" = ${value} ${where}`);
    } catch (error) {
      if (
        (error as SelfsameError).code === "DATABASE_CONSTRAINT" ||
        (error as SelfsameError).code === "DATABASE_FAILED"
      )
        return false;
      throw error;
    } finally {
      database.close();
    }
  } finally {
    await setStatement(path, table, sql);
  }
  return true;
}

async function relax(path: string, table: string): Promise<string> {
  const database = await openDatabase(path);
  const { sql } = database.get<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE name = ?", [table])!;
  database.close();
  const relaxed = sql
    .replaceAll(/--.*/g, "")
    .replaceAll(/CHECK \(length\(\w+\) = 16\)/g, "")
    .replaceAll(/NOT NULL|REFERENCES documents|STRICT,?/g, "")
    .replaceAll(/\b(TEXT|BLOB|ANY)\b/g, "")
    .replaceAll(/\bINTEGER\b(?! PRIMARY)/g, "")
    .trim();
  await setStatement(path, table, relaxed);
  return sql;
}

async function setStatement(path: string, table: string, sql: string): Promise<void> {
  const database = await openDatabase(path);
  database.exec("PRAGMA writable_schema = on");
  database.run("UPDATE sqlite_schema SET sql = ? WHERE name = ?", [sql, table]);
  // So that no connection keeps the statement that it has read.
  const { schema_version } = database.get<{ schema_version: number }>("PRAGMA schema_version")!;
  database.exec(`PRAGMA schema_version = ${schema_version + 1}`);
  database.close();
}

/** Everything that a library is asked, in order. Each must answer or give a typed error. */
async function answers(path: string): Promise<string> {
  const opened = await openTiny(path);
  const { library } = opened;
  try {
    const state = await stateOf(opened, ["note", "order"], ["the same order"]);
    const { documents } = state;
    const texts = await Promise.all(documents.map(async ({ path }) => (await library.document(path))?.text));
    const search = await Promise.all(
      (["hybrid", "semantic", "lexical"] as const).map(
        async (mode) => (await library.search("order of notes", { mode })).results,
      ),
    );
    const filtered = await library
      .search("order", { filter: { path: "notes/1*", contains: "order" } } as never)
      .catch(keepTyped);
    // Which graphs are stored is no answer: what is damaged is built again.
    const { embeddings: _, unusedEmbeddings: __, index: ___, ...stats } = await library.stats();
    return JSON.stringify([state, texts, search, filtered, stats]);
  } finally {
    await library.close();
  }
}

function keepTyped(error: unknown): string {
  if (error instanceof SelfsameError) return error.code;
  throw error;
}

/** What a crafted library does: "same", "other", or the codes of its errors. */
async function visit(path: string): Promise<string> {
  const read = await answers(path).catch((error) => `! ${keepTyped(error)}`);
  const sound = await checked(path).catch((error) => `! ${keepTyped(error)}`);
  await changed(path).catch(keepTyped);
  if (read.startsWith("!")) return read;
  if (read === intact) return "same";
  return sound === "sound" ? "misled" : "found by check";
}

async function checked(path: string): Promise<string> {
  const { library } = await openTiny(path);
  try {
    return (await library.check({ full: true })).isSound ? "sound" : "unsound";
  } finally {
    await library.close();
  }
}

async function changed(path: string): Promise<void> {
  const { library } = await openTiny(path);
  try {
    await library.add([sampleDocument("more", 1), sampleDocument("notes", 3, 1)]);
    await library.remove(["notes/1.md", "notes/2.md"]);
  } finally {
    await library.close();
  }
}

describe("a crafted library", () => {
  test("with any value in any column: typed errors or right answers, and no hanging", async () => {
    const database = await openDatabase(base);
    const columns = columnsOf(database);
    database.close();
    const all = columns.flatMap((column) =>
      VALUES.flatMap((value) => [true, false].map((isEverywhere) => ({ ...column, value, isEverywhere }))),
    );
    const counts: Record<string, number> = {};
    const wrong: [Case, string][] = [];
    for (let i = 0; i < all.length; i += STRIDE) {
      const path = join(folder, `case.db`);
      const each = all[i]!;
      if (!(await craft(path, each))) continue;
      const began = process.cpuUsage();
      let outcome: string;
      try {
        outcome = await visit(path);
      } catch (error) {
        outcome = `untyped: ${(error as Error).stack}`;
      }
      expect([each, cpuMsSince(began) < CASE_MS_MAX]).toStrictEqual([each, true]);
      if (outcome === "misled" || outcome.startsWith("untyped")) wrong.push([each, outcome]);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    if (IS_LONG) console.log("crafted values", JSON.stringify(counts));
    expect(wrong).toStrictEqual([]);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThan(IS_LONG ? 250 : 30);
  }, 1_800_000);

  test.each([
    "chunks",
    "documents",
    "texts",
    "embeddings",
    "nodes",
    "sqlite_autoindex_chunks_1",
    "search_data",
  ])("whose few pages of %s stand for more rows than can be read: typed errors", async (name) => {
    const path = join(folder, "bomb.db");
    await bomb(path, name);
    const began = process.cpuUsage();
    expect(await visit(path)).not.toBe("misled");
    expect(cpuMsSince(began)).toBeLessThan(120_000);
  });
});

const DEPTH = 15;
const CHILDREN = 200;

/** Puts pages between the root of a tree and a leaf; each names the next one as all of its children. */
async function bomb(path: string, name: string): Promise<void> {
  copyFileSync(base, path);
  const database = await openDatabase(path);
  const { rootpage } = database.get<{ rootpage: number }>(
    "SELECT rootpage FROM sqlite_schema WHERE name = ?",
    [name],
  )!;
  database.close();
  const bytes = readFileSync(path);
  const pages = bytes.byteLength / PAGE_BYTES;
  const { transaction } = sealOf(bytes.subarray(0, PAGE_BYTES), 1)!;
  const out = Buffer.concat([bytes, Buffer.alloc(PAGE_BYTES * (DEPTH + 1))]);
  const pageAt = (number: number) => out.subarray((number - 1) * PAGE_BYTES, number * PAGE_BYTES);
  const root = Buffer.from(pageAt(rootpage));
  const leaf = firstLeaf(out, root);
  const isTable = leaf[0] === 13;
  leaf.copy(pageAt(pages + DEPTH + 1));
  for (let level = 0; level <= DEPTH; level++) {
    const number = level === 0 ? rootpage : pages + level;
    const child = pages + level + 1;
    if (level < DEPTH + 1 && number !== pages + DEPTH + 1)
      interior(pageAt(number), child, isTable ? null : leaf);
  }
  out.writeUInt32BE(pages + DEPTH + 1, 28);
  out.copy(out, 92, 24, 28);
  for (const number of [1, rootpage, ...Array.from({ length: DEPTH + 1 }, (_, i) => pages + i + 1)])
    sealPage(pageAt(number), number, { transaction, isOpen: false, journalBytes: 0 });
  writeFileSync(path, out);
  rmSync(`${path}-journal`, { force: true });
}

function firstLeaf(file: Buffer, page: Buffer): Buffer {
  if (page[0] === 13 || page[0] === 10) return Buffer.from(page);
  const cell = page.readUInt16BE(12);
  const child = page.readUInt32BE(cell);
  return firstLeaf(file, file.subarray((child - 1) * PAGE_BYTES, child * PAGE_BYTES));
}

/** An interior page all of whose children are one page; in an index each cell repeats a short key. */
function interior(page: Buffer, child: number, indexLeaf: Buffer | null): void {
  page.fill(0);
  const usable = PAGE_BYTES - 24;
  page[0] = indexLeaf === null ? 5 : 2;
  page.writeUInt32BE(child, 8);
  const key = indexLeaf === null ? Buffer.from([0x7f]) : firstKey(indexLeaf);
  const size = 4 + key.byteLength;
  const count = Math.min(CHILDREN, Math.floor((usable - 12) / (size + 2)));
  page.writeUInt16BE(count, 3);
  page.writeUInt16BE(usable - count * size, 5);
  for (let i = 0; i < count; i++) {
    const at = usable - (i + 1) * size;
    page.writeUInt32BE(child, at);
    key.copy(page, at + 4);
    page.writeUInt16BE(at, 12 + i * 2);
  }
}

/** The payload of the first cell of a leaf of an index, with its length: short ones only. */
function firstKey(leaf: Buffer): Buffer {
  const at = leaf.readUInt16BE(8);
  const length = leaf[at]! & 0x7f;
  return Buffer.from(leaf.subarray(at, at + 1 + Math.min(length, 100)));
}
