/** What clients reach: nothing outside of the roots, by whatever name. */
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scratchFolder } from "../store/scratch.ts";
import { type Connected, connect, TRANSPORTS, writeFiles } from "./served.ts";

const scratch = scratchFolder();

/** inside/ is the root; outside/ has what must not be reached, and is linked from inside. */
function scene(name: string): { inside: string; outside: string } {
  const [inside, outside] = [join(scratch, name, "inside"), join(scratch, name, "outside")];
  mkdirSync(inside, { recursive: true });
  mkdirSync(outside, { recursive: true });
  writeFiles(inside, { "docs/a.md": "# A\n\nAlpha inside.\n" });
  writeFiles(outside, { "secret.md": "# Secret\n\nThe password is swordfish.\n" });
  writeFiles(join(scratch, name, "inside-too"), { "near.md": "Swordfish, too.\n" });
  symlinkSync(outside, join(inside, "docs/link"));
  symlinkSync(join(outside, "secret.md"), join(inside, "docs/secret.md"));
  symlinkSync(join(outside, "new.db"), join(inside, "dangling.db"));
  symlinkSync("loop", join(inside, "loop"));
  return { inside, outside };
}

describe.each(TRANSPORTS)("over %s", (transport) => {
  const { inside, outside } = scene(`scene-${transport}`);
  let server: Connected;
  beforeAll(async () => {
    const maker = await connect("stdio", outside, "--model", "tiny");
    await maker.call("reindex");
    await maker.close();
    cpSync(join(outside, ".selfsame/library.db"), join(outside, "plain.db"));
    symlinkSync(join(outside, "plain.db"), join(inside, "linked.db"));
    server = await connect(transport, inside, "--model", "tiny");
    await server.call("reindex");
  });
  afterAll(() => server.close());

  const WAYS_OUT = [
    "..",
    "../outside",
    "../outside/secret.md",
    "docs/../../outside",
    "docs/link",
    "docs/link/secret.md",
    "docs/secret.md",
    "../inside-too",
    "/",
    "/etc/passwd",
    "/nowhere/at/all",
    "../outside/nothing",
    "loop",
    "dangling.db",
    "docs/link/nothing/here",
    outside,
    join(outside, "plain.db"),
  ];

  test("reindex refuses every way out, with the way in", async () => {
    for (const path of WAYS_OUT) {
      for (const args of [{ path }, { paths: ["docs", path] }]) {
        const { code, hint, text } = await server.refusal("reindex", args);
        expect([path, code], text).toStrictEqual([path, "PATH_OUTSIDE_ROOT"]);
        expect(hint).toContain("--root");
      }
    }
  });

  test("db_path refuses them too, in every tool that has it", async () => {
    for (const db_path of [...WAYS_OUT, "linked.db"]) {
      for (const [tool, args] of [
        ["search_rifflux", { query: "password" }],
        ["search", { query: "password" }],
        ["get_chunk", { chunk_id: "0".repeat(32) }],
        ["get_document", { path: "secret.md" }],
        ["list_documents", {}],
        ["recall", { query_text: "password" }],
        ["library_status", {}],
        ["verify", {}],
      ] as const) {
        const named = tool === "search" ? { options: { db_path } } : { db_path };
        const { code, text } = await server.refusal(tool, { ...args, ...named });
        expect([tool, db_path, code], text).toStrictEqual([tool, db_path, "PATH_OUTSIDE_ROOT"]);
      }
    }
    expect(existsSync(join(outside, "new.db"))).toBe(false);
  });

  test("what is outside and there is refused with the same words as what is not", async () => {
    const words = async (path: string) => (await server.refusal("reindex", { path })).text.replace(path, "…");
    expect(await words("../outside/secret.md")).toBe(await words("../outside/nothing.md"));
    expect(await words(join(outside, "secret.md"))).toBe(await words(join(outside, "nothing.md")));
  });

  test("links out of the root are not followed when their folder is indexed", async () => {
    expect((await server.call("reindex", { force: true })).indexed_files).toBe(1);
    expect(
      (await server.call("search_rifflux", { query: "swordfish", mode: "lexical" })).results,
    ).toStrictEqual([]);
    const { resources } = await server.client.listResources();
    expect(resources.map(({ name }) => name)).toStrictEqual(["docs/a.md"]);
  });

  test("what is inside and not there is said to be missing", async () => {
    // `..` takes back the name before it, also where that is a link's.
    for (const path of ["docs/b.md", "docs/link/../outside/secret.md"]) {
      expect(await server.refusal("reindex", { path })).toMatchObject({ code: "FILE_MISSING" });
    }
    for (const db_path of ["other.db", "docs/none/other.db", "docs/a.md/other.db"]) {
      const { code, hint } = await server.refusal("search_rifflux", { query: "a", db_path });
      // `reindex` makes the server's own library alone.
      const command = `selfsame index <paths…> --db ${join(inside, db_path)}`;
      expect([code, hint]).toStrictEqual(["FILE_MISSING", expect.stringContaining(command)]);
      expect(hint).not.toContain("reindex");
      expect(existsSync(join(inside, "other.db"))).toBe(false);
    }
  });

  test("a folder is said to be one, and no library", async () => {
    for (const db_path of ["docs", "."]) {
      for (const [tool, args] of [
        ["search", { query: "a" }],
        ["verify", {}],
      ] as const) {
        const named = tool === "search" ? { options: { db_path } } : { db_path };
        const { code, text, hint } = await server.refusal(tool, { ...args, ...named });
        expect([code, text]).toStrictEqual(["DATABASE_CANNOT_OPEN", expect.stringContaining("got a folder")]);
        expect(hint).toContain("Name the file");
      }
      expect(await server.call("library_status", { db_path })).toMatchObject({ exists: false });
    }
  });

  test("a file that is no library is refused and stays as it is; an empty one is not made into one", async () => {
    writeFileSync(join(inside, "empty.db"), "");
    for (const db_path of ["empty.db", "no-such.db"]) {
      expect(await server.call("library_status", { db_path })).toMatchObject({
        exists: false,
        library: null,
      });
    }
    expect(await server.refusal("search_rifflux", { query: "a", db_path: "empty.db" })).toMatchObject({
      code: "FILE_MISSING",
      text: expect.stringContaining("got an empty file"),
    });
    const { code } = await server.refusal("search_rifflux", { query: "a", db_path: "docs/a.md" });
    expect(code).toMatch(/^DATABASE_/);
    expect(existsSync(join(inside, "docs/a.md-journal"))).toBe(false);
  });

  test("names that no file can have are refused", async () => {
    for (const path of ["a\0b", "x".repeat(5000)]) {
      expect(await server.refusal("reindex", { path })).toMatchObject({
        code: expect.stringMatching(/OUTSIDE|MISSING|BAD/),
      });
    }
    expect((await server.refusal("reindex", { path: "" })).text).toContain("path");
  });

  test("another library within the root is searched by db_path", async () => {
    cpSync(join(outside, "plain.db"), join(inside, "copy.db"));
    for (const db_path of ["copy.db", join(inside, "copy.db"), "docs/../copy.db"]) {
      const { results } = await server.call("search_rifflux", { query: "password", db_path, top_k: 1 });
      expect(results[0].path).toBe("secret.md");
    }
  });
});

