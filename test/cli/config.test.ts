import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { readConfig } from "#dist/cli/config.js";
import { lineAndColumn, parseLocated, plainValue } from "#dist/cli/located-json.js";
import { nearest } from "#dist/cli/nearest-name.js";
import { PATTERNS_MAX } from "#dist/search/filters.js";
import { Place } from "./run.ts";

const FILE = "selfsame.config.json";
const place = new Place({
  "docs/ties.md": "# Ties\n\nEqual scores stand by path.\n",
  "docs/draft.md": "# Draft\n\nEqual scores, a draft.\n",
  "notes/tree.md": "# Trees\n\nA merkle tree has one root.\n",
  "other/more.md": "# More\n",
});
afterAll(() => place.remove());

describe("selfsame.config.json", () => {
  it("names what is indexed, where, by which model and how it is searched", () => {
    const config = {
      $schema: "./node_modules/selfsame/selfsame.schema.json",
      paths: ["docs", "notes"],
      exclude: ["**/draft.md"],
      model: "tiny",
      db: "kept/notes.db",
      search: { mode: "lexical", topK: 1, weights: { semantic: 2 }, explain: true },
    };
    place.write(FILE, JSON.stringify(config));
    // From a folder below: paths count from the file's folder.
    const { stdout } = place.runWith({ cwd: place.path("other") }, "index", "--json");
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ added: 2, library: place.path("kept/notes.db") });
    expect(place.json("stats")).toMatchObject({ documents: 2, model: "tiny" });
    expect(place.json("embed", "x").model).toBe("tiny");
    const found = place.json("search", "equal scores tree");
    expect(found).toMatchObject({ mode: "lexical", results: [{ path: "docs/ties.md" }] });
    expect(found.explanation.weights).toEqual({ semantic: 2, lexical: 1 });
  });

  it("gives way to flags, key by key", () => {
    const found = place.json("search", "equal scores tree", "--mode", "hybrid", "--top-k", "5");
    expect([found.mode, found.results.length]).toEqual(["hybrid", 2]);
    const paged = place.json("search", "equal scores tree", "--page-size", "1"); // in place of topK
    expect(paged.receipt.parameters.pageSize).toBe(1);
    const report = place.json("index", "docs", "--exclude", "nothing", "--db", "flags.db", "--root", ".");
    expect(report.added).toBe(2); // with the draft
    expect(place.json("stats", "--db", "flags.db").documents).toBe(2);
  });

  it("gives way to what --preset sets, and to nothing else of it", () => {
    const search = { weights: { semantic: 1, lexical: 1 }, rrfK: 30 };
    place.write(FILE, JSON.stringify({ db: "kept/notes.db", search }));
    const resolved = (...flags: string[]) => place.json("search", "tree", ...flags).receipt.parameters;
    const contract = { semanticWeight: Math.fround(0.65), lexicalK: 80, rrfK: 30 };
    expect(resolved("--preset", "docstokg")).toMatchObject(contract);
    expect(resolved("--preset", "docstokg", "--weights", "2,3")).toMatchObject({ semanticWeight: 2 });
    expect(resolved("--preset", "cfs")).toMatchObject({ semanticWeight: 1, rrfK: 30 });
    expect(resolved()).toMatchObject({ semanticWeight: 1, filters: null });
  });

  it("merges filters with flags, filter by filter", () => {
    const config = { db: "kept/notes.db", search: { filters: { path: "notes/**", contains: "merkle" } } };
    place.write(FILE, JSON.stringify(config));
    const paths = (...flags: string[]) =>
      place.json("search", "root path", ...flags).results.map(({ path }: { path: string }) => path);
    expect(paths()).toEqual(["notes/tree.md"]);
    expect(paths("--path", "docs/**")).toEqual([]);
    expect(paths("--path", "docs/**", "--contains", "Equal")).toEqual(["docs/ties.md"]);
  });

  it("a path that is not there, or outside, is an error that names its line, and makes no library", () => {
    const wrong = {
      nosuch: /expected a file or folder at .*nosuch, got none/,
      "..": /to be inside .*--root/,
    };
    for (const [path, message] of Object.entries(wrong)) {
      place.write(FILE, `{ "db": "never.db",\n  "paths": ["docs", ${JSON.stringify(path)}] }`);
      const { status, stderr } = place.run("index");
      expect(status).toBe(2);
      expect(stderr).toMatch(/BAD_CONFIG: .*selfsame\.config\.json:2:21: /);
      expect(stderr).toMatch(message);
      expect(place.run("stats").stderr).toContain("never.db, got none"); // whoever only reads needs no paths
    }
  });
});

