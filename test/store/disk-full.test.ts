import { spawnSync } from "node:child_process";
import * as nodeFs from "node:fs";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { SelfsameError } from "#dist/errors/selfsame-error.js";
import type { Database } from "#dist/store/database.js";
import { deleteDocument } from "#dist/store/documents.js";
import { openDatabase } from "#dist/store/open.node.js";
import { PAGE_BYTES, SEAL_BYTES } from "#dist/store/page-seal.js";
import { checkIntegrity, prepareSchema } from "#dist/store/schema.js";
import { type Call, fullAt } from "./full-disk.ts";
import { sampleChunk, sampleDocument, sampleId } from "./sample.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();

function work(database: Database): void {
  database.exec("PRAGMA cache_size = 10"); // Small, so that pages go to the file before the commit.
  database.transaction(() => {
    for (let i = 100; i < 130; i++) {
      sampleDocument(database, i, `new/${i}.md`, "text");
      sampleChunk(database, i, 0, `words of document ${i} ${"and more ".repeat(100)}`);
    }
    deleteDocument(database, sampleId(1, 0));
  });
}

async function makeBase(name: string): Promise<string> {
  const path = join(folder, name);
  const database = await openDatabase(path);
  prepareSchema(database);
  database.transaction(() => {
    for (let i = 0; i < 20; i++) {
      sampleDocument(database, i, `old/${i}.md`, "text");
      sampleChunk(database, i, 0, `words of document ${i} ${"and more ".repeat(100)}`);
    }
  });
  database.close();
  return path;
}

async function contentOf(path: string): Promise<string> {
  const database = await openDatabase(path);
  prepareSchema(database);
  checkIntegrity(database);
  const rows = database.all("SELECT path FROM documents ORDER BY path");
  const hits = database.get("SELECT count(*) AS n FROM search WHERE search MATCH 'words'")!.n;
  database.close();
  return `${rows.map((row) => row.path).join(" ")} | ${hits}`;
}

/** The file without its seals: pages that were written back carry a new transaction number. */
function unsealed(path: string): Buffer {
  const bytes = readFileSync(path);
  for (let end = PAGE_BYTES; end <= bytes.byteLength; end += PAGE_BYTES) bytes.fill(0, end - SEAL_BYTES, end);
  return bytes;
}

/** Whether there is a journal with a header. SQLite ignores one without, and its next transaction replaces it. */
function isBegun(journal: string): boolean {
  return (
    existsSync(journal) &&
    readFileSync(journal)
      .subarray(0, 12)
      .some((byte) => byte !== 0)
  );
}

/** Runs `work` on a copy with a disk that is full at the n-th call; returns the error's code, or "none". */
async function attempt(
  base: string,
  path: string,
  call: Call,
  n: number,
): Promise<[code: string, calls: number]> {
  copyFileSync(base, path);
  const { fileSystem, calls } = fullAt(call, n);
  let code = "none";
  try {
    const database = await openDatabase(path, { fileSystem });
    try {
      prepareSchema(database);
      work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    code = (error as SelfsameError).code;
  }
  return [code, calls()];
}

describe("a full disk", () => {
  test("at any write: DISK_FULL, and the file is what it was, byte by byte but for the seals", async () => {
    const base = await makeBase("base.db");
    const before = await contentOf(base);
    const bytes = unsealed(base);
    const path = join(folder, "write.db");
    const [, total] = await attempt(base, path, "writeSync", Number.POSITIVE_INFINITY);
    expect(await contentOf(path)).not.toBe(before);
    expect(total).toBeGreaterThan(100);
    const stride = import.meta.env.MODE === "long" ? 1 : Math.ceil(total / 25);
    for (let n = 1; n <= total; n += n < 10 ? 1 : stride) {
      const [code] = await attempt(base, path, "writeSync", n);
      expect([n, code]).toStrictEqual([n, "DISK_FULL"]);
      expect(await contentOf(path)).toBe(before);
      expect(Buffer.compare(unsealed(path), bytes)).toBe(0);
      expect(isBegun(`${path}-journal`)).toBe(false);
    }
  });

  test.each<Call>(["fsyncSync", "ftruncateSync", "openSync", "unlinkSync"])(
    "at any %s: a typed error, and all or nothing",
    async (call) => {
      const base = await makeBase(`base-${call}.db`);
      const before = await contentOf(base);
      const path = join(folder, `${call}.db`);
      const [, total] = await attempt(base, path, call, Number.POSITIVE_INFINITY);
      const after = await contentOf(path);
      for (let n = 1; n <= total; n++) {
        const [code] = await attempt(base, path, call, n);
        expect([before, after]).toContain(await contentOf(path));
        if (code === "none") expect(await contentOf(path)).toBe(after);
        else expect(["DISK_FULL", "DATABASE_CANNOT_OPEN", "DATABASE_IO"]).toContain(code);
      }
    },
  );
});

const mounted = join(folder, "small");
mkdirSync(mounted);
const isMounted =
  process.platform === "linux" &&
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", mounted]).status === 0;
afterAll(() => {
  if (isMounted) spawnSync("umount", [mounted]);
});

test.runIf(isMounted).each(["auto", "file"] as const)(
  "a real disk of 1 MB fills up and stays whole (%s)",
  async (locks) => {
    const path = join(mounted, `${locks}.db`);
    const database = await openDatabase(path, { locks });
    prepareSchema(database);
    let committed = 0;
    const fill = () => {
      for (; committed < 10_000; committed++) {
        database.transaction(() => {
          sampleDocument(database, committed, `${committed}.md`, "text");
          sampleChunk(database, committed, 0, `words ${"and more ".repeat(500)}`);
        });
      }
    };
    expect(fill).toThrow(expect.objectContaining({ code: "DISK_FULL" }));
    expect(committed).toBeGreaterThan(10);
    expect(database.get("SELECT count(*) AS n FROM documents")!.n).toBe(committed);
    database.close();
    const again = await openDatabase(path, { locks });
    prepareSchema(again);
    checkIntegrity(again);
    expect(again.get("SELECT count(*) AS n FROM documents")!.n).toBe(committed);
    again.close();
    nodeFs.rmSync(path);
  },
);