test("several roots: what lies in any of them is reached, what lies between them is not", async () => {
  const folder = join(scratch, "several");
  mkdirSync(folder);
  writeFiles(folder, { "docs/a.md": "Alpha.\n", "notes/b.md": "Beta.\n", "private/c.md": "Swordfish.\n" });
  symlinkSync(join(folder, "private"), join(folder, "docs/link"));
  const roots = ["--root", "docs", "--root", "notes", "--db", "library.db"];
  const server = await connect("stdio", folder, "--model", "tiny", ...roots);
  expect(await server.call("reindex", { paths: ["docs", "notes"] })).toMatchObject({
    indexed_files: 2,
    skipped_files: 1,
  });
  for (const path of ["docs/link", "../several/private", join(folder, "private"), folder]) {
    expect(await server.refusal("reindex", { path })).toMatchObject({ code: "PATH_OUTSIDE_ROOT" });
  }
  // What lies in the current folder, and in no root, is as if it were not there.
  for (const path of ["private", "nothing"]) {
    expect(await server.refusal("reindex", { path })).toMatchObject({ code: "FILE_MISSING" });
  }
  // The link leads to a folder that paths may count from, and that clients may not reach.
  expect((await server.call("search_rifflux", { query: "swordfish", mode: "lexical" })).count).toBe(0);
  expect((await server.client.listResources()).resources.map(({ name }) => name)).toStrictEqual([
    "docs/a.md",
    "notes/b.md",
  ]);
  await server.close();
});

