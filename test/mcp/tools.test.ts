/** The tools and resources that are Selfsame's own. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Library, open, type SearchParameters } from "selfsame";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "#dist/store/open.node.js";
import { scratchFolder } from "../store/scratch.ts";
import { type Answer, type Connected, connect, TRANSPORTS, writeFiles } from "./served.ts";

const scratch = scratchFolder();
const LONG = Array.from(
  { length: 30 },
  (_, i) => `## Part ${i}\n\nThe merkle tree of part ${i} has a root.\n`,
);
const FILES: Record<string, string> = {
  "guide/merkle.md": `# Trees\n\n${LONG.join("\n")}`,
  "guide/ties.md": "# Ties\n\nEqual scores stand by path.\n",
  "code/order.ts": "export const order = (a: number, b: number) => a - b; // ties\n",
  "日本/東京 & 100%.md": "# 東京\n\n東京タワーの歴史。 ties\n",
};

describe.each(TRANSPORTS)("over %s", (transport) => {
  const folder = join(scratch, transport);
  let server: Connected;
  /** The same documents, without a server. */
  let twin: Library;
  beforeAll(async () => {
    mkdirSync(folder);
    writeFiles(folder, FILES);
    server = await connect(transport, folder, "--model", "tiny");
    expect((await server.call("library_status")).exists).toBe(false);
    await server.call("reindex");
    twin = await open(":memory:", { model: "tiny" });
    await twin.addFiles([folder], { root: folder });
  });
  afterAll(async () => {
    await server.close();
    await twin.close();
  });

  test("library_status says what is there", async () => {
    const { documents, chunks, tokens, textBytes, embeddings, root, metadataRoot, canon } =
      await twin.stats();
    expect(await server.call("library_status")).toStrictEqual({
      db_path: join(folder, ".selfsame/library.db"),
      exists: true,
      is_indexing: false,
      roots: [folder],
      server_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      library: {
        documents,
        chunks,
        tokens,
        embeddings,
        root,
        canon,
        text_bytes: textBytes,
        metadata_root: metadataRoot,
        embedding_model: "tiny",
        embedding_backend: "wasm-simd",
        files_folder: folder,
      },
    });
  });

  test("search answers as the library does, with every parameter under the name of its argument", async () => {
    for (const [args, parameters] of [
      [{}, {}],
      [
        { mode: "lexical", top_k: 3 },
        { mode: "lexical", topK: 3 },
      ],
      [
        { options: { semantic_k: 7, lexical_k: 9, rrf_k: 5, weights: { semantic: 0.5 } } },
        { semanticK: 7, lexicalK: 9, rrfK: 5, weights: { semantic: 0.5 } },
      ],
      [
        {
          path: "guide/**",
          options: {
            filters: {
              mime: ["text/markdown"],
              modified_after: "2019-01-01",
              modified_before: 4e12,
              contains: "root",
            },
          },
        },
        {
          filters: {
            path: "guide/**",
            mime: ["text/markdown"],
            modifiedAfter: "2019-01-01",
            modifiedBefore: 4e12,
            contains: "root",
          },
        },
      ],
      [
        { options: { filters: { metadata: { snake_case: [1, null] } }, filter_mode: "post" } },
        { filters: { metadata: { snake_case: [1, null] } }, filterMode: "post" },
      ],
      [
        {
          min_similarity: 0.1,
          options: {
            diversify: { lambda: 0.2 },
            group_by: "path",
            prefer_coverage: true,
            exact: true,
            ef: 9,
          },
        },
        {
          minSimilarity: 0.1,
          diversify: { lambda: 0.2 },
          groupBy: "path",
          preferCoverage: true,
          exact: true,
          ef: 9,
        },
      ],
      [{ options: { preset: "docstokg", explain: true } }, { preset: "docstokg", explain: true }],
    ] as const) {
      // Without a preset, results come in pages, so that every answer can be continued.
      const { topK, ...rest } = parameters as SearchParameters;
      const paged = rest.preset === undefined ? { ...rest, pageSize: topK ?? 10 } : rest;
      const expected = await twin.search("merkle ties", paged);
      const answer = await server.call("search", { query: "merkle ties", ...args });
      expect(answer.receipt).toStrictEqual({ version: 1, ...expected.receipt });
      expect(answer.count).toBe(expected.results.length);
      expect(answer.warnings).toStrictEqual(expected.warnings);
      for (const [i, result] of expected.results.entries()) {
        const { document, chunkId, path, breadcrumb, chunkIndex, content, score, match, highlights } = result;
        expect(answer.results[i]).toMatchObject({
          chunk_id: chunkId,
          path,
          chunk_index: chunkIndex,
          content,
          score,
          match,
        });
        expect(answer.results[i]).toMatchObject({
          heading_path: breadcrumb,
          highlights,
          mime: document.mime,
        });
        expect(answer.results[i].modified_at).toBe(document.modifiedAt);
      }
      expect(answer.explanation?.match_expression).toBe(expected.explanation?.matchExpression);
      expect(answer.explanation?.fused.length).toBe(expected.explanation?.fused.length);
    }
  });

  test("search gives pages, which together are the whole list", async () => {
    const whole = await server.call("search", { query: "merkle", top_k: 20 });
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await server.call("search", {
        query: "merkle",
        top_k: 6,
        ...(cursor ? { cursor } : {}),
      });
      paged.push(...page.results.map((result: Answer) => result.chunk_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged.slice(0, 20)).toStrictEqual(whole.results.map((result: Answer) => result.chunk_id));
  });

  test("get_chunk gives a chunk, its document and its neighbours", async () => {
    const chunks = await twin.chunks("guide/merkle.md");
    expect(chunks.length).toBeGreaterThan(4);
    const middle = chunks[2]!;
    const answer = await server.call("get_chunk", { chunk_id: middle.chunkId, around: 2 });
    expect(answer).toMatchObject({
      chunk_id: middle.chunkId,
      chunk_index: 2,
      heading_path: middle.breadcrumb,
      start: middle.start,
      end: middle.end,
      tokens: middle.tokens,
      content: middle.text,
      document: { path: "guide/merkle.md", chunks: chunks.length, mime: "text/markdown" },
    });
    const indexes = (list: Answer[]) => list.map(({ chunk_index }) => chunk_index);
    expect([indexes(answer.before), indexes(answer.after)]).toStrictEqual([
      [0, 1],
      [3, 4],
    ]);
    const first = await server.call("get_chunk", { chunk_id: chunks[0]!.chunkId, around: 20 });
    expect([first.before, first.after.length]).toStrictEqual([[], Math.min(20, chunks.length - 1)]);
    const { contents } = await server.client.readResource({ uri: answer.document.uri });
    expect((contents[0] as Answer).text).toBe((await twin.document("guide/merkle.md"))!.text);
  });

  test("verify: a receipt of another device is the same here, a changed one is not", async () => {
    const { receipt } = await twin.search("ties", { topK: 5 });
    const printed = { version: 1, ...receipt };
    for (const given of [printed, JSON.stringify(printed)]) {
      expect(await server.call("verify", { receipt: given })).toStrictEqual({
        is_sound: true,
        receipt: { is_same: true, differences: [], actual_digest: receipt.digest, warnings: [] },
        library: null,
      });
    }
    const other = await open(":memory:", { model: "tiny" });
    await other.add([{ path: "else.md", text: "Ties, elsewhere." }]);
    const foreign = { version: 1, ...(await other.search("ties", { topK: 5 })).receipt };
    await other.close();
    const verdict = await server.call("verify", { receipt: foreign, library: true });
    expect([verdict.is_sound, verdict.receipt.is_same, verdict.library.is_sound]).toStrictEqual([
      false,
      false,
      true,
    ]);
    expect(verdict.receipt.differences.map(({ what }: Answer) => what)).toContain("root");
    expect(await server.refusal("verify", { receipt: { ...printed, query: "other" } })).toMatchObject({
      code: "BAD_RECEIPT",
    });
  });

  test("verify: all that is derived is made again from the texts", async () => {
    const { is_sound, receipt, library } = await server.call("verify");
    expect([is_sound, receipt, library.is_sound]).toStrictEqual([true, null, true]);
    expect(library.findings.map(({ subject }: Answer) => subject)).toContain("root");
    expect(library.findings.filter(({ verdict }: Answer) => verdict === "problem")).toStrictEqual([]);
  });

  test("verify: says how much it checked, and checks every vector if asked to", async () => {
    const detailOf = (findings: Answer) =>
      findings.find(({ subject }: Answer) => subject === "vectors").detail;
    const many = await open(join(folder, "many.db"), { model: "tiny" });
    await many.add(Array.from({ length: 70 }, (_, i) => ({ path: `${i}.md`, text: `Note ${i}.` })));
    await many.close();
    const verify = async (args: object) =>
      detailOf((await server.call("verify", { db_path: "many.db", ...args })).library.findings);
    expect(await verify({})).toContain("64 of 70 vectors re-embedded, equal to the bit");
    expect(await verify({ full: true })).toContain("all 70 vectors re-embedded, equal to the bit");
  });

  test("resources: documents by path, in pages, each readable by its address", async () => {
    const { resources, nextCursor } = await server.client.listResources();
    expect(nextCursor).toBeUndefined();
    expect(resources.map(({ name }) => name)).toStrictEqual((await twin.documents()).map(({ path }) => path));
    for (const { uri, name, mimeType, size } of resources) {
      const { contents } = await server.client.readResource({ uri });
      expect(contents).toStrictEqual([{ uri, mimeType, text: (await twin.document(name))!.text }]);
      expect(size).toBe(Buffer.byteLength((await twin.document(name))!.text));
    }
    const { resourceTemplates } = await server.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toStrictEqual([
      "selfsame://documents/{+path}",
    ]);
  });

  test("resources: what is not there, or is no address, is an error with a code", async () => {
    const read = (uri: string) => server.client.readResource({ uri });
    await expect(read("selfsame://documents/none.md")).rejects.toMatchObject({ code: -32002 });
    await expect(read("selfsame://documents/%ff")).rejects.toMatchObject({ code: -32002 });
    await expect(read("selfsame://documents/../../etc/passwd")).rejects.toMatchObject({ code: -32002 });
    await expect(read("selfsame://documents/..%2f..%2fetc/passwd")).rejects.toMatchObject({ code: -32602 });
    await expect(read("file:///etc/passwd")).rejects.toMatchObject({ code: -32602 });
    await expect(server.client.listResources({ cursor: "!" })).rejects.toMatchObject({ code: -32602 });
  });

  test("resources: a long list comes in pages, and its change is told", async () => {
    const told = new Promise<void>((resolve) => {
      server.client.setNotificationHandler(ResourceListChangedNotificationSchema, () => resolve());
    });
    const many = Object.fromEntries(
      Array.from({ length: 230 }, (_, i) => [`many/${i}.txt`, `Number ${i}.\n`]),
    );
    writeFiles(folder, many);
    await server.call("reindex", { path: "many" });
    await told;
    const sizes: number[] = [];
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Answer = await server.client.listResources(cursor === undefined ? {} : { cursor });
      sizes.push(page.resources.length);
      names.push(...page.resources.map(({ name }: Answer) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(sizes).toStrictEqual([100, 100, 34]);
    expect(new Set(names)).toStrictEqual(new Set([...Object.keys(FILES), ...Object.keys(many)]));
  });
});

test("verify: a text that was changed behind the library's back is found", async () => {
  const folder = join(scratch, "damaged");
  mkdirSync(folder);
  writeFiles(folder, FILES);
  const server = await connect("stdio", folder, "--model", "tiny");
  await server.call("reindex");
  const database = await openDatabase(join(folder, ".selfsame/library.db"));
  database.run("UPDATE texts SET text = 'Unequal scores.' WHERE text LIKE '%Equal scores%'");
  database.close();
  const { is_sound, library } = await server.call("verify");
  expect([is_sound, library.is_sound]).toStrictEqual([false, false]);
  const problems = library.findings.filter(({ verdict }: Answer) => verdict === "problem");
  expect(problems.map(({ subject }: Answer) => subject)).toContain("root");
  await server.close();
});

test("resources/list: a document whose date has no four-digit year is listed without it", async () => {
  const folder = join(scratch, "dates");
  mkdirSync(folder);
  const library = await open(join(folder, "dates.db"), { model: "tiny" });
  const [first, last] = [-62_167_219_200_000, 253_402_300_799_999];
  const times = [-8.64e15 - 1, first - 1, first, 0, last, last + 1, 8.64e15 + 1, Number.MAX_SAFE_INTEGER];
  await library.add(times.map((modifiedAt, i) => ({ path: `${i}.md`, text: `Note ${i}.`, modifiedAt })));
  await library.close();
  const server = await connect("stdio", folder, "--model", "tiny", "--db", "dates.db");
  const { resources } = await server.client.listResources();
  expect(resources.map(({ annotations }) => annotations?.lastModified)).toStrictEqual([
    undefined,
    undefined,
    "0000-01-01T00:00:00.000Z",
    "1970-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
    undefined,
    undefined,
    undefined,
  ]);
  const { results } = await server.call("search", { query: "note", mode: "lexical" });
  expect(results.map(({ modified_at }: Answer) => modified_at).sort()).toStrictEqual([...times].sort());
  await server.close();
});

test("before there is a library: no resources, and every tool says how to make one", async () => {
  const folder = join(scratch, "empty");
  mkdirSync(folder);
  const server = await connect("stdio", folder, "--model", "tiny");
  expect((await server.client.listResources()).resources).toStrictEqual([]);
  for (const [tool, args] of [
    ["search_rifflux", { query: "a" }],
    ["search", { query: "a" }],
    ["search", { query: "a", options: { db_path: ".selfsame/library.db" } }],
    ["get_chunk", { chunk_id: "0".repeat(32) }],
    ["verify", {}],
  ] as const) {
    expect(await server.refusal(tool, args)).toMatchObject({
      code: "FILE_MISSING",
      hint: "Make it with the tool index",
    });
  }
  await server.close();
});
