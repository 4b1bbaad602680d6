import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WalkOptions } from "#dist/files/device-files-port.js";
import { walk } from "#dist/files/walk.node.js";
import { cpuMsSince } from "../cpu-seconds.ts";

let folder: string;
let root: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "selfsame-walk-")));
  root = join(folder, "root");
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path);
  }
}

/** @param target as it is written into the link */
function link(path: string, target: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
}

const options = (more: Partial<WalkOptions> = {}): WalkOptions => ({
  root,
  maxBytes: () => 1000,
  wants: () => true,
  ...more,
});

async function found(paths: string[], more: Partial<WalkOptions> = {}): Promise<string[]> {
  return (await walk(paths, options(more))).files.map(({ path }) => path);
}

async function skipped(paths: string[]): Promise<string[]> {
  return (await walk(paths, options())).skipped.map(({ path, reason }) => `${path}: ${reason}`);
}

describe("links", () => {
  it.each([
    [["."]],
    [["aaa"]],
    [["zzz"]],
    [["aaa", "zzz"]],
    [["zzz", "aaa", "."]],
    [["aaa/one.md", "zzz/deep"]],
  ])("of a folder: files are found under their real paths, once, by %j", async (paths) => {
    write("zzz/one.md", "zzz/deep/two.md");
    link("aaa", "zzz");
    link("mmm", "aaa");
    expect(await found(paths)).toEqual(["zzz/deep/two.md", "zzz/one.md"]);
  });

  it("of a file: it is found where it lies, whichever is named", async () => {
    write("notes/one.md");
    link("docs/alias.md", "../notes/one.md");
    for (const paths of [["."], ["docs"], ["docs/alias.md"], ["notes"]])
      expect(await found(paths), `${paths}`).toEqual(["notes/one.md"]);
  });

  it("that leave the folder which is walked make their targets a part of it, for removals, too", async () => {
    write("docs/a.md", "notes/b.md", "notes/deep/c.md", "other/d.md");
    link("docs/more", "../notes");
    link("notes/even-more", "../other");
    expect(await walk(["docs"], options())).toMatchObject({
      files: [
        { path: "docs/a.md" },
        { path: "notes/b.md" },
        { path: "notes/deep/c.md" },
        { path: "other/d.md" },
      ],
      scopes: ["docs", "notes", "other"],
    });
    rmSync(join(root, "notes"), { recursive: true });
    expect(await walk(["docs"], options())).toMatchObject({
      files: [{ path: "docs/a.md" }],
      skipped: [{ path: "docs/more", reason: "not a file", detail: "a broken link" }],
      scopes: ["docs", "notes"],
    });
  });

  it("in circles, to a folder above and to themselves end", async () => {
    write("a/one.md", "b/two.md");
    link("a/up", "..");
    link("a/other", "../b");
    link("b/back", "../a");
    link("a/self", "self");
    expect(await found(["a"])).toEqual(["a/one.md", "b/two.md"]);
    expect(await found(["."])).toEqual(["a/one.md", "b/two.md"]);
    expect(await skipped(["."])).toEqual(["a/self: unreadable"]);
  });

  it("out of the root are skipped, by any way", async () => {
    writeFileSync(join(folder, "secret.md"), "secret");
    write("a/one.md");
    link("a/absolute.md", join(folder, "secret.md"));
    link("a/relative.md", "../../secret.md");
    link("a/outside", "../..");
    link("a/twice", "outside");
    link("a/nothing", "../../nothing");
    expect(await found(["."])).toEqual(["a/one.md"]);
    expect(await skipped(["."])).toEqual([
      "a/absolute.md: link out of the root",
      "a/nothing: link out of the root",
      "a/outside: link out of the root",
      "a/relative.md: link out of the root",
      "a/twice: link out of the root",
    ]);
    await expect(found(["a/outside/secret.md"])).rejects.toMatchObject({ code: "PATH_OUTSIDE_ROOT" });
  });

  it("out of the folders that may be read are skipped", async () => {
    write("docs/a.md", "private/b.md");
    link("docs/more", "../private");
    expect(await found(["docs"], { within: [join(root, "docs")] })).toEqual(["docs/a.md"]);
  });

  it("do not bring in what is hidden or ignored where it lies", async () => {
    write("docs/a.md", ".git/config", "node_modules/m.md", "build/b.md", "secret.md", ".env/e.md");
    writeFileSync(join(root, ".gitignore"), "/build/\nsecret.md\n");
    link("docs/git", "../.git");
    link("docs/modules", "../node_modules/m.md");
    link("docs/build", "../build");
    link("docs/plain.md", "../secret.md");
    link("docs/deep", "../.env/e.md");
    expect(await found(["docs"])).toEqual(["docs/a.md"]);
    expect(await found(["."])).toEqual(["docs/a.md"]);
    expect(await found(["docs/build"])).toEqual(["build/b.md"]); // named, so wanted
  });

  it("are files for the rules of a .gitignore, and a .gitignore that is a link has none", async () => {
    write("a/one.md", "b/two.md");
    writeFileSync(join(root, "rules"), "*.md\n");
    link("a/.gitignore", "../rules");
    writeFileSync(join(root, ".gitignore"), "more/\nrules\n");
    link("a/more", "../b");
    expect(await found(["a"])).toEqual(["a/one.md", "b/two.md"]);
  });
});

