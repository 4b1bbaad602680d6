/** Lock files whose holders are dead, suspended or in another container; and reading where no lock file can be made. */
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Database } from "#dist/store/database.js";
import { openDatabase } from "#dist/store/open.node.js";
import { Child, ContainedChild, hasNamespaces } from "./child.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();

async function counter(path: string): Promise<Database> {
  const database = await openDatabase(path, { locks: "file" });
  database.exec(`
    PRAGMA journal_mode = delete; PRAGMA synchronous = extra;
    CREATE TABLE counter (n); INSERT INTO counter VALUES (0);
    CREATE TABLE filler (x);
  `);
  return database;
}

async function newCounter(name: string): Promise<string> {
  const path = join(folder, `${name}.db`);
  (await counter(path)).close();
  return path;
}

/** Sets the time at which the holder showed itself last, as if that time had passed. */
function age(lock: string, ms: number): void {
  const then = new Date(Date.now() - ms);
  fs.utimesSync(lock, then, then);
}

async function increment(path: string, timeoutMs: number): Promise<void> {
  const database = await openDatabase(path, { locks: "file", timeoutMs });
  try {
    database.run("UPDATE counter SET n = n + 1");
  } finally {
    database.close();
  }
}

async function contents(path: string): Promise<string> {
  const database = await openDatabase(path, { locks: "file" });
  const { n } = database.get<{ n: number }>("SELECT n FROM counter")!;
  const filler = database.get<{ n: number }>("SELECT count(x) AS n FROM filler")!.n;
  const check = database.get<{ integrity_check: string }>("PRAGMA integrity_check")!.integrity_check;
  database.close();
  return `${n} ${filler} ${check}`;
}

const busy = (parts: string[]) =>
  expect.objectContaining({
    code: "DATABASE_BUSY",
    message: expect.stringMatching(new RegExp(parts.join(".*"), "s")),
  });

describe.runIf(hasNamespaces)("a holder in another container", () => {
  test("that was killed is waited for, then recognised, and its transaction undone", async () => {
    const path = await newCounter("killed");
    const child = new ContainedChild("hold.child.mjs", path, "file");
    await child.says("held");
    await child.kill();
    const lock = `${path}-lock`;
    const claim = JSON.parse(fs.readFileSync(lock, "utf8")) as { pid: number; host: string };
    expect(claim).toMatchObject({ pid: 1, host: "contained" });
    // Until 30 s have passed it may be alive. The error says whose lock it is, where, and the way out.
    const error = busy(["process 1 in another container", "contained", lock, "doctor --unlock"]);
    await expect(increment(path, 3500)).rejects.toEqual(error);
    age(lock, 31_000);
    await increment(path, 5000);
    expect(await contents(path)).toBe("1 0 ok");
    expect(fs.readdirSync(folder).filter((name) => name.startsWith("killed.db-"))).toEqual([]);
  });

  test("that was killed is replaced by one of those who wait, then by the next", async () => {
    const path = await newCounter("heirs");
    const child = new ContainedChild("hold.child.mjs", path, "file");
    await child.says("held");
    await child.kill();
    age(`${path}-lock`, 31_000);
    const heirs = [1, 2, 3, 4].map((i) =>
      i % 2 === 0
        ? new Child("increment.child.mjs", path, "auto", "20")
        : new ContainedChild("increment.child.mjs", path, "file", "20"),
    );
    await Promise.all(heirs.map((heir) => heir.succeeds()));
    expect(await contents(path)).toBe("80 0 ok");
  });

  test.each([-3_600_000, 3_600_000])("that works is left alone if the clock jumps by %s ms", async (jump) => {
    const path = await newCounter(`clock${jump}`);
    const signal = `${path}.go`;
    const child = new ContainedChild("suspended.child.mjs", path, "busy", signal);
    await child.says("held");
    age(`${path}-lock`, jump);
    await expect(increment(path, 4500)).rejects.toEqual(busy(["process 1"]));
    fs.writeFileSync(signal, "");
    await child.succeeds();
    expect(child.output).toContain("ended: done");
    expect(await contents(path)).toBe("-1000 200 ok");
  });

  test("that died when the clock was ahead is recognised", async () => {
    const path = await newCounter("ahead");
    const child = new ContainedChild("hold.child.mjs", path, "file");
    await child.says("held");
    await child.kill();
    age(`${path}-lock`, -3_600_000);
    await increment(path, 5000);
    expect(await contents(path)).toBe("1 0 ok");
  });

  test.each(["write", "read"])(
    "that was suspended in order to %s learns that it lost the lock",
    async (kind) => {
      const path = await newCounter(`suspended-${kind}`);
      const signal = `${path}.go`;
      const child = new ContainedChild("suspended.child.mjs", path, kind, signal);
      await child.says("held");
      child.signal("SIGSTOP");
      age(`${path}-lock`, 31_000);
      // Another process takes over, and is in the middle of its own transaction when the first one wakes up.
      const heirSignal = `${path}.heir`;
      const heir = new Child("suspended.child.mjs", path, "write", heirSignal);
      await heir.says("held");
      const files = [path, `${path}-journal`, `${path}-lock`];
      const before = files.map((file) => fs.readFileSync(file));
      fs.writeFileSync(signal, "");
      child.signal("SIGCONT");
      await child.says("ended");
      expect(files.map((file, i) => fs.readFileSync(file).equals(before[i]!))).toEqual([true, true, true]);
      fs.writeFileSync(heirSignal, "");
      await Promise.all([heir.succeeds(), child.succeeds()]);
      expect(heir.output).toContain("ended: done");
      expect(child.output).toMatch(/ended: DATABASE_LOCK_LOST .*took it over/);
      // Its connection works again, and sees what the other one wrote.
      expect(child.output).toContain("then: -1000 200");
      expect(await contents(path)).toBe("-1000 200 ok");
    },
  );
});

