import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MAIN = join(import.meta.dirname, "../dist/cli/main.js");
let folder: string;
const run = (...args: string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [MAIN, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
const json = (...args: string[]) => {
  const { stdout, stderr, status } = run(...args, "--json");
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "selfsame-cli-"));
  mkdirSync(join(folder, "docs"));
  writeFileSync(
    join(folder, "docs/ties.md"),
    "# Ties\n\nEqual scores stand by path.\n\n## Why\n\nSo that the order is total.\n",
  );
  writeFileSync(join(folder, "docs/trees.md"), "# Trees\n\nA merkle tree has one root.\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("embed and tokenize", () => {
  it("one digest in every build, with every field of the document", () => {
    const answers = ["simd", "soft", "scalar"].map((build) =>
      json("embed", "The quick brown fox", "--model", "tiny", "--build", build),
    );
    expect(answers.map(({ build }) => build)).toEqual(["simd", "soft", "scalar"]);
    expect(new Set(answers.map(({ digest }) => digest)).size).toBe(1);
    expect(Object.keys(answers[0])).toEqual([
      "model",
      "build",
      "dim",
      "tokens",
      "truncated",
      "digest",
      "vector",
    ]);
    expect(answers[0].vector).toHaveLength(32);
  });

  it("the real model gives the published digest", () => {
    const { digest, dim, tokens } = json("embed", "The quick brown fox");
    expect([dim, tokens]).toEqual([384, 6]);
    const published = JSON.parse(
      readFileSync(join(import.meta.dirname, "../README.md"), "utf8")
        .match(/digest {2}([0-9a-f]{64})/)!
        .slice(1)
        .map((d) => `"${d}"`)[0]!,
    );
    expect(digest).toBe(published);
  });

  it("reads standard input for -", () => {
    const piped = spawnSync(process.execPath, [MAIN, "embed", "-", "--model", "tiny", "--json"], {
      input: "the cat",
      encoding: "utf8",
    });
    expect(JSON.parse(piped.stdout).digest).toBe(json("embed", "the cat", "--model", "tiny").digest);
  });

  it("tokenize gives ids, tokens and offsets in bytes", () => {
    expect(json("tokenize", "naïve café")).toEqual({
      model: "all-MiniLM-L6-v2",
      ids: [101, 15743, 7668, 102],
      tokens: ["[CLS]", "naive", "cafe", "[SEP]"],
      offsets: [
        [0, 0],
        [0, 6],
        [7, 12],
        [0, 0],
      ],
      truncated: false,
    });
  });
});

describe("a library, from the shell", () => {
  it("says how to make one where there is none", () => {
    const { status, stdout, stderr } = run("search", "anything", "--model", "tiny");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^selfsame: FILE_MISSING: .*Make one: selfsame index/);
  });

  it("index, search, receipt, root, stats and diff", () => {
    mkdirSync(join(folder, ".git"));
    const indexed = json("index", "docs", "--model", "tiny");
    expect(indexed).toMatchObject({ added: 2, skipped: [] });
    expect(existsSync(join(folder, ".selfsame/library.db"))).toBe(true);
    expect(run("index", "docs", "--model", "tiny").stdout).toContain(
      "Nothing changed: 2 files are up to date",
    );

    const found = json("search", "merkle root", "--model", "tiny", "--receipt", "receipt.json");
    expect(found.results[0]).toMatchObject({ path: "docs/trees.md", chunkIndex: 0, breadcrumb: "Trees" });
    const same = run("verify-receipt", "receipt.json", "--model", "tiny");
    expect([same.status, same.stdout.startsWith("Same.")]).toEqual([0, true]);
    expect(run("search", "merkle", "--explain", "--model", "tiny").stdout).toContain(
      "How the ranking came about",
    );

    expect(run("root", "--model", "tiny").stdout.trim()).toBe(indexed.root);
    expect(json("stats", "--model", "tiny")).toMatchObject({ documents: 2, root: indexed.root });

    writeFileSync(join(folder, "docs/new.md"), "new");
    json("index", "docs", "--db", "other.db", "--root", ".", "--model", "tiny");
    const differing = run("diff", ".selfsame/library.db", "other.db", "--model", "tiny");
    expect(differing.status).toBe(1);
    expect(differing.stdout).toContain("> docs/new.md");
    json("index", "docs", "--model", "tiny");
    expect(run("diff", ".selfsame/library.db", "other.db", "--model", "tiny").status).toBe(0);
    const other = run("verify-receipt", "receipt.json", "--model", "tiny");
    expect([other.status, other.stdout.includes("root: the receipt says")]).toEqual([1, true]);
  });

  it("a library of another model is a clear error", () => {
    const { status, stderr } = run("root");
    expect(status).toBe(1);
    expect(stderr).toMatch(/CANON_MISMATCH: .*model /);
  });

  it("Ctrl-C while indexing leaves a whole library that goes on", async () => {
    for (let i = 0; i < 400; i++)
      writeFileSync(join(folder, `docs/many-${i}.txt`), `number ${i} `.repeat(300));
    const child = spawn(process.execPath, [MAIN, "index", "docs", "--model", "tiny"], {
      cwd: folder,
      stdio: "pipe",
    });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    await new Promise((resolve) => setTimeout(resolve, 700));
    child.kill("SIGINT");
    const code = await ended;
    expect([0, 1, null]).toContain(code); // 0 if it was done before, null if it had not begun to listen
    json("index", "docs", "--model", "tiny");
    expect(json("stats", "--model", "tiny").documents).toBe(403);
  });
});

describe("the command line itself", () => {
  it("help teaches: every command with an example", () => {
    const help = run("--help");
    expect(help.status).toBe(0);
    const commands = [...help.stdout.matchAll(/^ {2}([a-z-]+) .*$/gm)]
      .map(([, name]) => name!)
      .filter((name) => name !== "help" && !name.startsWith("-"));
    expect(commands).toContain("search");
    for (const command of commands)
      expect(run(command, "--help").stdout).toMatch(/Example:\n {2}\$ selfsame /);
  });

  it("a wrong command line ends with 2 and a suggestion", () => {
    const unknown = run("serch", "x");
    expect([unknown.status, unknown.stdout]).toEqual([2, ""]);
    expect(unknown.stderr).toContain("Did you mean search?");
    expect(run("search").status).toBe(2);
    expect(run("search", "x", "--top-k", "many").status).toBe(2);
    expect(run("embed", "x", "--build", "fast").status).toBe(2);
    expect(run("embed", "x", "--modle", "tiny").stderr).toContain("Did you mean --model?");
  });

  it("a closed pipe is no failure", () => {
    const command = `"${process.execPath}" "${MAIN}" embed x --model tiny --json | head -c 10; exit \${PIPESTATUS[0]}`;
    const piped = spawnSync("bash", ["-c", command], { encoding: "utf8" });
    expect([piped.status, piped.stderr]).toEqual([0, ""]);
  });
});