describe("folders named inside each other", () => {
  it("give the same files in any order", async () => {
    write("drafts/a.md", "drafts/sub/b.md", "drafts/sub/c.log", "keep.md");
    writeFileSync(join(root, ".gitignore"), "drafts/\n");
    writeFileSync(join(root, "drafts/.gitignore"), "*.log\n");
    const all = ["drafts/a.md", "drafts/sub/b.md", "drafts/sub/c.log", "keep.md"];
    for (const paths of [
      ["drafts/sub", "drafts", "."],
      [".", "drafts", "drafts/sub"],
      ["drafts", ".", "drafts/sub"],
    ])
      expect(await found(paths), `${paths}`).toEqual(all);
  });
});

describe.runIf(process.platform === "linux")("names that are not UTF-8", () => {
  const bytes = (...parts: (string | number)[]): Buffer =>
    Buffer.concat([
      Buffer.from(`${root}/`),
      ...parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([part]))),
    ]);

  it("are listed as skipped, files and folders, beside those whose names they look like", async () => {
    write("a.md", "caf\ufffd.md");
    writeFileSync(bytes("caf", 0xe9, ".md"), "latin");
    mkdirSync(bytes("d", 0xff));
    writeFileSync(bytes("d", 0xff, "/inner.md"), "inside");
    writeFileSync(bytes(".hidden", 0xe9), "hidden");
    writeFileSync(bytes("x", 0xe9, ".log"), "ignored");
    writeFileSync(join(root, ".gitignore"), "*.log\n");
    const { files, skipped: left } = await walk(["."], options());
    expect(files.map(({ path }) => path)).toEqual(["a.md", "caf\ufffd.md"]);
    expect(left).toEqual([
      { path: "caf\\xE9.md", reason: "bad name", detail: "it is not UTF-8" },
      { path: "d\\xFF", reason: "bad name", detail: "it is not UTF-8" },
    ]);
  });
});

describe("a .gitignore that is not honoured", () => {
  it.each([
    ["too large", "#\n".repeat(200_000), "its .gitignore has over 262144 bytes"],
    [
      "with a line that is too long",
      "?".repeat(2000),
      "its .gitignore has a line longer than 1,024 characters",
    ],
  ])(
    "%s: the folder is skipped and named, since what it leaves out is not known",
    async (_, text, detail) => {
      write("a.md", "sub/b.md");
      writeFileSync(join(root, "sub/.gitignore"), text);
      const { files, skipped: left } = await walk(["."], options());
      expect(files.map(({ path }) => path)).toEqual(["a.md"]);
      expect(left).toEqual([{ path: "sub", reason: "unreadable", detail }]);
    },
  );
});

describe("a stop", () => {
  it("is heard within a second of work, however hostile the rules are", async () => {
    // 30 folders inside each other, each with 250 KB of rules that fit almost everywhere.
    const rules = Array.from({ length: 2500 }, (_, i) => `**/*${i % 10}*a${"?".repeat(80)}${i}`).join("\n");
    const deep = Array.from({ length: 30 }, (_, i) => `1a2a3a4a5a6a7a8a${i}`);
    for (let i = 0; i < deep.length; i++) {
      write(`${deep.slice(0, i + 1).join("/")}/a.md`);
      writeFileSync(join(root, ...deep.slice(0, i + 1), ".gitignore"), rules);
    }
    for (let i = 0; i < 200; i++) write(`${deep.join("/")}/${"1a2a3a4a".repeat(20)}${i}.md`);
    const abort = new AbortController();
    let stopped: NodeJS.CpuUsage | undefined;
    setTimeout(() => {
      stopped = process.cpuUsage();
      abort.abort();
    }, 300);
    await expect(walk(["."], options({ signal: abort.signal }))).rejects.toMatchObject({ code: "ABORTED" });
    expect(cpuMsSince(stopped!)).toBeLessThan(1000);
  });

  it("that came before the walk ends it", async () => {
    write("a.md");
    await expect(walk(["."], options({ signal: AbortSignal.abort() }))).rejects.toMatchObject({
      code: "ABORTED",
    });
  });

  it("is heard in a folder of many files", async () => {
    mkdirSync(join(root, "many"));
    execFileSync("sh", ["-c", "seq 1 10000 | sed 's/$/.md/' | xargs touch"], { cwd: join(root, "many") });
    const abort = new AbortController();
    let stopped: NodeJS.CpuUsage | undefined;
    setTimeout(() => {
      stopped = process.cpuUsage();
      abort.abort();
    }, 50);
    await expect(walk(["."], options({ signal: abort.signal }))).rejects.toMatchObject({ code: "ABORTED" });
    expect(cpuMsSince(stopped!)).toBeLessThan(1000);
  });
});
