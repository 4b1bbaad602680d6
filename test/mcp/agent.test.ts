/** What an agent sees: the list of tools and compact answers, each with its size; notes that it writes; a library that follows the files. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open, SEARCH_PARAMETERS } from "selfsame";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scratchFolder } from "../store/scratch.ts";
import { CORPUS, QUERIES } from "./corpus.ts";
import { type Answer, type Connected, connectPlain, writeFiles } from "./served.ts";

const folder = scratchFolder();
let agent: Connected;
beforeAll(async () => {
  writeFiles(folder, {
    ...CORPUS,
    "a/deep/folder/with/a/name/that/is/long.md": `# ${"Long ".repeat(30)}\n\n## ${"Inner ".repeat(20)}\n\nAlpha.\n`,
    "paper.md": "# One\n\n## Two\n\n### Three\n\nAlpha beta.\n\n#### Four\n\nGamma alpha.\n",
  });
  agent = await connectPlain(folder, "--model", "tiny");
  await agent.call("index");
});
afterAll(() => agent.close());

test("search is first; contracts' tools and tools that write are there on request; every list is under 6,000 characters", async () => {
  const names = async ({ client }: Connected) => (await client.listTools()).tools.map(({ name }) => name);
  const own = ["search", "get_document", "list_documents", "recall", "library_status", "verify", "index"];
  expect(await names(agent)).toStrictEqual(own);
  const writing = await connectPlain(folder, "--model", "tiny", "--writable");
  expect(await names(writing)).toStrictEqual([...own, "add_note", "remove"]);
  for (const { client } of [agent, writing])
    expect(JSON.stringify((await client.listTools()).tools).length).toBeLessThan(6000);
  await writing.close();
  const contracts = await connectPlain(folder, "--model", "tiny", "--contracts");
  expect(await names(contracts)).toStrictEqual([...own, "search_rifflux", "get_chunk", "reindex"]);
  await contracts.close();
  for (const [name, flag] of [
    ["search_rifflux", "--contracts"],
    ["reindex", "--contracts"],
    ["add_note", "--writable"],
    ["remove", "--writable"],
  ] as const)
    expect((await agent.refusal(name)).hint).toContain(flag);
});

test("every parameter is described, and options names every other parameter of a search", async () => {
  const { tools } = await agent.client.listTools();
  for (const { name, inputSchema } of tools)
    for (const [parameter, schema] of Object.entries(inputSchema.properties ?? {}))
      expect((schema as Answer).description, `${name}.${parameter}`).toMatch(/\S{3}/);
  const { properties } = tools[0]!.inputSchema as Answer;
  expect(Object.keys(properties)).toStrictEqual([
    ...["query", "top_k", "mode", "path", "min_similarity", "cursor", "structured", "options"],
  ]);
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  for (const name of Object.keys(SEARCH_PARAMETERS).map(snake))
    if (!(name in properties) && name !== "page_size") expect(properties.options.description).toContain(name);
});

test("an answer has at most 90 characters for each result and 200 more beside the passages", async () => {
  for (const query of [...QUERIES, "alpha", "nothing like it", "the", "zanzibr", '"no such phrase"']) {
    for (const args of [{}, { top_k: 3 }, { mode: "lexical" }, { mode: "semantic", top_k: 50 }]) {
      const text = await agent.text("search", { query, ...args });
      const { results, receipt, next_cursor, notices } = await agent.call("search", { query, ...args });
      let frame = text;
      for (const [i, { path, line, content }] of results.entries()) {
        const [head] = frame.match(new RegExp(`^${i + 1}\\. .*$`, "m"))!;
        expect(head).toContain(`${path}:${line}`);
        const whole = `${head}\n${content.trim()}\n\n`;
        expect(frame).toContain(whole);
        expect(whole.length - content.trim().length).toBeLessThanOrEqual(90);
        frame = frame.replace(whole, () => "");
      }
      expect(frame.length, frame).toBeLessThanOrEqual(200);
      expect(frame).toContain(`receipt ${receipt.digest.slice(0, 16)}`);
      if (next_cursor !== null) expect(frame).toContain(`cursor ${next_cursor}`);
      for (const notice of notices) expect(frame).toContain(notice.slice(0, 30));
    }
  }
});

test("a result says where it is, its headings without the one that it begins with, and how close it is", async () => {
  const text = await agent.text("search", { query: '"gamma alpha"', top_k: 1 });
  expect(text).toMatch(
    /^1\. paper\.md:9 › One › Two › Three · cosine -?\d\.\d\d\n#### Four\n\nGamma alpha\.\n\nreceipt [0-9a-f]{16}$/,
  );
  const long = await agent.text("search", { query: "alpha", path: "a/**", top_k: 1 });
  expect(long.split("\n")[0]).toMatch(/^1\. a\/deep\/folder\/with\/a\/name\/that\/is\/long\.md:\d+ /);
});

test("pages: an answer goes on where the last one ended", async () => {
  const whole = (await agent.call("search", { query: "note", top_k: 9 })).results.map(
    ({ chunk_id }: Answer) => chunk_id,
  );
  const first = await agent.call("search", { query: "note", top_k: 4 });
  const second = await agent.call("search", { query: "note", top_k: 4, cursor: first.next_cursor });
  const paged = [...first.results, ...second.results].map(({ chunk_id }) => chunk_id);
  expect(paged).toStrictEqual(whole.slice(0, 8));
});

test("get_document: all of it, a range, the lines around a result", async () => {
  expect(await agent.text("get_document", { path: "paper.md" })).toMatch(
    /^paper\.md lines 1 to 11 of 11\n# One\n/,
  );
  expect(await agent.text("get_document", { path: "paper.md", from: 7, to: 9 })).toBe(
    "paper.md lines 7 to 9 of 11\nAlpha beta.\n\n#### Four",
  );
  expect(await agent.text("get_document", { path: "paper.md:9" })).toMatch(
    /^paper\.md lines 1 to 11 of 11\n/,
  );
  expect(await agent.refusal("get_document", { path: "none.md" })).toMatchObject({ code: "FILE_MISSING" });
  for (const range of [
    { from: 5, to: 4 },
    { from: 12, to: 14 },
  ])
    expect((await agent.refusal("get_document", { path: "paper.md", ...range })).code).toBe("BAD_ARGUMENT");
  // A long document comes in parts, which together are the whole.
  const file = join(folder, "long.txt");
  writeFileSync(file, Array.from({ length: 3000 }, (_, i) => `Line ${i + 1} of a long text.\n`).join(""));
  await agent.call("index", { paths: ["long.txt"] });
  let [from, lines, total] = [1, [] as string[], 1];
  while (from <= total) {
    const part = await agent.call("get_document", { path: "long.txt", from });
    expect(part.text.length).toBeLessThanOrEqual(20_000);
    lines = [...lines, ...part.text.split("\n")];
    [from, total] = [part.to + 1, part.total];
  }
  expect([lines.length, lines.at(-1)]).toStrictEqual([3000, "Line 3000 of a long text."]);
  rmSync(file);
  await agent.call("index", { paths: ["long.txt"] }).catch(() => agent.call("index"));
});

test("list_documents: by a pattern, with a limit, from where the last list ended", async () => {
  expect(await agent.text("list_documents", { glob: "deep/**" })).toBe(
    "deep/cache/policies.md\ndeep/zanzibar.txt",
  );
  expect(await agent.text("list_documents", { glob: "deep/**", limit: 1 })).toBe(
    "deep/cache/policies.md\n… more after deep/cache/policies.md",
  );
  expect(await agent.text("list_documents", { glob: "deep/**", after: "deep/cache/policies.md" })).toBe(
    "deep/zanzibar.txt",
  );
  expect(await agent.text("list_documents", { glob: "none/**" })).toBe("no path matches none/**");
});

test("the other tools answer in a few lines, too", async () => {
  expect(await agent.text("library_status")).toMatch(
    /^\d+ documents, \d+ chunks in .*; paths are relative to /,
  );
  expect(await agent.text("index")).toMatch(
    /^0 added, 0 updated, \d+ unchanged, 0 removed; root [0-9a-f]{16}$/,
  );
  expect(await agent.text("verify")).toMatch(/^library: sound\nok: file, /);
  const { receipt } = await agent.call("search", { query: "note" });
  expect(await agent.text("verify", { receipt })).toBe("receipt: the same answer here, bit by bit");
  expect(await agent.text("recall", { query_text: "zanzibar", ctx: { top_k: 1, now: 0 } })).toMatch(
    /^1\. deep\/zanzibar\.txt:1 · .*\n.*zanzibar.*\n\nreceipt [0-9a-f]{16}$/,
  );
});

test("add_note and remove: a note is no file, outlives indexing, and goes when it is removed", async () => {
  const place = join(folder, "writing");
  mkdirSync(place);
  writeFiles(place, { "kept.md": "# Kept\n\nA file.\n" });
  const writer = await connectPlain(place, "--model", "tiny", "--writable");
  await writer.call("index");
  const note = { path: "notes/decision.md", text: "# Decision\n\nThe zephyr is on Tuesday.\n" };
  expect(await writer.text("add_note", note)).toMatch(/^added notes\/decision\.md; root /);
  expect(await writer.text("add_note", { ...note, text: "The zephyr is on Friday." })).toMatch(/^updated /);
  expect(existsSync(join(place, "notes"))).toBe(false);
  await writer.call("index", { force: true });
  expect(await writer.text("search", { query: "zephyr", top_k: 1 })).toContain("on Friday");
  expect(await writer.refusal("add_note", { path: "kept.md", text: "x" })).toMatchObject({
    code: "BAD_ARGUMENT",
    hint: "Choose another path, or change the file itself",
  });
  for (const path of ["../out.md", "/etc/motd", "a\0b"])
    expect((await writer.refusal("add_note", { path, text: "x" })).code).toBe("BAD_ARGUMENT");
  expect(await writer.text("remove", { path: [note.path, "none.md"] })).toMatch(
    /^removed notes\/decision\.md; no document at none\.md; root /,
  );
  expect(await writer.text("list_documents")).toBe("kept.md");
  await writer.close();
});

test("--watch: the library is made, and follows the files", async () => {
  const place = join(folder, "watched");
  mkdirSync(place);
  writeFiles(place, { "a.md": "# A\n\nAlpha.\n" });
  const watching = await connectPlain(place, "--model", "tiny", "--watch");
  const listed = async (list: string) => {
    for (;;) {
      const { exists } = await watching.call("library_status");
      if (exists && (await watching.text("list_documents")) === list) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await listed("a.md");
  writeFileSync(join(place, "b.md"), "# B\n\nBeta.\n");
  await listed("a.md\nb.md");
  rmSync(join(place, "a.md"));
  await listed("b.md");
  expect(await watching.text("index")).toMatch(/^0 added, 0 updated, 1 unchanged/);
  await watching.close();
  const library = await open(join(place, ".selfsame/library.db"), { model: "tiny" });
  expect((await library.documents()).map(({ path }) => path)).toStrictEqual(["b.md"]);
  await library.close();
});