describe("a wrong selfsame.config.json", () => {
  const faulty = new Place();
  afterEach(() => faulty.write(FILE, "{}"));
  afterAll(() => faulty.remove());

  it("ends every command with 2, with file, line and column", () => {
    faulty.write(FILE, '{\n  "paths": ["docs"],\n  "serach": {}\n}');
    for (const command of [
      ["index"],
      ["watch"],
      ["search", "x"],
      ["root"],
      ["stats"],
      ["bench"],
      ["doctor"],
      ["doctor", "--model", "tiny"],
      ["doctor", "--model", "tiny", "--db", "any.db"],
    ]) {
      const { status, stdout, stderr } = faulty.run(...command);
      expect([command, status, stdout]).toEqual([command, 2, ""]);
      expect(stderr).toMatch(/BAD_CONFIG: .*selfsame\.config\.json:3:3: expected a key among .*got "serach"/);
      expect(stderr).toContain('Did you mean "search"?');
    }
  });

  const cases: [text: string, place: string, message: string][] = [
    ["", "1:1", "expected a value, got the end of the file"],
    ["[1]", "1:1", "expected the file to be an object, got a list"],
    ['{ "db": }', "1:9", 'expected a value, got "}"'],
    ['{ "db": "a", }', "1:14", 'expected no "," before "}"'],
    ['{ "db": "a"\n  "model": "b" }', "2:3", 'expected "," or "}", got "\\""'],
    ["{ // why\n }", "1:3", "got a comment, which JSON does not allow"],
    ['{ "db": "a\n" }', "1:9", "expected a string that ends on its line"],
    ['{ "db": "a", "db": "b" }', "1:14", 'got "db" again'],
    ['{ "db": "a" } x', "1:15", 'expected the end, got "x"'],
    [
      '{ "paths": "docs" }',
      "1:12",
      'expected paths to be a list of at least one: each a string that is not empty, got "docs"',
    ],
    ['{ "paths": [] }', "1:12", "got an empty list"],
    ['{ "paths": ["a", 5] }', "1:18", "expected paths[1] to be a string that is not empty, got 5"],
    ['{ "db": "" }', "1:9", 'expected db to be a string that is not empty, got ""'],
    ['{ "é": 1, "model": 7 }', "1:3", 'got "é"'],
    ['{ "model": "é", "db": 7 }', "1:23", "expected db to be"],
    ['{ "search": { "topk": 3 } }', "1:15", 'Did you mean "topK"?'],
    [
      '{ "search": { "topK": 2.5 } }',
      "1:23",
      "expected search.topK to be a whole number from 1 to 10000, got 2.5",
    ],
    ['{ "search": { "topK": 0 } }', "1:23", "got 0"],
    ['{ "search": { "mode": "hybird" } }', "1:23", 'Did you mean "hybrid"?'],
    [
      '{ "search": { "weights": { "semantics": 1 } } }',
      "1:28",
      "expected a key of search.weights among semantic, lexical",
    ],
    [
      '{ "search": { "diversify": "yes" } }',
      "1:28",
      "expected search.diversify to be true or false, or an object",
    ],
    [
      '{ "search": { "diversify": { "lambda": 2 } } }',
      "1:40",
      "expected search.diversify.lambda to be a number from 0 to 1",
    ],
    [
      '{ "search": { "filters": { "path": 5 } } }',
      "1:36",
      "expected search.filters.path to be a string that is not empty, or a list",
    ],
    [
      '{ "search": { "filters": { "metadata": { "a": {} } } } }',
      "1:47",
      "expected search.filters.metadata.a to be",
    ],
    ['{ "search": { "cursor": "x" } }', "1:15", "expected a key of search among"],
    ["[".repeat(100), "1:66", "expected at most 64 levels"],
    ['{ "include": ["a", "["] }', "1:20", 'expected include[1] to be a pattern like "docs/**/*.md", got "["'],
    ['{ "exclude": ["{a"] }', "1:15", "expected exclude[0] to be a pattern"],
    ['{ "search": { "filters": { "path": "[" } } }', "1:36", "expected search.filters.path to be a pattern"],
    [
      '{ "search": { "filters": { "mime": ["x"] } } }',
      "1:37",
      "expected search.filters.mime[0] to be a type",
    ],
    ['{ "search": { "filters": { "mime": "text/@@" } } }', "1:36", 'filters.mime to be a type like "text'],
    [
      '{ "search": { "filters": { "modifiedAfter": "banana" } } }',
      "1:45",
      "expected search.filters.modifiedAfter to be a date such as 2026-02-17",
    ],
    [
      '{ "search": { "pageSize": 2, "topK": 3 } }',
      "1:27",
      "expected search.topK or search.pageSize, got both",
    ],
  ];
  it.each(cases)("%s", (text, where, message) => {
    faulty.write(FILE, text);
    const error = (() => {
      try {
        return readConfig(faulty.path(FILE));
      } catch (reason) {
        return reason;
      }
    })();
    expect(error).toMatchObject({ code: "BAD_CONFIG" });
    expect((error as Error).message).toContain(`${FILE}:${where}: `);
    expect((error as Error).message).toContain(message);
  });

  it("more patterns than a filter takes", () => {
    const path = Array(PATTERNS_MAX + 1).fill("a/**");
    faulty.write(FILE, JSON.stringify({ search: { filters: { path } } }));
    const { status, stderr } = faulty.run("search", "x");
    expect(status).toBe(2);
    expect(stderr).toContain(
      `${FILE}:1:30: expected search.filters.path to be a list of 1 to ${PATTERNS_MAX}: each a string that is not empty, got a list of ${PATTERNS_MAX + 1}`,
    );
  });

  it("a model that there is not, where no flag names another", () => {
    for (const model of ["tyni", "http://"]) {
      faulty.write(FILE, `{\n  "model": "${model}" }`);
      for (const command of [["index"], ["watch"], ["embed", "x"], ["doctor"]]) {
        const { status, stderr } = faulty.run(...command);
        expect([command, status]).toEqual([command, 2]);
        expect(stderr).toMatch(
          /BAD_CONFIG: .*selfsame\.config\.json:2:12: expected model to be .*\(all-MiniLM-L6-v2, tiny\)/,
        );
      }
      expect(faulty.run("embed", "x", "--model", "tiny").status).toBe(0);
    }
    expect(readdirSync(faulty.folder)).toEqual([FILE]);
  });

  it("what fits is let through", () => {
    const search = {
      ef: 5,
      exact: true,
      filters: { modifiedAfter: "2026-02-17", mime: "text/*", path: Array(PATTERNS_MAX).fill("a/**") },
    };
    faulty.write(FILE, JSON.stringify({ model: "https://a.b/c.json", include: ["[ab].md"], search }));
    expect(readConfig(faulty.path(FILE))).toMatchObject({ search });
  });

  it("what is no file is not waited for, and what may not be read has a way out", () => {
    rmSync(faulty.path(FILE));
    spawnSync("mkfifo", [faulty.path(FILE)]);
    const { status, stderr } = faulty.run("stats");
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/BAD_CONFIG: .*got something other than a file\. /),
    ]);
    rmSync(faulty.path(FILE));
  });

  it("a byte order mark is no fault", () => {
    faulty.write(FILE, '\ufeff{ "model": "tiny" }');
    expect(readConfig(faulty.path(FILE)).model).toBe("tiny");
  });
});

