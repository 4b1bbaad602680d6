/** selfsame.config.json: the server takes from it what the command line and clients leave open, as the commands do. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "selfsame";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../store/scratch.ts";
import { type Answer, type Connected, connect, ServerProcess, TRANSPORTS, writeFiles } from "./served.ts";

const scratch = scratchFolder();
const MAIN = join(import.meta.dirname, "../../dist/cli.bundle/main.js");
const FILES = {
  "docs/a.md": "# A\n\nAlpha and omega.\n",
  "docs/b.txt": "Beta, alpha.\n",
  "docs/drafts/d.md": "Delta, alpha.\n",
  "notes/n.md": "Nu, alpha.\n",
  "drafts/top.md": "Sigma, alpha.\n",
};
const CONFIG = { model: "tiny", exclude: ["**/drafts/**"], paths: ["docs"], db: "data/mylib.db" };
let folders = 0;

function project(config: object | string): string {
  const folder = join(scratch, `project-${++folders}`);
  mkdirSync(folder);
  writeFiles(folder, FILES);
  writeFileSync(
    join(folder, "selfsame.config.json"),
    typeof config === "string" ? config : JSON.stringify(config),
  );
  return folder;
}

const pathsOf = async (server: Connected): Promise<string[]> =>
  (await server.client.listResources()).resources.map(({ name }) => name);
const found = ({ results }: Answer) => results.map(({ path }: Answer) => path);

describe.each(TRANSPORTS)("over %s", (transport) => {
  test("one library with the commands: its place, model, paths and patterns", async () => {
    const folder = project(CONFIG);
    execFileSync(process.execPath, [MAIN, "index"], { cwd: folder });
    const server = await connect(transport, folder);
    expect(await server.call("library_status")).toMatchObject({
      db_path: join(folder, "data/mylib.db"),
      exists: true,
      library: { documents: 2, embedding_model: "tiny" },
    });
    expect(await server.call("index")).toMatchObject({ added: 0, unchanged: 2, embedding_model: "tiny" });
    expect(await pathsOf(server)).toStrictEqual(["docs/a.md", "docs/b.txt"]);
    expect(existsSync(join(folder, ".selfsame"))).toBe(false);
    await server.close();
  });

  test("a library that the server makes is the one that the commands would make", async () => {
    const folder = project(CONFIG);
    const twin = project(CONFIG);
    const report = JSON.parse(
      execFileSync(process.execPath, [MAIN, "index", "--json"], { cwd: twin, encoding: "utf8" }),
    );
    const server = await connect(transport, folder);
    expect(await server.call("index")).toMatchObject({ added: 2, embedding_model: "tiny" });
    expect((await server.call("library_status")).library.root).toBe(report.root);
    await server.close();
  });

  test("what a client names wins over paths, not over patterns", async () => {
    const folder = project(CONFIG);
    const server = await connect(transport, folder);
    expect(await server.call("index", { paths: ["."] })).toMatchObject({ added: 4 });
    expect(await pathsOf(server)).toStrictEqual([
      "docs/a.md",
      "docs/b.txt",
      "notes/n.md",
      "selfsame.config.json",
    ]);
    await server.close();
  });

  test("search is made as the configuration says, key by key; search_rifflux as its contract says", async () => {
    const folder = project({
      model: "tiny",
      paths: ["docs", "notes"],
      search: { mode: "lexical", pageSize: 2, ef: 20, filters: { path: "docs/**" } },
    });
    const server = await connect(transport, folder);
    expect(await server.call("index")).toMatchObject({
      added: 4,
      paths: [join(folder, "docs"), join(folder, "notes")],
    });
    const first = await server.call("search", { query: "alpha" });
    expect([first.mode, first.count]).toStrictEqual(["lexical", 2]);
    const second = await server.call("search", { query: "alpha", cursor: first.next_cursor });
    expect([...found(first), ...found(second)].sort()).toStrictEqual([
      "docs/a.md",
      "docs/b.txt",
      "docs/drafts/d.md",
    ]);
    const all = { query: "alpha", mode: "semantic", top_k: 10, options: { ef: 30 } };
    expect(await server.call("search", all)).toMatchObject({ mode: "semantic", count: 3 });
    const narrow = { path: "notes/**" };
    expect(found(await server.call("search", { ...all, ...narrow }))).toStrictEqual(["notes/n.md"]);
    const both = { options: { filters: { contains: "omega" } } };
    expect(found(await server.call("search", { ...all, ...both }))).toStrictEqual(["docs/a.md"]);
    expect(await server.call("search_rifflux", { query: "alpha" })).toMatchObject({
      mode: "hybrid",
      count: 4,
    });
    await server.close();
  });
});

test("what a client asks for wins over what the configuration says by another name", async () => {
  const search = { weights: { semantic: 1, lexical: 1 }, semanticK: 7, rrfK: 30, exact: true };
  const folder = project({ model: "tiny", paths: ["docs"], search });
  const server = await connect("stdio", folder);
  await server.call("index");
  const resolved = async (asked: object) =>
    (await server.call("search", { query: "alpha", ...asked })).receipt.parameters;
  expect(await resolved({})).toMatchObject({ semanticWeight: 1, semanticK: 7, rrfK: 30, exact: true });
  const contract = { semanticWeight: Math.fround(0.65), lexicalWeight: Math.fround(0.35), semanticK: 60 };
  expect(await resolved({ options: { preset: "docstokg" } })).toMatchObject({ ...contract, rrfK: 30 });
  expect(await resolved({ options: { preset: "rifflux" }, top_k: 6 })).toMatchObject({
    semanticWeight: 1,
    semanticK: 12,
  });
  expect(await resolved({ options: { preset: "docstokg", semantic_k: 9 } })).toMatchObject({
    ...contract,
    semanticK: 9,
  });
  expect(await resolved({ options: { exact: false } })).toMatchObject({ exact: false });
  await server.close();
});

test("CON-006: reindex without paths indexes the current folder, whatever paths the configuration names", async () => {
  const folder = project(CONFIG);
  const server = await connect("stdio", folder);
  expect(await server.call("index")).toMatchObject({ added: 2, paths: [join(folder, "docs")] });
  for (const args of [{}, { path: null, paths: [] }])
    expect(await server.call("reindex", { force: true, ...args })).toMatchObject({ indexed_files: 4 });
  expect(await pathsOf(server)).toStrictEqual([
    "docs/a.md",
    "docs/b.txt",
    "notes/n.md",
    "selfsame.config.json",
  ]);
  await server.close();
});

test("CON-006: reindex without paths indexes the current folder, not that of the configuration; the library is that of the project", async () => {
  const folder = project({ model: "tiny", exclude: ["**/drafts/**"] });
  const server = await connect("stdio", join(folder, "docs"), "--root", folder);
  await server.call("reindex");
  expect(await pathsOf(server)).toStrictEqual(["docs/a.md", "docs/b.txt"]);
  expect((await server.call("library_status")).db_path).toBe(join(folder, ".selfsame/library.db"));
  await server.close();
});

test("flags win", async () => {
  const folder = project({ ...CONFIG, model: "no-such-model" });
  const server = await connect("stdio", folder, "--db", "other.db", "--model", "tiny");
  expect(await server.call("index")).toMatchObject({ added: 2, embedding_model: "tiny" });
  expect((await server.call("library_status")).db_path).toBe(join(folder, "other.db"));
  expect(existsSync(join(folder, "data"))).toBe(false);
  await server.close();
});

test("the configuration is that of the roots, if the server was started elsewhere", async () => {
  const folder = project({ ...CONFIG, paths: ["docs", "notes"] });
  for (const [root, paths] of [
    [folder, ["docs/a.md", "docs/b.txt", "notes/n.md"]],
    [join(folder, "notes"), ["notes/n.md"]],
  ] as const) {
    const server = await connect("stdio", "/", "--root", root);
    await server.call("index", { force: true });
    expect((await server.call("library_status")).db_path).toBe(join(folder, "data/mylib.db"));
    expect(await pathsOf(server)).toStrictEqual(paths);
    await server.close();
    execFileSync(process.execPath, [MAIN, "index", "--force"], { cwd: folder });
    const library = await open(join(folder, "data/mylib.db"));
    expect((await library.documents()).map(({ path }) => path)).toStrictEqual([
      "docs/a.md",
      "docs/b.txt",
      "notes/n.md",
    ]);
    await library.remove((await library.documents()).map(({ path }) => path));
    await library.close();
  }
});

test("paths that the roots share nothing with, or that are not there, are refused with the file's name or theirs", async () => {
  const folder = project({ ...CONFIG, paths: ["notes"] });
  const server = await connect("stdio", folder, "--root", "docs");
  expect(await server.refusal("index")).toMatchObject({
    code: "PATH_OUTSIDE_ROOT",
    text: expect.stringContaining("selfsame.config.json"),
  });
  await server.close();
  const missing = project({ ...CONFIG, paths: ["docs", "nowhere"] });
  const other = await connect("stdio", missing);
  expect(await other.refusal("index")).toMatchObject({
    code: "FILE_MISSING",
    text: expect.stringContaining(join(missing, "nowhere")),
  });
  await other.close();
});

test("a library of another model is searched as it is; index refuses it, and makes it anew with force", async () => {
  const folder = project(CONFIG);
  const server = await connect("stdio", folder);
  await server.call("index");
  await server.close();
  writeFileSync(
    join(folder, "selfsame.config.json"),
    JSON.stringify({ ...CONFIG, model: "all-MiniLM-L6-v2" }),
  );
  const other = await connect("stdio", folder);
  for (let i = 0; i < 2; i++) {
    expect(await other.call("search_rifflux", { query: "alpha" })).toMatchObject({
      count: 2,
      embedding_model: "tiny",
    });
    expect(await other.refusal("index")).toMatchObject({ code: "CANON_MISMATCH" });
  }
  const model = { embedding_model: "all-MiniLM-L6-v2" };
  expect(await other.call("index", { force: true })).toMatchObject({ updated: 2, ...model });
  expect(await other.call("search_rifflux", { query: "alpha" })).toMatchObject(model);
  await other.close();
});

test("a configuration that is wrong ends the start with exit code 2 and its line", async () => {
  for (const [config, named] of [
    ['{"modle": "tiny"}', "selfsame.config.json:1:2"],
    ['{\n  "model": 5\n}', "selfsame.config.json:2:12"],
    ["{", "selfsame.config.json:1:2"],
    ['{\n  "model": "tini"\n}', "selfsame.config.json:2:12"],
  ] as const) {
    for (const args of [[], ["--http", "0"]]) {
      const server = new ServerProcess(project(config), args);
      expect(await server.ended).toBe(2);
      expect(server.errors).toContain("BAD_CONFIG");
      expect(server.errors).toContain(named);
      expect(server.output).toBe("");
    }
  }
});

test("the folder of a new library ignores itself, as that of the command index; another folder stays as it is", async () => {
  const folder = join(scratch, "ignored");
  writeFiles(folder, FILES);
  const server = await connect("stdio", folder, "--model", "tiny");
  await server.call("index");
  await server.close();
  expect(readFileSync(join(folder, ".selfsame/.gitignore"), "utf8")).toBe("*\n");
  const other = await connect("stdio", folder, "--model", "tiny", "--db", "data/new/library.db");
  await other.call("index");
  await other.close();
  expect(existsSync(join(folder, "data/new/library.db"))).toBe(true);
  expect(existsSync(join(folder, "data/new/.gitignore"))).toBe(false);
});
