/** `selfsame watch` on real files: after whatever happens to them, the library is what a fresh one would be. */
import type { ChildProcess } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { splitmix32 } from "../reference/prng.ts";
import { exitOf, Place, until } from "./run.ts";

interface WatchEvent {
  readonly event: string;
  readonly path?: string;
  readonly root?: string;
  readonly code?: string;
}

/** A watch that runs, and what it has said so far. */
class Watch {
  readonly child: ChildProcess;
  readonly exit: Promise<number | NodeJS.Signals | null>;
  stdout = "";
  stderr = "";
  #forgotten = 0;

  constructor(place: Place, ...args: string[]) {
    this.child = place.start("watch", "--json", "--model", "tiny", ...args);
    this.exit = exitOf(this.child);
    this.child.stdout!.on("data", (piece) => {
      this.stdout += piece;
    });
    this.child.stderr!.on("data", (piece) => {
      this.stderr += piece;
    });
  }

  get events(): WatchEvent[] {
    return this.stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  /** From now on, only what comes next counts. */
  forget(): void {
    this.#forgotten = this.events.length;
  }

  has(event: string, path?: string): boolean {
    return this.events
      .slice(this.#forgotten)
      .some((each) => each.event === event && (path === undefined || each.path === path));
  }

  async until(event: string, path?: string): Promise<void> {
    await until(() => this.has(event, path) || this.child.exitCode !== null);
    expect([this.stderr, this.has(event, path)]).toEqual(["", true]);
  }

  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    this.child.kill(signal);
    expect([await this.exit, this.stderr]).toEqual([0, ""]);
    expect(this.events.at(-1)).toEqual({ event: "stopped" });
  }
}

const places: Place[] = [];
function placeWith(files: Record<string, string>): Place {
  const place = new Place(files);
  places.push(place);
  return place;
}
afterAll(() => {
  for (const place of places) place.remove();
});

/** What a process has computed so far, in hundredths of a second; 0 where the system does not say. */
function cpuTicks(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

/** The library beside one that is made now. */
function diffFresh(place: Place, ...paths: string[]): [status: number | null, stdout: string] {
  place.json("index", ...paths, "--db", "fresh.db", "--root", ".", "--model", "tiny", "--exclude", "*.db*");
  const { status, stdout } = place.run("diff", ".selfsame/library.db", "fresh.db");
  return [status, stdout];
}

/** The library is whole and holds what a fresh one would. */
function expectUpToDate(place: Place, ...paths: string[]): void {
  expect(diffFresh(place, ...paths)).toEqual([0, expect.stringContaining("Equal")]);
}

describe("selfsame watch", () => {
  it("follows files made, changed, saved by replacing, renamed and deleted, and folders", async () => {
    const place = placeWith({ "docs/a.md": "alpha", "docs/b.md": "beta", "docs/sub/c.md": "gamma" });
    const watch = new Watch(place, "docs");
    await watch.until("scanned");
    expect(watch.events[0]).toMatchObject({ event: "watching", paths: [place.path("docs")] });
    expect(watch.has("added", "docs/sub/c.md")).toBe(true);

    place.write("docs/new.md", "new");
    await watch.until("added", "docs/new.md");
    place.write("docs/a.md", "alpha, changed");
    await watch.until("updated", "docs/a.md");

    place.write("docs/.b.md.swp", "beta, saved by an editor"); // as vim and many others save
    renameSync(place.path("docs/.b.md.swp"), place.path("docs/b.md"));
    await watch.until("updated", "docs/b.md");

    renameSync(place.path("docs/new.md"), place.path("docs/renamed.md"));
    await watch.until("removed", "docs/new.md");
    await watch.until("added", "docs/renamed.md");

    mkdirSync(place.path("docs/deep/er"), { recursive: true });
    place.write("docs/deep/er/d.md", "delta");
    await watch.until("added", "docs/deep/er/d.md");
    renameSync(place.path("docs/sub"), place.path("docs/moved"));
    await watch.until("added", "docs/moved/c.md");
    await watch.until("removed", "docs/sub/c.md");
    rmSync(place.path("docs/deep"), { recursive: true });
    await watch.until("removed", "docs/deep/er/d.md");
    unlinkSync(place.path("docs/a.md"));
    await watch.until("removed", "docs/a.md");

    await watch.stop();
    expectUpToDate(place, "docs");
  });

  it("follows .gitignore, also for folders that were ignored before", async () => {
    const place = placeWith({ "docs/a.md": "a", "docs/build/out.md": "out", "docs/.gitignore": "build/\n" });
    const watch = new Watch(place, "docs");
    await watch.until("scanned");
    expect(watch.has("added", "docs/build/out.md")).toBe(false);
    place.write("docs/.gitignore", "a.md\n");
    await watch.until("added", "docs/build/out.md");
    await watch.until("removed", "docs/a.md");
    place.write("docs/build/more.md", "more"); // a folder that was not watched before
    await watch.until("added", "docs/build/more.md");
    watch.forget();
    unlinkSync(place.path("docs/.gitignore"));
    await watch.until("added", "docs/a.md");
    await watch.stop();
    expectUpToDate(place, "docs");
  });

  it.each(["moved", "deleted"])("ends with DATABASE_MOVED when its library is %s", async (how) => {
    const place = placeWith({ "docs/a.md": "alpha" });
    const watch = new Watch(place, "docs");
    await watch.until("scanned");
    if (how === "moved") renameSync(place.path(".selfsame"), place.path("elsewhere"));
    else rmSync(place.path(".selfsame"), { recursive: true });
    place.write("docs/b.md", "beta");
    expect(await watch.exit).toBe(1);
    expect(watch.stderr).toContain("DATABASE_MOVED");
    expect(watch.has("added", "docs/b.md")).toBe(false);
    expect(readdirSync(place.path("."))).not.toContain(".selfsame");
  });

  it("outlives the folder that it watches, and finds it again", async () => {
    const place = placeWith({ "docs/a.md": "a", "notes/b.md": "b" });
    const watch = new Watch(place, "docs", "notes");
    await watch.until("scanned");
    rmSync(place.path("docs"), { recursive: true });
    await watch.until("removed", "docs/a.md");
    place.write("docs/again.md", "again");
    await watch.until("added", "docs/again.md");
    place.write("docs/later.md", "later");
    await watch.until("added", "docs/later.md");
    await watch.stop("SIGTERM");
    expectUpToDate(place, "docs", "notes");
  });

  it("watches the whole project without its own library, through links that stay inside", async () => {
    const place = placeWith({ "a.md": "a", "shelf/b.md": "b" });
    const outside = placeWith({ "secret.md": "secret" });
    symlinkSync(outside.folder, place.path("out"));
    const watch = new Watch(place, "--db", "here.db", "--root", ".");
    await watch.until("scanned");
    watch.forget();
    outside.write("secret.md", "changed");
    place.write("shelf/b.md", "b, changed");
    await watch.until("updated", "shelf/b.md");
    await watch.until("scanned");
    // Writing the library is no change: it rests, if not at once on a busy machine.
    const spent: number[] = [];
    while (spent.length < 20 && !spent.some((ticks) => ticks < 20)) {
      const before = cpuTicks(watch.child.pid!);
      await new Promise((resume) => setTimeout(resume, 3000));
      spent.push(cpuTicks(watch.child.pid!) - before);
    }
    expect(Math.min(...spent)).toBeLessThan(20);
    await watch.stop();
    expect(place.json("stats", "--db", "here.db").documents).toBe(2);
  });

  it("loses nothing of a storm of changes, many of them during a scan", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`docs/${i % 4}/${i}.md`, `text ${i}`]),
    );
    const place = placeWith(files);
    const watch = new Watch(place, "docs");
    await watch.until("scanned");
    const next = splitmix32(7);
    for (let i = 0; i < 400; i++) {
      const folder = place.path(`docs/${next() % 4}`);
      const name = `${folder}/${next() % 40}.md`;
      const there = readdirSync(place.path("docs")).length > 0;
      const what = next() % 10;
      mkdirSync(folder, { recursive: true });
      if (what < 6) writeFileSync(name, `text ${next() % 1000} of step ${i}`);
      else if (what < 8) rmSync(name, { force: true });
      else if (what === 8 && there) rmSync(folder, { recursive: true, force: true });
      else {
        writeFileSync(`${folder}/.tmp`, `replaced in step ${i}`);
        renameSync(`${folder}/.tmp`, name);
      }
      if (i % 10 === 0) await new Promise((resume) => setTimeout(resume, next() % 120));
    }
    place.write("docs/last.md", "the last change");
    await watch.until("added", "docs/last.md");
    // The scan after the last says nothing if nothing is left to do, and a busy machine takes its time for it.
    let looks = 0;
    do await new Promise((resume) => setTimeout(resume, 2000));
    while (++looks < 60 && diffFresh(place, "docs")[0] !== 0);
    await watch.stop();
    expectUpToDate(place, "docs");
  });

  it("stops in the middle of its first scan, the library whole", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 600 }, (_, i) => [`docs/${i}.md`, `text ${i} `.repeat(30)]),
    );
    const place = placeWith(files);
    const watch = new Watch(place, "docs");
    await watch.until("watching");
    await watch.stop();
    expect(place.json("stats").documents).toBeLessThanOrEqual(600);
    expect(place.json("index", "docs").skipped).toEqual([]);
    expectUpToDate(place, "docs");
  });

  it("tells people a line for each thing", async () => {
    const place = placeWith({ "docs/a.md": "a" });
    const child = place.start("watch", "docs", "--model", "tiny");
    let stdout = "";
    child.stdout!.on("data", (piece) => {
      stdout += piece;
    });
    const exit = exitOf(child);
    await until(() => stdout.includes("1 added"));
    unlinkSync(place.path("docs/a.md"));
    await until(() => stdout.includes("1 removed"));
    child.kill("SIGINT");
    expect(await exit).toBe(0);
    expect(stdout).toMatch(
      /^\d\d:\d\d:\d\d watching docs for \.selfsame\/library\.db \(Ctrl-C stops\)\n\S+ \+ docs\/a\.md\n\S+ 1 added, .*; 1 text embedded .*\n\S+ - docs\/a\.md\n\S+ 0 added, 0 updated, 1 removed, .*\nStopped\.\n$/,
    );
  });
});