describe("its parts", () => {
  it("the parser reads what JSON.parse reads", () => {
    const folder = join(import.meta.dirname, "../../test-vectors");
    for (const name of ["text.json", "filters.json", "identity.json"]) {
      const text = readFileSync(join(folder, name), "utf8");
      expect(plainValue(parseLocated(text))).toEqual(JSON.parse(text));
    }
    for (const bad of ["01", "+1", "1.", ".5", "tru", "nul", '"\\x"', '"\\u12"', "{1:2}", "[1,]", "[1 2]"])
      expect(() => parseLocated(bad)).toThrow();
    expect(lineAndColumn("a\n𝒳b", 4)).toEqual({ line: 2, column: 2 });
  });

  it("the sample of docs/cli.md is one", () => {
    const shown = readFileSync(join(import.meta.dirname, "../../docs/cli.md"), "utf8");
    place.write("sample.json", /```json\n(\{\n {2}"paths".*?)```/s.exec(shown)![1]!);
    expect(readConfig(place.path("sample.json")).search).toEqual({ topK: 5 });
  });

  it("near is near, and far is nothing", () => {
    expect(nearest("serach", ["search", "paths"])).toBe("search");
    expect(nearest("TOPK", ["topK"])).toBe("topK");
    expect(nearest("colour", ["paths", "model", "db"])).toBeNull();
  });
});
