import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Database } from "#dist/store/database.js";
import type { DatabaseBusyError } from "#dist/store/failure.js";
import { openDatabase } from "#dist/store/open.node.js";
import { splitmix32 } from "../reference/prng.ts";
import { Child } from "./child.ts";
import { scratchFolder } from "./scratch.ts";

type Locks = "auto" | "file";
const folder = scratchFolder();
const IS_LINUX = process.platform === "linux";
const COUNT = import.meta.env.MODE === "long" ? 200 : 60;

async function counter(name: string, locks: Locks, timeoutMs = 60_000): Promise<[string, Database]> {
  const path = join(folder, `${name}-${locks}.db`);
  const database = await openDatabase(path, { locks, timeoutMs });
  database.exec(`
    PRAGMA journal_mode = delete; PRAGMA synchronous = extra;
    CREATE TABLE counter (n); INSERT INTO counter VALUES (0);
    CREATE TABLE filler (x);
  `);
  return [path, database];
}

function countOf(database: Database): number {
  return database.get<{ n: number }>("SELECT n FROM counter")!.n;
}

function busyError(work: () => unknown): DatabaseBusyError {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ code: "DATABASE_BUSY" });
    return error as DatabaseBusyError;
  }
  throw new Error("expected DATABASE_BUSY");
}

describe.each<Locks>(["auto", "file"])("processes on one file (%s)", (locks) => {
  test("the increments of three processes are all counted", async () => {
    const [path, database] = await counter("increments", locks);
    const children = [1, 2, 3].map(() => new Child("increment.child.mjs", path, locks, String(COUNT)));
    await Promise.all(children.map((child) => child.succeeds()));
    expect(countOf(database)).toBe(3 * COUNT);
    database.close();
  });

  test("readers work between a writer's transactions", async () => {
    const [path, database] = await counter("readers", locks);
    // More than it can do: a busy machine may leave many between two readings, but never the last.
    const child = new Child("increment.child.mjs", path, locks, "1000000");
    await child.says("+");
    let last = 0;
    let changes = 0;
    while (changes < 4) {
      expect(child.process.exitCode).toBe(null);
      const n = countOf(database);
      expect(n).toBeGreaterThanOrEqual(last);
      if (n > last) changes++;
      last = n;
      await pause(1);
    }
    await child.kill();
    database.close();
  });

  test("a snapshot does not move", async () => {
    const [path, database] = await counter("snapshot", locks);
    const child = database.snapshot(() => {
      const before = countOf(database);
      const writer = new Child("increment.child.mjs", path, locks, "1");
      // The writer waits for the end of the snapshot.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      expect(countOf(database)).toBe(before);
      return writer;
    });
    await child.succeeds();
    expect(countOf(database)).toBe(1);
    database.close();
  });

  test("one that waits too long is told who holds the file; a dead holder holds nothing", async () => {
    const [path, database] = await counter("busy", locks, 300);
    const child = new Child("hold.child.mjs", path, locks);
    await child.says("held");
    const began = performance.now();
    const error = busyError(() => database.run("UPDATE counter SET n = 1"));
    expect(performance.now() - began).toBeGreaterThan(250);
    expect(error.holderPid).toBe(child.pid);
    expect(error.message).toContain(`process ${child.pid}`);
    await child.kill();
    expect(existsSync(`${path}-journal`)).toBe(true);
    database.run("UPDATE counter SET n = n + 5");
    expect(countOf(database)).toBe(5);
    expect(database.get("SELECT count(*) AS n FROM filler")!.n).toBe(0);
    database.close();
  });

  test("two connections of one process exclude each other too", async () => {
    const [path, first] = await counter("same", locks);
    const second = await openDatabase(path, { locks, timeoutMs: 50 });
    first.transaction(() => {
      first.run("UPDATE counter SET n = 1");
      expect(busyError(() => second.run("UPDATE counter SET n = 2")).holderPid).toBe(process.pid);
    });
    // Closing one connection must not drop the other's locks, as POSIX locks would.
    first.transaction(() => {
      second.close();
      const third = spawnSync(
        process.execPath,
        [join(import.meta.dirname, "increment.child.mjs"), path, locks, "1"],
        {
          timeout: 1000,
        },
      );
      expect(third.stdout.toString()).toBe("");
    });
    expect(countOf(first)).toBe(1);
    first.close();
  });

  test("increments that were told of outlive killed processes", async () => {
    const [path, database] = await counter("killed", locks);
    const random = splitmix32(7);
    const kills = import.meta.env.MODE === "long" ? 30 : 3;
    const steady = new Child("increment.child.mjs", path, locks, String(COUNT / 4));
    let told = 0;
    for (let kill = 0; kill < kills; kill++) {
      const children = [1, 2].map(() => new Child("increment.child.mjs", path, locks, "1000000"));
      await Promise.all(children.map((child) => child.says("+")));
      await pause(random() % 100);
      await Promise.all(children.map((child) => child.kill()));
      for (const child of children) told += child.output.length;
    }
    await steady.succeeds();
    told += steady.output.length;
    const n = countOf(database);
    expect(n).toBeGreaterThanOrEqual(told);
    expect(n).toBeLessThanOrEqual(told + 2 * kills);
    database.close();
  });
});

