import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SelfsameError } from "#dist/errors/selfsame-error.js";
import { binary64Hex, scoreProbe } from "#dist/store/bm25-probe.js";
import type { Database } from "#dist/store/database.js";
import { openDatabase } from "#dist/store/open.node.js";
import { Sqlite } from "#dist/store/sqlite.js";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  }
  return "none";
}

async function withTable(): Promise<Database> {
  const database = await openDatabase(":memory:");
  database.exec("CREATE TABLE t (a)");
  return database;
}

describe("values", () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.double({ noNaN: true }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.string({ unit: "binary" }),
    fc.uint8Array({ maxLength: 100 }),
  );

  test("come out as they went in, to the bit", async () => {
    const database = await withTable();
    fc.assert(
      fc.property(fc.array(value, { minLength: 3, maxLength: 3 }), (values) => {
        const row = database.get("SELECT ? AS a, ? AS b, ? AS c", values)!;
        // A bigint that is safe comes out as a number.
        const expected = values.map((v) =>
          typeof v === "bigint" && Number.isSafeInteger(Number(v)) ? Number(v) : v,
        );
        expect([row.a, row.b, row.c]).toStrictEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    -0,
    5e-324,
    Number.MAX_VALUE,
    Number.NEGATIVE_INFINITY,
    2 ** 53,
    -(2 ** 53),
    0.1,
    "\0a\0",
    "\uFEFFbom",
    "",
    new Uint8Array(0),
    9223372036854775807n,
    -9223372036854775808n,
  ])("%# is kept in a table", async (value) => {
    const database = await withTable();
    database.run("INSERT INTO t VALUES (?)", [value]);
    expect(database.get("SELECT a FROM t")!.a).toStrictEqual(value);
  });

  test("of megabytes are kept", async () => {
    const database = await withTable();
    const blob = Uint8Array.from({ length: 3_000_000 }, (_, i) => i * 7);
    const text = "é漢".repeat(1_000_000);
    for (const value of [blob, text]) database.run("INSERT INTO t VALUES (?)", [value]);
    const [first, second] = database.all("SELECT a FROM t ORDER BY typeof(a)");
    expect(Buffer.compare(first!.a as Uint8Array, blob)).toBe(0);
    expect(second!.a === text).toBe(true);
  });

  test("that SQLite cannot keep are refused", async () => {
    const database = await withTable();
    const insert = (value: unknown) => () => database.run("INSERT INTO t VALUES (?)", [value as number]);
    for (const bad of [Number.NaN, 2n ** 63n, undefined, {}, [1]])
      expect(codeOf(insert(bad))).toBe("BAD_ARGUMENT");
    expect(codeOf(() => database.run("INSERT INTO t VALUES (?)", []))).toBe("BAD_ARGUMENT");
    expect(database.get("SELECT count(*) AS n FROM t")!.n).toBe(0);
  });
});

describe("statements", () => {
  test("nest, even with the same text", async () => {
    const database = await withTable();
    for (let i = 0; i < 3; i++) database.run("INSERT INTO t VALUES (?)", [i]);
    const seen: string[] = [];
    const sql = "SELECT a FROM t ORDER BY a";
    database.each(sql, [], (outer) => {
      const a = outer.value(0);
      database.each(sql, [], (inner) => seen.push(`${a}${inner.value(0)}`));
    });
    expect(seen).toStrictEqual(["00", "01", "02", "10", "11", "12", "20", "21", "22"]);
  });

  test("more than the cache holds, and a changed schema, do no harm", async () => {
    const database = await withTable();
    for (let i = 0; i < 300; i++) expect(database.get(`SELECT ${i} AS n`)!.n).toBe(i);
    expect(database.all("SELECT * FROM t")).toStrictEqual([]);
    database.run("INSERT INTO t VALUES (1)");
    expect(database.run("UPDATE t SET a = a + 1")).toBe(1);
    expect(database.all("SELECT * FROM t")).toStrictEqual([{ a: 2 }]);
  });

  test("that are wrong say so, and leave the database usable", async () => {
    const database = await withTable();
    expect(codeOf(() => database.run("SELEKT 1"))).toBe("DATABASE_FAILED");
    expect(codeOf(() => database.exec("SELECT 1; SELEKT 2"))).toBe("DATABASE_FAILED");
    database.exec("CREATE UNIQUE INDEX u ON t (a); INSERT INTO t VALUES (1)");
    expect(codeOf(() => database.run("INSERT INTO t VALUES (1)"))).toBe("DATABASE_CONSTRAINT");
    expect(database.get("SELECT 1 AS n")!.n).toBe(1);
    database.close();
    database.close();
    expect(codeOf(() => database.run("SELECT 1"))).toBe("BAD_ARGUMENT");
  });
});

describe("transactions", () => {
  const values = (database: Database) => database.all("SELECT a FROM t ORDER BY a").map(({ a }) => a);

  test("are undone as a whole, nested ones alone", async () => {
    const database = await withTable();
    const put = (a: number) => database.run("INSERT INTO t VALUES (?)", [a]);
    const boom = new Error("boom");
    const fails = (work: () => void) => () =>
      database.transaction(() => {
        work();
        throw boom;
      });
    expect(fails(() => put(1))).toThrow(boom);
    expect(values(database)).toStrictEqual([]);
    database.transaction(() => {
      put(2);
      expect(fails(() => put(3))).toThrow(boom);
      database.transaction(() => {
        put(4);
        expect(fails(() => put(5))).toThrow(boom);
      });
    });
    expect(values(database)).toStrictEqual([2, 4]);
    expect(database.inTransaction).toBe(false);
  });

  test("return what their work returns, but no promise", async () => {
    const database = await withTable();
    expect(database.transaction(() => 7)).toBe(7);
    expect(database.snapshot(() => database.get("SELECT 8 AS n")!.n)).toBe(8);
    expect(codeOf(() => database.transaction(async () => database.run("INSERT INTO t VALUES (1)")))).toBe(
      "BAD_ARGUMENT",
    );
    expect(values(database)).toStrictEqual([]);
  });
});

describe("files", () => {
  test("of any name are opened; a folder, a missing folder and a name without characters are not", async () => {
    mkdirSync(join(folder, "folder"));
    const names = ["a?b=c#d.db", "ünï ço̧de 漢字.db", `${"long".repeat(50)}.db`, "%41.db", "file:x.db"];
    for (const name of names) {
      const database = await openDatabase(join(folder, name));
      database.exec("CREATE TABLE t (a); INSERT INTO t VALUES (5)");
      database.close();
      const again = await openDatabase(join(folder, name));
      expect(again.get("SELECT a FROM t")!.a).toBe(5);
      again.close();
    }
    const opening = (name: string) =>
      openDatabase(name).then(
        () => "none",
        (error: SelfsameError) => error.code,
      );
    expect(await opening(join(folder, "folder"))).toBe("DATABASE_CANNOT_OPEN");
    expect(await opening(join(folder, "missing", "a.db"))).toBe("DATABASE_CANNOT_OPEN");
    expect(await opening("")).toBe("BAD_ARGUMENT");
  });

  test("that are no databases are left alone", async () => {
    const path = join(folder, "letter.txt");
    writeFileSync(path, "Dear reader, ".repeat(500));
    const database = await openDatabase(path);
    expect(codeOf(() => database.get("SELECT * FROM sqlite_schema"))).toBe("DATABASE_CORRUPT");
    database.close();
  });
});

describe("the pinned binary", () => {
  test("is the only one that loads", async () => {
    const other = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    await expect(Sqlite.load(other, WebAssembly.compile)).rejects.toMatchObject({ code: "ENGINE_REFUSED" });
  });

  test("scores the probe as Okapi BM25 says, to the last few bits", async () => {
    // The formula of https://www.sqlite.org/fts5.html#the_bm25_function, worked out for "sum": of 7 rows, two hold
    // it (after stemming), 2 and 3 times. The host's logarithm may differ from SQLite's in the last place.
    const database = await openDatabase(":memory:");
    const [got] = scoreProbe(database, ["sum"]);
    const lengths = [8 + 3, 7 + 1, 8 + 1, 5 + 6, 12 + 0, 3 + 1, 3 + 1];
    const average = lengths.reduce((sum, length) => sum + length) / lengths.length;
    const idf = Math.log((7 - 2 + 0.5) / (2 + 0.5));
    const expected = [
      [2, lengths[1]!],
      [3, lengths[2]!],
    ].map(([f, length]) => (-idf * (f! * 2.2)) / (f! + 1.2 * (0.25 + (0.75 * length!) / average)));
    const value = (hex: string) =>
      new DataView(BigUint64Array.of(BigInt(`0x${hex}`)).buffer).getFloat64(0, true);
    got!.forEach((hex, index) => {
      expect(binary64Hex(value(hex))).toBe(hex);
      expect(Math.abs(value(hex) / expected[index]! - 1)).toBeLessThan(1e-14);
    });
  });
});