test("a holder of this pid namespace that is suspended keeps its lock, however long", async () => {
  const path = await newCounter("stopped");
  const child = new Child("hold.child.mjs", path, "file");
  await child.says("held");
  child.process.kill("SIGSTOP");
  age(`${path}-lock`, 3_600_000);
  await expect(increment(path, 4000)).rejects.toEqual(busy([`process ${child.pid}`, `${path}-lock`]));
  await child.kill();
  await increment(path, 100);
  expect(await contents(path)).toBe("1 0 ok");
});

describe("what is not a claim of ours", () => {
  test("damaged text is taken over by the same rule", async () => {
    const path = await newCounter("damaged");
    const outside = join(folder, "damaged-outside");
    fs.writeFileSync(outside, "keep");
    // A token is part of a file's name: this one would lead out of the library's folder.
    fs.writeFileSync(
      `${path}-lock`,
      JSON.stringify({
        pid: 1,
        started: "",
        boot: "",
        namespace: "",
        host: "x",
        token: "/../damaged-outside",
      }),
    );
    await expect(increment(path, 100)).rejects.toMatchObject({ code: "DATABASE_BUSY" });
    age(`${path}-lock`, 31_000);
    await increment(path, 5000);
    expect(fs.readFileSync(outside, "utf8")).toBe("keep");
    expect(await contents(path)).toBe("1 0 ok");
  });

  const makers: [string, (at: string, target: string) => void][] = [
    ["a link to a file", (at, target) => fs.symlinkSync(target, at)],
    ["a link to nothing", (at, target) => fs.symlinkSync(`${target}-none`, at)],
    ["a folder", (at) => fs.mkdirSync(at)],
    ["a FIFO", (at) => void spawnSync("mkfifo", [at])],
  ];

  test.each(makers)("%s is never opened", async (name, make) => {
    const path = await newCounter(name);
    const target = join(folder, `${name}-target`);
    fs.writeFileSync(target, "keep");
    make(`${path}-lock`, target);
    await expect(increment(path, 100)).rejects.toMatchObject({ code: "DATABASE_CANNOT_OPEN" });
    fs.rmSync(`${path}-lock`, { recursive: true });
    make(`${path}-holder`, target);
    const database = await openDatabase(path);
    database.run("UPDATE counter SET n = n + 1");
    database.close();
    expect(fs.readFileSync(target, "utf8")).toBe("keep");
    expect(fs.existsSync(`${target}-none`)).toBe(false);
    expect(await contents(path)).toBe("1 0 ok");
  });
});