test.runIf(IS_LINUX)("processes with kernel locks and with lock files respect each other", async () => {
  const [path, database] = await counter("mixed", "auto");
  const children = (["auto", "file", "auto"] as const).map(
    (locks) => new Child("increment.child.mjs", path, locks, String(COUNT / 2)),
  );
  await Promise.all(children.map((child) => child.succeeds()));
  expect(countOf(database)).toBe((3 * COUNT) / 2);
  database.close();
});

const nativeSqlite = spawnSync("sqlite3", ["-version"]).status === 0;

describe.runIf(IS_LINUX && nativeSqlite)("native SQLite", () => {
  function native(path: string, sql: string): string {
    const { stdout, stderr } = spawnSync("sqlite3", [path, sql]);
    return `${stdout}${stderr}`.trim();
  }

  async function nativeHolder(path: string): Promise<ChildProcess> {
    const holder = spawn("sqlite3", [path], { stdio: ["pipe", "pipe", "inherit"] });
    holder.stdin!.write("BEGIN IMMEDIATE; UPDATE counter SET n = 9; SELECT 'held';\n");
    await new Promise((resolve) => holder.stdout!.once("data", resolve));
    return holder;
  }

  test("reads what was written, and is held off while it is being written", async () => {
    const [path, database] = await counter("native", "auto");
    database.run("UPDATE counter SET n = 3");
    expect(native(path, "PRAGMA integrity_check; SELECT n FROM counter")).toBe("ok\n3");
    database.transaction(() => {
      database.run("UPDATE counter SET n = 4");
      expect(native(path, "UPDATE counter SET n = 5")).toContain("locked");
    });
    expect(native(path, "SELECT n FROM counter")).toBe("4");
    // It keeps no checksums (without its cksumvfs extension): what it writes is not taken for ours.
    expect(native(path, "UPDATE counter SET n = 5; SELECT n FROM counter")).toBe("5");
    expect(() => countOf(database)).toThrow(expect.objectContaining({ code: "DATABASE_CORRUPT" }));
    database.close();
  });

  test.each<Locks>(["auto", "file"])("holds us off while it writes (%s)", async (locks) => {
    const [path, database] = await counter("held", locks, 200);
    const holder = await nativeHolder(path);
    expect(busyError(() => database.run("UPDATE counter SET n = 1")).holderPid).toBe(null);
    const ended = new Promise((resolve) => holder.on("close", resolve));
    holder.stdin!.end("ROLLBACK;\n");
    await ended;
    database.run("UPDATE counter SET n = n + 1");
    expect(countOf(database)).toBe(1);
    database.close();
  });
});