describe("a current folder outside of the roots, as where an agent starts servers", () => {
  const folder = join(scratch, "set-up");
  writeFiles(folder, {
    "one/docs/a.md": "Alpha.\n",
    "two/docs/b.md": "Beta.\n",
    "two/notes/c.md": "Gamma.\n",
    "private.md": "Swordfish.\n",
  });
  const [one, two] = [join(folder, "one"), join(folder, "two")];

  test("with nothing named, all roots are indexed, and the library is in the first", async () => {
    for (const current of ["/", folder]) {
      const server = await connect("stdio", current, "--model", "tiny", "--root", one, "--root", two);
      expect(await server.call("reindex", { force: true })).toMatchObject({
        indexed_files: 3,
        indexed_paths: [one, two],
      });
      expect((await server.call("library_status")).db_path).toBe(join(one, ".selfsame/library.db"));
      await server.close();
    }
  });

  test("relative paths count from the first root that has them; ways out stay refused", async () => {
    const db = join(folder, "two.db");
    const server = await connect("stdio", "/", "--model", "tiny", "--root", one, "--root", two, "--db", db);
    const { indexed_paths } = await server.call("reindex", {
      paths: ["docs", "notes", "docs/b.md", join(two, "docs")],
    });
    expect(indexed_paths).toStrictEqual(
      ["one/docs", "two/notes", "two/docs/b.md", "two/docs"].map((path) => join(folder, path)),
    );
    expect(await server.refusal("reindex", { path: "none" })).toMatchObject({
      code: "FILE_MISSING",
      hint: expect.stringContaining(two),
    });
    for (const path of ["../private.md", "docs/../../private.md", "..", "/", "/etc/passwd"]) {
      expect(await server.refusal("reindex", { path })).toMatchObject({ code: "PATH_OUTSIDE_ROOT" });
    }
    await server.close();
  });

  test("mcp --root docs: the root by default, and by its name from the current folder", async () => {
    const server = await connect(
      "stdio",
      two,
      "--model",
      "tiny",
      "--root",
      "docs",
      "--db",
      join(folder, "docs.db"),
    );
    expect(await server.call("reindex")).toMatchObject({ indexed_files: 1 });
    for (const path of ["docs", ".", "b.md", "docs/b.md"]) {
      expect(await server.call("reindex", { path })).toMatchObject({ indexed_files: 0, skipped_files: 1 });
    }
    expect((await server.client.listResources()).resources.map(({ name }) => name)).toStrictEqual([
      "two/docs/b.md",
    ]);
    await server.close();
  });
});

test("a library that lies elsewhere: paths count from the root, or from the nearest folder above all roots", async () => {
  const folder = join(scratch, "elsewhere");
  writeFiles(folder, {
    "work/a/x.md": "Alpha.\n",
    "work/b/x.md": "Beta.\n",
    "work/private.md": "Swordfish.\n",
  });
  for (const [roots, args, paths] of [
    [["work/a"], { path: "work/a" }, ["x.md"]],
    [["work"], { path: "work/a" }, ["a/x.md"]],
    [["work/a", "work/b"], { paths: ["work/a", "work/b"] }, ["a/x.md", "b/x.md"]],
    [["work/a", "work/b"], { paths: ["work/b"] }, ["b/x.md"]],
  ] as const) {
    const db = join(scratch, "libraries", `${roots.join("-").replaceAll("/", "-")}-${paths.length}.db`);
    const server = await connect(
      "stdio",
      folder,
      "--model",
      "tiny",
      "--db",
      db,
      ...roots.flatMap((root) => ["--root", root]),
    );
    await server.call("reindex", args);
    expect((await server.client.listResources()).resources.map(({ name }) => name)).toStrictEqual(paths);
    await server.close();
  }
});

test("a library has one name, however it is reached, before it is there and after", async () => {
  const folder = join(scratch, "names");
  mkdirSync(join(folder, "data"), { recursive: true });
  symlinkSync("data", join(folder, "linked"));
  const server = await connect("stdio", folder, "--model", "tiny", "--db", "linked/library.db");
  const name = async (db_path?: string) => (await server.call("library_status", { db_path })).db_path;
  expect(await name()).toBe(join(folder, "data/library.db"));
  await server.call("reindex");
  const names = [await name(), await name("linked/library.db"), await name("data/../data/library.db")];
  expect(new Set(names)).toStrictEqual(new Set([join(folder, "data/library.db")]));
  await server.close();
});

test("a root that is not there is an error at the start", async () => {
  await expect(connect("http", scratch, "--root", "nowhere")).rejects.toThrow("FILE_MISSING");
});