const disk = join(folder, "disk");
const view = join(folder, "view");
for (const at of [disk, view]) fs.mkdirSync(at);
const mount = (...args: string[]) => spawnSync("mount", args).status === 0;
const hasMounts =
  process.platform === "linux" &&
  mount("-t", "tmpfs", "-o", "size=1m", "none", disk) &&
  mount("--bind", disk, view) &&
  mount("-o", "remount,bind,ro", view);
afterAll(() => {
  for (const at of [view, disk]) spawnSync("umount", ["-l", at]);
});

describe.runIf(hasMounts).each(["auto", "file"] as const)("where no lock file can be made (%s)", (locks) => {
  test("a read-only folder can be read, and refuses to be written", async () => {
    (await counter(join(disk, `${locks}.db`))).close();
    const database = await openDatabase(join(view, `${locks}.db`), { locks });
    expect(database.get("SELECT n FROM counter")).toEqual({ n: 0 });
    expect(() => database.run("UPDATE counter SET n = 1")).toThrow(
      expect.objectContaining({ code: "DATABASE_READONLY" }),
    );
    database.close();
  });

  test("a reader there waits for a writer elsewhere, and reads what it wrote", async () => {
    const [path, signal] = [join(disk, `${locks}-written.db`), join(disk, `${locks}.go`)];
    (await counter(path)).close();
    const child = new Child("suspended.child.mjs", path, "write", signal);
    await child.says("held");
    const database = await openDatabase(join(view, `${locks}-written.db`), { locks, timeoutMs: 300 });
    expect(() => database.get("SELECT n FROM counter")).toThrow(
      expect.objectContaining({ code: "DATABASE_BUSY" }),
    );
    fs.writeFileSync(signal, "");
    await child.succeeds();
    expect(database.get("SELECT n FROM counter")).toEqual({ n: -1000 });
    database.close();
    for (const file of [path, signal]) fs.rmSync(file);
  });

  test("a full disk can be read, says that it is full, and keeps no rest", async () => {
    const path = join(disk, `${locks}-full.db`);
    (await counter(path)).close();
    const filling = fs.openSync(join(disk, "filling"), "w");
    try {
      for (;;) fs.writeSync(filling, new Uint8Array(4096));
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
    const before = fs.readdirSync(disk);
    const database = await openDatabase(path, { locks });
    expect(database.get("SELECT n FROM counter")).toEqual({ n: 0 });
    expect(() => database.run("UPDATE counter SET n = 1")).toThrow(
      expect.objectContaining({ code: "DISK_FULL" }),
    );
    expect(fs.readdirSync(disk)).toEqual(before);
    fs.closeSync(filling);
    fs.rmSync(join(disk, "filling"));
    // The same connection locks as usual again.
    database.run("UPDATE counter SET n = n + 1");
    expect(database.get("SELECT n FROM counter")).toEqual({ n: 1 });
    database.close();
    fs.rmSync(path);
  });
});

test.runIf(hasMounts)("what is read without a lock is refused if it changes meanwhile", async () => {
  const path = join(disk, "changing.db");
  const writer = await counter(path);
  writer.run("INSERT INTO filler VALUES (?)", ["x".repeat(20_000)]);
  const reader = await openDatabase(join(view, "changing.db"), { locks: "file", timeoutMs: 200 });
  reader.exec("PRAGMA cache_size = 1");
  const read = () =>
    reader.snapshot(() => {
      reader.get("SELECT n FROM counter");
      writer.run("UPDATE counter SET n = n + 1");
      return reader.get("SELECT x FROM filler");
    });
  expect(read).toThrow(expect.objectContaining({ code: "DATABASE_BUSY" }));
  // Right after a change it waits, for no longer than that takes.
  for (let n = 2; n < 5; n++) {
    writer.run("UPDATE counter SET n = ?", [n]);
    expect(reader.get("SELECT n FROM counter")).toEqual({ n });
  }
  writer.close();
  reader.close();
});
