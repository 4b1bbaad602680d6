import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Database } from "#dist/store/database.js";
import { openDatabase } from "#dist/store/open.node.js";
import { checkIntegrity, prepareSchema } from "#dist/store/schema.js";
import { sampleDocument } from "./sample.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
const MOVED = expect.objectContaining({ code: "DATABASE_MOVED" });
let count = 0;

async function made(): Promise<{ path: string; database: Database }> {
  const inside = join(folder, `moved${count++}`);
  mkdirSync(inside);
  const path = join(inside, "a.db");
  const database = await openDatabase(path);
  prepareSchema(database);
  database.transaction(() => sampleDocument(database, 1, "1.md", "x"));
  return { path, database };
}

const write = (database: Database, number: number) =>
  database.transaction(() => sampleDocument(database, number, `${number}.md`, "y"));
const paths = (database: Database) =>
  database.all("SELECT path FROM documents ORDER BY path").map((row) => row.path);

describe("a library under an open connection", () => {
  test.each<[string, (path: string) => void]>([
    ["deleted", (path) => rmSync(path)],
    ["moved", (path) => renameSync(path, `${path}.away`)],
    [
      "replaced by a copy",
      (path) => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    ],
    ["moved with its folder", (path) => renameSync(join(path, ".."), `${join(path, "..")}.away`)],
  ])("that was %s: DATABASE_MOVED, and nothing is written", async (_name, move) => {
    const { path, database } = await made();
    move(path);
    expect(() => paths(database)).toThrow(MOVED);
    expect(() => write(database, 2)).toThrow(MOVED);
    expect(() => write(database, 3)).toThrow(MOVED);
    database.close();
    for (const name of [path, `${path}.away`, join(`${join(path, "..")}.away`, "a.db")]) {
      const found = await openDatabase(name).catch(() => null);
      if (found === null) continue;
      prepareSchema(found);
      expect([[], ["1.md"]]).toContainEqual(paths(found));
      found.close();
    }
  });

  test("and made again by another: both stay whole, also in the middle of a transaction", async () => {
    const { path, database } = await made();
    let other: Database | null = null;
    const bytes = readFileSync(path);
    other = await openDatabase(join(path, "..", "b.db"));
    prepareSchema(other);
    other.close();
    expect(() =>
      database.transaction(() => {
        sampleDocument(database, 2, "2.md", "y");
        renameSync(path, `${path}.away`);
        renameSync(join(path, "..", "b.db"), path);
      }),
    ).toThrow(MOVED);
    expect(readFileSync(`${path}.away`).equals(bytes)).toBe(true);
    const again = await openDatabase(path);
    prepareSchema(again);
    again.transaction(() => {
      sampleDocument(again, 5, "5.md", "z");
      // The first one ends in the middle of this: it must not take this journal away.
      database.close();
      expect(readdirSync(join(path, ".."))).toContain("a.db-journal");
    });
    checkIntegrity(again);
    expect(paths(again)).toStrictEqual(["5.md"]);
    again.close();
    const away = await openDatabase(`${path}.away`);
    checkIntegrity(away);
    expect(paths(away)).toStrictEqual(["1.md"]);
    away.close();
  });
});
