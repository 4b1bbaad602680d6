/** `reindex`: the contract's locations and their precedence, what it counts, progress, cancellation. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { open } from "selfsame";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../store/scratch.ts";
import { type Answer, type Connected, connect, manyFiles, TRANSPORTS, writeFiles } from "./served.ts";

const scratch = scratchFolder();
const FILES = {
  "docs/a.md": "# A\n\nAlpha.\n",
  "docs/b.md": "# B\n\nBeta.\n",
  "notes/c.md": "# C\n\nGamma.\n",
  "top.txt": "Delta.\n",
};
let folders = 0;

async function serving(transport: "stdio" | "http", files: Record<string, string>, ...args: string[]) {
  const folder = join(scratch, `folder-${++folders}`);
  mkdirSync(folder);
  writeFiles(folder, files);
  return { folder, server: await connect(transport, folder, "--model", "tiny", ...args) };
}

const MODEL = { embedding_model: "tiny", embedding_backend: expect.stringMatching(/^wasm-/) };
const pathsOf = async (server: Connected): Promise<string[]> =>
  (await server.client.listResources()).resources.map(({ name }) => name);

describe.each(TRANSPORTS)("over %s", (transport) => {
  test("CON-004: one location by path, several by paths", async () => {
    const { folder, server } = await serving(transport, FILES);
    expect(await server.call("reindex", { path: "docs" })).toStrictEqual({
      indexed_files: 2,
      skipped_files: 0,
      ...MODEL,
    });
    expect(await pathsOf(server)).toStrictEqual(["docs/a.md", "docs/b.md"]);
    expect(await server.call("reindex", { path: "notes/c.md" })).toStrictEqual({
      indexed_files: 1,
      skipped_files: 0,
      ...MODEL,
    });
    expect(await server.call("reindex", { path: join(folder, "top.txt") })).toMatchObject({
      indexed_files: 1,
    });
    expect(await pathsOf(server)).toStrictEqual(Object.keys(FILES));
    await server.close();
  });

  test("AC-008: counts are of all locations together, and indexed_paths names them", async () => {
    const { folder, server } = await serving(transport, FILES);
    await server.call("reindex", { path: "docs/a.md" });
    expect(await server.call("reindex", { paths: ["docs", "notes"] })).toStrictEqual({
      indexed_files: 2,
      skipped_files: 1,
      indexed_paths: [join(folder, "docs"), join(folder, "notes")],
      ...MODEL,
    });
    expect(
      await server.call("reindex", { paths: ["docs", "docs/a.md", "notes"], force: true }),
    ).toMatchObject({
      indexed_files: 3,
      skipped_files: 0,
    });
    await server.close();
  });

  test("CON-005, AC-009: with paths, path is ignored, whatever it says", async () => {
    const { server } = await serving(transport, FILES);
    for (const path of ["docs", "nowhere", "/etc"]) {
      expect(await server.call("reindex", { path, paths: ["notes"] })).toMatchObject({
        indexed_paths: [expect.stringMatching(/notes$/)],
      });
    }
    expect(await pathsOf(server)).toStrictEqual(["notes/c.md"]);
    await server.close();
  });

  test("CON-006, AC-010: with neither, the server's current folder; paths: [] and null are none", async () => {
    for (const args of [{}, { paths: [] }, { path: null, paths: null }, { paths: [], path: null }]) {
      const { server } = await serving(transport, FILES);
      const report = await server.call("reindex", args);
      expect(report).toStrictEqual({ indexed_files: 4, skipped_files: 0, ...MODEL });
      expect(await pathsOf(server)).toStrictEqual(Object.keys(FILES));
      await server.close();
    }
  });

  test("paths: [] with a path: the path", async () => {
    const { server } = await serving(transport, FILES);
    expect(await server.call("reindex", { path: "notes", paths: [] })).toStrictEqual({
      indexed_files: 1,
      skipped_files: 0,
      ...MODEL,
    });
    expect(await pathsOf(server)).toStrictEqual(["notes/c.md"]);
    await server.close();
  });

  test("unchanged files are skipped unless forced; changed, new and removed ones are followed", async () => {
    const { folder, server } = await serving(transport, { ...FILES, "image.bin": "a\0b" });
    expect(await server.call("reindex")).toMatchObject({ indexed_files: 4, skipped_files: 1 });
    expect(await server.call("reindex")).toMatchObject({ indexed_files: 0, skipped_files: 5 });
    expect(await server.call("reindex", { force: true })).toMatchObject({
      indexed_files: 4,
      skipped_files: 1,
    });
    writeFiles(folder, { "docs/a.md": "# A\n\nChanged.\n", "docs/new.md": "New.\n" }, 1);
    rmSync(join(folder, "top.txt"));
    expect(await server.call("reindex")).toMatchObject({ indexed_files: 2, skipped_files: 3 });
    expect(await pathsOf(server)).toStrictEqual(["docs/a.md", "docs/b.md", "docs/new.md", "notes/c.md"]);
    const { results } = await server.call("search_rifflux", { query: "changed", mode: "lexical" });
    expect(results.map((result: Answer) => result.path)).toStrictEqual(["docs/a.md"]);
    await server.close();
  });

  test("tells its progress, which only grows, to a client that asks", async () => {
    const { server } = await serving(transport, manyFiles(40));
    const told: Answer[] = [];
    await server.client.callTool({ name: "reindex", arguments: {} }, undefined, {
      onprogress: (progress) => told.push(progress),
    });
    expect(told.length).toBeGreaterThan(1);
    for (const [i, { progress, total, message }] of told.entries()) {
      expect(total).toBe(40);
      expect(message).toMatch(/^\d+ of 40 files, \d+ chunks$/);
      if (i > 0) expect(progress).toBeGreaterThan(told[i - 1].progress);
    }
    expect(told.at(-1).progress).toBe(40);
    await server.close();
  });

  test("stops when the request is cancelled, keeps what is written, and goes on from there", async () => {
    const { folder, server } = await serving(transport, manyFiles(400));
    const told = listChange(server);
    const stop = new AbortController();
    const cancelled = server.client.callTool({ name: "reindex", arguments: {} }, undefined, {
      signal: stop.signal,
      onprogress: ({ progress }) => {
        if (progress >= 1) stop.abort("enough");
      },
    });
    await expect(cancelled).rejects.toThrow("enough");
    let status = await server.call("library_status");
    for (; status.is_indexing; status = await server.call("library_status")) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await told; // of what is written, though the request has no answer
    const written = status.library.documents;
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(400);
    expect((await server.call("verify")).is_sound).toBe(true);
    expect(await server.call("reindex")).toMatchObject({ indexed_files: 400 - written });
    const { root } = (await server.call("library_status")).library;
    await server.close();
    const whole = await open(":memory:", { model: "tiny" });
    expect((await whole.addFiles([folder], { root: folder })).root).toBe(root);
    await whole.close();
  });

  test("searches are answered while files are indexed", async () => {
    const { server } = await serving(transport, manyFiles(400));
    await server.call("reindex", { path: "many/0.md" });
    const order: string[] = [];
    const indexing = server.call("reindex").then(() => order.push("indexed"));
    for (let i = 0; i < 5; i++) {
      const { results } = await server.call("search_rifflux", { query: "number 0", mode: "lexical" });
      expect(results.length).toBeGreaterThan(0);
      order.push("found");
    }
    await indexing;
    expect(order).toStrictEqual(["found", "found", "found", "found", "found", "indexed"]);
    await server.close();
  });
});

test("index: counts, skipped files with reasons, removed documents, and the library's root", async () => {
  const { folder, server } = await serving("stdio", { ...FILES, "image.bin": "a\0b" });
  const backend = { embedding_model: "tiny", embedding_backend: MODEL.embedding_backend };
  const skipped = { skipped: 1, skipped_files: [{ path: "image.bin", reason: "binary" }] };
  const first = await server.call("index");
  expect(first).toStrictEqual({
    paths: [folder],
    ...{ added: 4, updated: 0, unchanged: 0, removed: 0 },
    ...skipped,
    root: (await server.call("library_status")).library.root,
    ...backend,
  });
  writeFiles(folder, { "docs/a.md": "# A\n\nChanged.\n" }, 1);
  rmSync(join(folder, "top.txt"));
  const second = await server.call("index", { paths: [] });
  expect(second).toMatchObject({ added: 0, updated: 1, unchanged: 2, removed: 1, ...skipped });
  expect(second.root).not.toBe(first.root);
  const named = await server.call("index", { paths: ["docs", "notes/c.md"], force: true });
  expect(named).toMatchObject({
    paths: [join(folder, "docs"), join(folder, "notes/c.md")],
    updated: 3,
    removed: 0,
    skipped: 0,
    root: second.root,
  });
  expect(await server.refusal("index", { paths: ["/etc"] })).toMatchObject({ code: "PATH_OUTSIDE_ROOT" });
  await server.close();
});

test("two clients that index at once wait for each other, and nothing is done twice", async () => {
  const { server } = await serving("http", manyFiles(30));
  const answers = await Promise.all([server.call("reindex"), server.call("reindex")]);
  // Each has a connection of its own: which is heard first is chance.
  const counts = answers.map(({ indexed_files, skipped_files }) => [indexed_files, skipped_files]);
  expect(counts.sort(([a], [b]) => b - a)).toStrictEqual([
    [30, 0],
    [0, 30],
  ]);
  await server.close();
});

test("a library of another model: refused with the way out, made again with force", async () => {
  const { folder, server } = await serving("stdio", FILES);
  await server.call("reindex");
  await server.close();
  const other = await connect("stdio", folder, "--model", "all-MiniLM-L6-v2");
  for (const [tool, args] of [
    ["search_rifflux", { query: "alpha" }],
    ["reindex", {}],
  ] as const) {
    const { code, hint } = await other.refusal(tool, args);
    expect([code, hint]).toStrictEqual(["CANON_MISMATCH", expect.stringContaining("--force")]);
  }
  expect(await other.call("reindex", { force: true })).toMatchObject({
    indexed_files: 4,
    embedding_model: "all-MiniLM-L6-v2",
  });
  await other.close();
});

test("a folder that cannot be written to is an error with its reason", async () => {
  const { folder, server } = await serving("stdio", {
    ...FILES,
    ".selfsame": "a file where the folder should be",
  });
  const { code, text } = await server.refusal("reindex");
  expect(code, text).toBe("DATABASE_CANNOT_OPEN");
  expect(existsSync(join(folder, ".selfsame/library.db"))).toBe(false);
  await server.close();
});

function listChange({ client }: Connected): Promise<void> {
  return new Promise((resolve) => {
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => resolve());
  });
}
