import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "selfsame";
import { afterAll, describe, expect, it } from "vitest";
import { Place } from "./run.ts";

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
    const shown = readFileSync(join(import.meta.dirname, "../../docs/cli.md"), "utf8");
    expect(digest).toBe(/\$ selfsame embed[\s\S]*?digest {2}([0-9a-f]{64})/.exec(shown)![1]);
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
      expect(stderr).toMatch(/^selfsame: FILE_MISSING: .*Create one: selfsame index/);
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
    expect(place.run("index", "docs").stdout).toMatch(
      /^Nothing changed: 2 files are up to date .*\nlibrary {2}\.selfsame\/library\.db\n/,
    );

    const found = place.json("search", "merkle", "root", "--receipt", "receipt.json");
    expect(found.query).toBe("merkle root");
    expect(found.results[0]).toMatchObject({ path: "docs/trees.md", chunkIndex: 0, breadcrumb: "Trees" });
    const same = place.run("verify-receipt", "receipt.json");
    expect([same.status, same.stdout.startsWith("Same.")]).toEqual([0, true]);
    const piped = place.run("search", "merkle", "root", "--receipt", "-").stdout; // the receipt alone
    expect(piped).toBe(readFileSync(place.path("receipt.json"), "utf8"));
    expect(existsSync(place.path("-"))).toBe(false);
    expect(place.runWith({ input: piped }, "verify-receipt", "-").stdout).toMatch(/^Same\./);

    expect(place.run("root").stdout.trim()).toBe(indexed.root);
    expect(place.json("stats")).toMatchObject({ model: "tiny", documents: 2, root: indexed.root });

    place.write("docs/new.md", "new");
    place.json("index", "docs", "--db", "other.db", "--root", ".", "--model", "tiny");
    const differing = place.run("diff", ".selfsame/library.db", "other.db");
    expect(differing.status).toBe(1);
    expect(differing.stdout).toMatch(/^> docs\/new\.md\n1 document differs \(/);
    place.json("index", "docs");
    expect(place.run("diff", ".selfsame/library.db", "other.db").status).toBe(0);
    const other = place.run("verify-receipt", "receipt.json");
    expect([other.status, other.stdout.includes("root: the receipt says")]).toEqual([1, true]);
    expect(other.stdout).toMatch(/^Different\. The results (differ|are the same).* from rank \d+ on\.\n/);
    expect(other.stdout).toContain("The documents differ in their paths or texts. selfsame diff ");
  });

  it("a receipt that was altered is called so, with both digests", () => {
    const { digest, ...rest } = JSON.parse(readFileSync(place.path("receipt.json"), "utf8"));
    const input = JSON.stringify({ ...rest, query: "something else", digest });
    const { status, stderr } = place.runWith({ input }, "verify-receipt", "-");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^selfsame: BAD_RECEIPT: expected digest to be [0-9a-f]{64}, /);
    expect(stderr).toContain(
      `got ${digest}: the receipt was altered after it was made. Get the receipt again`,
    );
  });

  it("a receipt of other documents with the same results says so", () => {
    const two = new Place({ "a.md": "# Ties\n\nEqual scores stand by path." });
    two.json("index", "a.md", "--model", "tiny");
    two.json("search", "ties", "--mode", "semantic", "--top-k", "1", "--receipt", "r.json");
    two.write("empty.md", "");
    two.json("index", "a.md", "empty.md");
    const { status, stdout } = two.run("verify-receipt", "r.json");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^Different\. But the results and their scores are the same\.\nroot: /);
    two.remove();
  });

  it("diff lists paths in the order of their bytes", () => {
    const names = ["b.md", "a.md", "Z.md", "é.md", "\u{1f600}.md", "\ufffd.md", "a/c.md"];
    const many = new Place(Object.fromEntries(names.map((name) => [name, name])));
    many.json("index", ...names, "--model", "tiny", "--db", "many.db");
    many.json("index", "a/c.md", "--model", "tiny", "--db", "one.db");
    const listed = (stdout: string) => [...stdout.matchAll(/^[<>≠] (.*)$/gm)].map(([, path]) => path);
    const sorted = ["Z.md", "a.md", "b.md", "é.md", "\ufffd.md", "\u{1f600}.md"];
    expect(listed(many.run("diff", "many.db", "one.db").stdout)).toEqual(sorted);
    const { differences } = JSON.parse(many.run("diff", "one.db", "many.db", "--json").stdout);
    expect(differences.map(({ path }: { path: string }) => path)).toEqual(sorted);
    many.remove();
  });

  it("stats tell vectors in use from those that are kept", () => {
    const kept = new Place({ "docs/a.md": "one", "docs/b.md": "two" });
    kept.json("index", "docs", "--model", "tiny");
    expect(kept.run("stats").stdout).toMatch(/^vectors +2 of tiny$/m);
    kept.write("docs/b.md", "three");
    kept.json("index", "docs");
    expect(kept.run("stats").stdout).toMatch(
      /^vectors +2 of tiny \(1 more cached, for texts that are added again\)$/m,
    );
    expect(kept.json("stats")).toMatchObject({ embeddings: 3, unusedEmbeddings: 1 });
    kept.remove();
  });

  it("is found from a folder below, and paths count from its top", () => {
    const { stdout } = place.runWith({ cwd: place.path("docs") }, "search", "merkle", "--json");
    expect(JSON.parse(stdout).results[0].path).toBe("docs/trees.md");
  });

  it("index --metadata gives files metadata; front matter that is not read is named", async () => {
    const notes = new Place({
      "good.md": "---\nlang: de\n---\n# Gut\n",
      "bad.md": "---\nlang: &x [*x]\n---\n# Bad\n",
    });
    const flags = [
      "--metadata",
      "lang=en",
      "--metadata",
      "tag=a",
      "--metadata",
      "tag=b",
      "--metadata",
      "year=2026",
    ];
    const { stdout } = notes.run("index", ".", "--model", "tiny", ...flags);
    expect(stdout).toMatch(/the front matter of bad\.md was ignored: line 2: expected .*, got "&x/);
    const report = notes.json("index", ".", "--force", ...flags);
    expect(report.metadataFaults).toMatchObject([{ path: "bad.md" }]);
    const library = await open(notes.path(".selfsame/library.db"));
    const shared = { tag: ["a", "b"], year: 2026 };
    expect((await library.documents()).map(({ metadata }) => metadata)).toEqual([
      { ...shared, lang: "en" },
      { ...shared, lang: "de" },
    ]);
    await library.close();
    const { status, stderr } = notes.run("index", ".", "--metadata", "lang");
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('expected --metadata to be key=value, got "lang"'),
    ]);
    notes.remove();
  });

  it("index without paths takes the project, but not the library itself", () => {
    const report = place.json("index", "--db", "whole.db", "--model", "tiny");
    expect(report.added).toBe(4); // three documents and receipt.json
    expect(report.skipped.map(({ path }: { path: string }) => path)).toEqual(["other.db"]);
  });

  it("explains each mode by its own rule", () => {
    const explained = (mode: string) => place.run("search", "merkle", "--explain", "--mode", mode).stdout;
    expect(explained("hybrid")).toContain("score = 1/(60 + rank by meaning) + 1/(60 + rank by words)");
    expect(explained("semantic")).toMatch(/by the cosine .*\nrank {2}meaning \(cosine\) +chunk/);
    expect(explained("lexical")).toMatch(/by bm25 .*\nMATCH "merkle"\nrank {2}words \(bm25\) +chunk/);
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

  it("counts one thing as one", () => {
    const one = new Place({ "docs/a.md": "alone" });
    expect(one.run("index", "docs", "--model", "tiny").stdout).toContain("1 written, 1 text embedded");
    expect(one.run("index", "docs").stdout).toContain("Nothing changed: 1 file is up to date");
    one.write("q.jsonl", '{"id":"q","query":"alone"}\n');
    one.write(
      "r.jsonl",
      '{"query":"q","doc":"docs/a.md","relevance":1}\n{"query":"q","doc":"docs/b.md","relevance":1}\n',
    );
    const judged = one.run("eval", "--queries", "q.jsonl", "--qrels", "r.jsonl");
    expect(judged.stderr).toContain("1 judged name is not in the library: docs/b.md");
    expect(judged.stdout).toContain("1 query judged by");
    const doctor = one.run("doctor").stdout;
    expect(doctor).toContain("library.db, 1 document, 1 chunk\n");
    expect(doctor).toContain("recomputed from 1 document\n");
    expect(doctor).not.toMatch(/\b1 [a-z]+s\b/);
    one.remove();
  });

  it("eval of nothing is no zero, and a file that is missing has a way out", () => {
    const evaluated = (queries: string) => place.run("eval", "--queries", queries, "--qrels", "/dev/null");
    const empty = evaluated("/dev/null");
    expect([empty.status, empty.stdout]).toEqual([1, ""]);
    expect(empty.stderr).toMatch(/BAD_JUDGEMENTS: expected queries in \/dev\/null, got none\. \S/);
    expect(evaluated("/nope").stderr).toMatch(/FILE_MISSING: .*Check the name/);
    expect(place.run("verify-receipt", "/nope").stderr).toMatch(/FILE_MISSING: .*search --receipt <file>/);
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

it.runIf(import.meta.env.MODE === "long")("npm start answers the question of the README", () => {
  const { status, stdout } = place.run("demo", "how are ties broken?");
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  expect([status, stdout.includes("skipped")]).toEqual([0, false]);
  expect(readme).toContain(`\`${/^root +(\S{16})/m.exec(stdout)![1]}…\``);
  expect(stdout).toMatch(/^1\. (?:.*\/)?search-ranking\.md:\d+ › Search and ranking > Ties /m);
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
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    expect(place.run("--version").stdout).toMatch(
      new RegExp(`^selfsame +${version}\nSPEC +2\ncanon +[0-9a-f]{64} \\(all-MiniLM-L6-v2\\)\n$`),
    );
    expect(place.json("--version")).toMatchObject({ selfsame: version, spec: "2" });
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
      ["--version", "--foo"],
    ]) {
      const { status, stdout } = place.run(...wrong);
      expect([wrong, status, stdout]).toEqual([wrong, 2, ""]);
    }
    const flag = place.run("embed", "x", "--modle", "tiny");
    expect([flag.status, flag.stderr.includes("Did you mean --model?")]).toEqual([2, true]);
  });

  it("an unknown command is one with --help, too, and after help", () => {
    for (const args of [
      ["serch", "--help"],
      ["help", "serch"],
    ]) {
      const { status, stdout, stderr } = place.run(...args);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^error: unknown command 'serch'\n\(Did you mean search\?\)/);
    }
    expect(place.run("help", "search").stdout).toMatch(/^Usage: selfsame search/);
    expect(place.run("help").stdout).toBe(help.stdout);
  });

  it.each([
    [["search", "x", "--top-k", "0"], /'--top-k <n>' argument '0' is invalid\. .*from 1 to 10000/],
    [["search", "x", "--page-size", "0"], /'--page-size <n>' argument '0'/],
    [
      ["search", "x", "--page-size", "2", "--top-k", "3"],
      /'--top-k <n>' cannot be used with .*'--page-size <n>'/,
    ],
    [["search", "x", "--weights", "1,1000001"], /'--weights .*from 0 to 1000000/],
    [["search", "x", "--cursor", "zzz"], /expected --page-size with --cursor/],
    [["search", "x", "--cursor", "zzz", "--page-size", "3"], /expected --cursor .*got "zzz"\. Leave it out/],
    [["search", "x", "--after", "banana"], /expected --after to be a date such as/],
    [["search", "x", "--before", "2026-13-01"], /expected --before to be a date/],
    [["search", "x", "--path", "["], /expected --path to be a pattern/],
    [["search", "x", "--mime", "markdown"], /expected --mime to be a type/],
    [["search", "x", "--mime", "text/@@"], /expected --mime to be a type .*got "text\/@@"/],
    [
      ["search", "x", ...Array.from({ length: 65 }, () => ["--path", "docs/**"]).flat()],
      /expected --path at most 64 times, .*\{docs,notes\}/,
    ],
    [["search", "x", "--contains", ""], /expected --contains to/],
    [["search", "x", "--model", "tyni"], /expected --model to be .*tiny/],
    [["eval", "-k", "0", "--queries", "x", "--qrels", "x"], /'-k <n>' argument '0'/],
    [["web", "--port", "99999"], /'--port <n>' argument '99999' is invalid\. .*from 0 to 65535/],
    [["verify", "--only", "digset"], /expected --only to name arith, .*got "digset"\. Did you mean digest\?/],
  ])("%j names the flag and ends with 2", (args, message) => {
    const { status, stdout, stderr } = place.run(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("SearchParameters");
  });

  it("options with several values take one at a time, and leave the query alone", () => {
    const { results } = place.json("search", "--path", "docs/t*.md", "--path", "docs/new.md", "merkle tree");
    const paths = new Set(results.map(({ path }: { path: string }) => path));
    expect(paths).toEqual(new Set(["docs/ties.md", "docs/trees.md", "docs/new.md"]));
    const most = Array.from({ length: 64 }, (_, i) => ["--path", `docs/n${i === 0 ? "" : i}ew.md`]).flat();
    const found = place.json("search", ...most, "--mime", " Text/MARKDOWN; charset=utf-8", "merkle tree");
    expect(found.results.map(({ path }: { path: string }) => path)).toEqual(["docs/new.md"]);
  });

  it("a query that begins with - comes after --", () => {
    const refused = place.run("search", "-merkle");
    expect([refused.status, refused.stderr.includes("begin with - after --")]).toEqual([2, true]);
    expect(place.json("search", "--mode", "lexical", "--", "root -path").results).toHaveLength(1);
  });
});
