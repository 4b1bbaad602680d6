import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Place } from "./cli-run.ts";

const place = new Place({
  "docs/ties.md": "# Ties\n\nEqual scores stand by path.\n\n## Why\n\nSo that the order is total.\n",
  "docs/trees.md": "# Trees\n\nA merkle tree has one root.\n",
});
afterAll(() => place.remove());

describe("embed and tokenize", () => {
  it("one digest in every build, with every field of the document", () => {
    const answers = ["simd", "soft", "scalar"].map((build) =>
      place.json("embed", "The quick brown fox", "--model", "tiny", "--build", build),
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
    const { digest, dim, tokens } = place.json("embed", "The quick brown fox");
    expect([dim, tokens]).toEqual([384, 6]);
    const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
    expect(digest).toBe(/digest {2}([0-9a-f]{64})/.exec(readme)![1]);
  });

  it("reads standard input for -", () => {
    const piped = place.runWith({ input: "the cat" }, "embed", "-", "--model", "tiny", "--json");
    expect(JSON.parse(piped.stdout).digest).toBe(place.json("embed", "the cat", "--model", "tiny").digest);
  });

  it("tokenize gives ids, tokens and offsets in bytes", () => {
    expect(place.json("tokenize", "naïve café")).toEqual({
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
    for (const command of [["search", "anything"], ["root"], ["stats"], ["verify-receipt", "/dev/null"]]) {
      const { status, stdout, stderr } = place.run(...command);
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^selfsame: FILE_MISSING: .*Make one: selfsame index/);
    }
    expect(place.run("diff", "a.db", "b.db").stderr).toMatch(/FILE_MISSING.*a\.db/);
    expect(existsSync(place.path(".selfsame"))).toBe(false);
  });

  it("index, search, receipt, root, stats and diff; the model is named once", () => {
    mkdirSync(place.path(".git"));
    const indexed = place.json("index", "docs", "--model", "tiny");
    expect(indexed).toMatchObject({ added: 2, skipped: [] });
    expect(existsSync(place.path(".selfsame/library.db"))).toBe(true);
    expect(readFileSync(place.path(".selfsame/.gitignore"), "utf8")).toBe("*\n");
    expect(place.run("index", "docs").stdout).toContain("Nothing changed: 2 files are up to date");

    const found = place.json("search", "merkle", "root", "--receipt", "receipt.json");
    expect(found.query).toBe("merkle root");
    expect(found.results[0]).toMatchObject({ path: "docs/trees.md", chunkIndex: 0, breadcrumb: "Trees" });
    const same = place.run("verify-receipt", "receipt.json");
    expect([same.status, same.stdout.startsWith("Same.")]).toEqual([0, true]);

    expect(place.run("root").stdout.trim()).toBe(indexed.root);
    expect(place.json("stats")).toMatchObject({ model: "tiny", documents: 2, root: indexed.root });

    place.write("docs/new.md", "new");
    place.json("index", "docs", "--db", "other.db", "--root", ".", "--model", "tiny");
    const differing = place.run("diff", ".selfsame/library.db", "other.db");
    expect(differing.status).toBe(1);
    expect(differing.stdout).toContain("> docs/new.md");
    place.json("index", "docs");
    expect(place.run("diff", ".selfsame/library.db", "other.db").status).toBe(0);
    const other = place.run("verify-receipt", "receipt.json");
    expect([other.status, other.stdout.includes("root: the receipt says")]).toEqual([1, true]);
  });

  it("is found from a folder below, and paths count from its top", () => {
    const { stdout } = place.runWith({ cwd: place.path("docs") }, "search", "merkle", "--json");
    expect(JSON.parse(stdout).results[0].path).toBe("docs/trees.md");
  });

  it("index without paths takes the project, but not the library itself", () => {
    const report = place.json("index", "--db", "whole.db", "--model", "tiny");
    expect(report.added).toBe(4); // three documents and receipt.json
    expect(report.skipped.map(({ path }: { path: string }) => path)).toEqual(["other.db"]);
  });

  it("explains each mode by its own rule", () => {
    const explained = (mode: string) => place.run("search", "merkle", "--explain", "--mode", mode).stdout;
    expect(explained("hybrid")).toContain("score = 1/(60 + semantic rank) + 1/(60 + lexical rank)");
    expect(explained("semantic")).toMatch(/by the cosine .*\nrank {2}semantic \(cosine\) {2}chunk/);
    expect(explained("lexical")).toMatch(/by bm25 .*\nMATCH "merkle"\nrank {2}lexical \(bm25\) +chunk/);
  });

  it("walks pages by the cursor that the page before shows", () => {
    const all = place.json("search", "tree").results.map(({ chunkId }: { chunkId: string }) => chunkId);
    const first = place.json("search", "tree", "--page-size", "2");
    expect(place.run("search", "tree", "--page-size", "2").stdout).toContain(`--cursor ${first.nextCursor}`);
    const second = place.json("search", "tree", "--page-size", "2", "--cursor", first.nextCursor);
    const pages = [...first.results, ...second.results].map(({ chunkId }) => chunkId);
    expect(pages).toEqual(all.slice(0, pages.length));
    expect(pages.length).toBeGreaterThan(2);
  });

  it("a library of another model is a clear error that names its own", () => {
    const { status, stderr } = place.run("root", "--model", "all-MiniLM-L6-v2");
    expect(status).toBe(1);
    expect(stderr).toMatch(/CANON_MISMATCH: .*--model tiny/);
  });

  it("bench measures the device and the library", () => {
    const { embedding, searches, device } = place.json("bench");
    expect(embedding.map(({ tokens }: { tokens: number }) => tokens)).toEqual([16, 64]);
    for (const { median, best } of embedding) expect(median >= best && best > 0).toBe(true);
    expect(searches.modes.map(({ mode }: { mode: string }) => mode)).toEqual([
      "semantic",
      "lexical",
      "hybrid",
    ]);
    expect(device.node).toBe(process.version);
  });
});

describe("the command line itself", () => {
  const help = place.run("--help");
  const commands = [...help.stdout.matchAll(/^ {2}([a-z-]+) .*$/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== "help" && !name.startsWith("-"));

  it("help teaches: every command with an example and its exit codes", () => {
    expect(help.status).toBe(0);
    expect(help.stdout).toMatch(/Exit codes:\n +0 +done/);
    expect(commands).toEqual(expect.arrayContaining(["index", "search", "watch", "bench"]));
    expect(commands).not.toContain("demo");
    for (const command of commands) {
      const { stdout } = place.run(command, "--help");
      expect(stdout).toMatch(/Examples?:\n {2}\$ selfsame /);
      expect(stdout).toMatch(/Exit code: 0 /);
    }
  });

  it("--version shows the version, SPEC's and the canon", () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
    expect(place.run("--version").stdout).toMatch(
      new RegExp(`^selfsame +${version}\nSPEC +1\ncanon +[0-9a-f]{64} \\(all-MiniLM-L6-v2\\)\n$`),
    );
    expect(place.json("--version")).toMatchObject({ selfsame: version, spec: "1" });
  });

  it("a wrong command line ends with 2 and a suggestion", () => {
    const unknown = place.run("serch", "x");
    expect([unknown.status, unknown.stdout]).toEqual([2, ""]);
    expect(unknown.stderr).toContain("Did you mean search?");
    for (const wrong of [
      [],
      ["search"],
      ["search", "x", "--top-k", "many"],
      ["search", "x", "--weights", "1"],
      ["embed", "x", "--build", "fast"],
    ]) {
      const { status, stdout } = place.run(...wrong);
      expect([wrong, status, stdout]).toEqual([wrong, 2, ""]);
    }
    const flag = place.run("embed", "x", "--modle", "tiny");
    expect([flag.status, flag.stderr.includes("Did you mean --model?")]).toEqual([2, true]);
  });

  it("options with several values take one at a time, and leave the query alone", () => {
    const { results } = place.json("search", "--path", "docs/t*.md", "--path", "docs/new.md", "merkle tree");
    const paths = new Set(results.map(({ path }: { path: string }) => path));
    expect(paths).toEqual(new Set(["docs/ties.md", "docs/trees.md", "docs/new.md"]));
  });

  it("a query that begins with - comes after --", () => {
    const refused = place.run("search", "-merkle");
    expect([refused.status, refused.stderr.includes("come after --")]).toEqual([2, true]);
    expect(place.json("search", "--mode", "lexical", "--", "root -path").results).toHaveLength(1);
  });
});
