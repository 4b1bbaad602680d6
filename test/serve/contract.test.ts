/** Contract 5's endpoints, field by field: every answer keeps to its schema, and says what the library says. */
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { open, openNamespaces, printReceipt } from "#dist/index.js";
import { queryAnswer } from "#dist/serve/query-schema.js";
import * as schemas from "#dist/serve/schemas.js";
import { scratchFolder } from "../store/scratch.ts";
import { type Answer, notes, type Running, running } from "./running.ts";

let server: Running;
beforeAll(async () => {
  server = await running({ namespaces: { readers: 1 } });
  const { status, json } = await server.send("POST", "/v1/hybrid/ingest?namespace=research", notes(40));
  expect([status, schemas.ingestAnswer.parse(json)]).toMatchObject([200, { added: 40, rejected: 0 }]);
});

async function query(body: object): Promise<Answer> {
  const { status, json } = await server.send("POST", "/v1/hybrid/query", { namespace: "research", ...body });
  expect([status, json]).toMatchObject([200, { results: expect.anything() }]);
  return queryAnswer.parse(json);
}

describe("POST /v1/hybrid/query", () => {
  test("has the contract's fields, and its defaults", async () => {
    const answer = await query({ query: "equal scores größe" });
    expect(Object.keys(answer)).toStrictEqual([
      ...["results", "next_cursor", "total_candidates", "timings_ms", "fusion_weights", "stats"],
      ...["receipt", "notices", "warnings", "degraded"],
    ]);
    expect(answer.results).toHaveLength(10);
    expect(Object.keys(answer.results[0])).toStrictEqual([
      ...["doc_id", "chunk_id", "vector_id", "namespace", "score", "fused_rank", "text", "highlights"],
      ...["provenance_offsets", "diagnostics", "metadata"],
    ]);
    expect(answer.fusion_weights).toStrictEqual({ bm25: 0.35, splade: 0, dense: 0.65 });
    expect(answer.results[0].diagnostics.fusion_weights).toStrictEqual(answer.fusion_weights);
    expect(answer.receipt.parameters).toMatchObject({ semanticK: 60, lexicalK: 80, rrfK: 60, pageSize: 10 });
    expect(answer.stats.faiss).toStrictEqual({ ntotal: 40, dimension: 32, index_type: "Flat" });
    expect([answer.warnings, answer.degraded]).toStrictEqual([[], false]);
    for (const { doc_id, chunk_id, text, highlights, provenance_offsets, namespace } of answer.results) {
      expect([chunk_id, namespace]).toStrictEqual([`${doc_id}#0`, "research"]);
      expect(highlights).toStrictEqual(
        provenance_offsets.map((range: [number, number]) => text.slice(...range)),
      );
    }
    expect(answer.results.some(({ highlights }: Answer) => highlights.includes("Größe"))).toBe(true);
  });

  test("is the library's answer: same chunks, same scores, same receipt", async () => {
    const answer = await query({
      query: "number 7",
      page_size: 5,
      document_filters: { path: "ties/0[0-2]*.md" },
    });
    const library = await open(":memory:", { model: "tiny", namespace: "research", workers: 1 });
    await library.add(notes(40).map((each) => ({ ...each, metadata: each.metadata as never })));
    const direct = await library.search("number 7", {
      preset: "docstokg",
      pageSize: 5,
      filters: { path: "ties/0[0-2]*.md" },
    });
    expect(answer.receipt).toStrictEqual(JSON.parse(printReceipt(direct.receipt)));
    expect(
      answer.results.map(({ vector_id, score }: Answer) => [vector_id.replaceAll("-", ""), score]),
    ).toStrictEqual(direct.results.map(({ chunkId, score }) => [chunkId, score]));
    // The scores of the channels are those of SPEC §16.4, as the single modes show them.
    const words = await library.search("number 7", {
      mode: "lexical",
      topK: 80,
      filters: { path: "ties/0[0-2]*.md" },
    });
    const byWords = new Map(words.results.map(({ path, score }) => [path, score]));
    for (const { doc_id, diagnostics } of answer.results)
      expect(diagnostics.bm25_score).toBe(byWords.get(doc_id) ?? null);
    await library.close();
  });

  test("pages continue, ranks count through, and a cursor of another query is refused", async () => {
    const first = await query({ query: "scores", page_size: 4 });
    const second = await query({ query: "scores", page_size: 4, cursor: first.next_cursor });
    expect([...first.results, ...second.results].map(({ fused_rank }: Answer) => fused_rank)).toStrictEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    const { status, json } = await server.send("POST", "/v1/hybrid/query", {
      ...{ query: "other", namespace: "research", page_size: 4, cursor: first.next_cursor },
    });
    expect([status, json.error.code]).toStrictEqual([409, "CURSOR_STALE"]);
  });

  test("filters are on metadata: a value, or one of several", async () => {
    const docs = await query({ query: "scores", filters: { channel: "docs" }, page_size: 50 });
    expect(new Set(docs.results.map(({ metadata }: Answer) => metadata.channel))).toStrictEqual(
      new Set(["docs"]),
    );
    const some = await query({ query: "scores", filters: { number: [3, 5] } });
    expect(some.results.map(({ metadata }: Answer) => metadata.number).sort()).toStrictEqual([3, 5]);
    expect(some.receipt.metadataRoot).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(["filters", "document_filters"])(
    "%s by a name that objects cannot hold are refused, not left out",
    async (field) => {
      const inner = '{"__proto__": "x"}';
      const body = `{"query": "scores", "${field}": ${field === "filters" ? inner : `{"metadata": ${inner}}`}}`;
      const { status, json } = await server.send("POST", "/v1/hybrid/query", body);
      expect([status, json.error.message]).toStrictEqual([400, expect.stringContaining('"__proto__"')]);
    },
  );

  test("diversification, recall_first, diagnostics and every parameter of the library", async () => {
    const answer = await query({
      ...{ query: "scores", diversification: true, recall_first: true, diagnostics: false, explain: true },
      ...{ rrf_k: 10, weights: { lexical: 1 }, prefer_coverage: true, filter_mode: "post", lexical_k: 30 },
    });
    expect(answer.receipt.parameters).toMatchObject({
      ...{ lambda: 700, exact: true, rrfK: 10, lexicalWeight: 1, preferCoverage: true, lexicalK: 30 },
      ...{ semanticK: 90, filterMode: "post" },
    });
    expect(answer.results[0].diagnostics).toBeUndefined();
    expect(answer.explanation.lexical.length).toBeGreaterThan(0);
    const own = await query({ query: "scores", preset: null, mode: "lexical", top_k: 3 });
    expect(own.receipt.parameters).toMatchObject({
      mode: "lexical",
      topK: 3,
      lexicalK: 20,
      lexicalWeight: 1,
    });
  });

  test("timeout_ms: what there is by then, degraded, with a warning and without a receipt", async () => {
    const whole = await query({ query: "equal scores", timeout_ms: 60_000 });
    expect([whole.degraded, whole.receipt === null]).toStrictEqual([false, false]);
    // A namespace that was closed because others were needed: opening it alone takes longer than a millisecond.
    for (const namespace of ["cold", "warm1", "warm2", "warm3"])
      await server.send("POST", `/v1/hybrid/ingest?namespace=${namespace}`, notes(2));
    const partial = await query({ query: "equal scores", namespace: "cold", timeout_ms: 1 });
    expect([partial.degraded, partial.receipt, partial.next_cursor]).toStrictEqual([true, null, null]);
    expect(partial.warnings.join()).toContain("longer than 1 ms");
  });

  test.each([
    [{}, "query"],
    [{ query: "" }, "query"],
    [{ query: "x".repeat(100_001) }, "query"],
    [{ query: "x", page_size: 1001 }, "page_size"],
    [{ query: "x", page_size: 0 }, "page_size"],
    [{ query: "x", foo: 1 }, "foo"],
    [{ query: "x", filters: { a: {} } }, "filters"],
    [{ query: "x", namespace: "../etc" }, "namespace"],
    [{ query: "x", namespace: ".hidden" }, "namespace"],
    [{ query: "x", mode: "fuzzy" }, "mode"],
  ])("request %# is refused, and the message names the field", async (body, field) => {
    const { status, json } = await server.send("POST", "/v1/hybrid/query", body);
    expect(status).toBe(400);
    expect(schemas.errorAnswer.parse(json).error.message).toContain(field);
  });

  test("a namespace that does not exist is 404, and is not made", async () => {
    const { status, json } = await server.send("POST", "/v1/hybrid/query", { query: "x", namespace: "none" });
    expect([status, json.error.hint]).toStrictEqual([404, expect.stringContaining("/v1/hybrid/ingest")]);
    const { json: list } = await server.send("GET", "/v1/namespaces");
    expect(schemas.namespacesAnswer.parse(list).namespaces.map(({ name }) => name)).not.toContain("none");
  });
});

describe("POST /v1/hybrid/ingest", () => {
  const lines = (...rows: unknown[]) =>
    rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n");
  const ndjson = { "content-type": "application/x-ndjson" };

  test("NDJSON: each bad line is rejected by itself, with its number and a reason", async () => {
    const { status, json } = await server.send(
      "POST",
      "/v1/hybrid/ingest?namespace=lines",
      lines(
        { path: "a.md", text: "Alpha" },
        "{ broken",
        "",
        { path: "../b.md", text: "Beta" },
        { path: "c.md" },
        { path: "d.md", text: "Delta", modified_at: "2024-05-01T00:00:00Z", mime: "text/markdown" },
        { path: "e.md", text: "Epsilon", namespace: "other" },
        { path: "a.md", text: "Alpha again" },
      ),
      ndjson,
    );
    expect(status).toBe(200);
    const answer = schemas.ingestAnswer.parse(json);
    expect(answer).toMatchObject({ namespace: "lines", received: 7, added: 2, updated: 1, rejected: 4 });
    expect(answer.rejections.map(({ row, code }) => [row, code])).toStrictEqual([
      [2, "BAD_JSON"],
      [4, "BAD_ARGUMENT"],
      [6, "BAD_NAMESPACE"],
      [3, "BAD_ARGUMENT"],
    ]);
    const root = await server.send("GET", "/v1/namespaces/lines/root");
    expect(schemas.rootAnswer.parse(root.json)).toMatchObject({ root: answer.root, documents: 2 });
  });

  test("reasons name what came instead of a document", async () => {
    const rows = [
      5,
      null,
      '{"path": "p.md", "text": "x", "metadata": {"__proto__": {"a": 1}}}',
      { path: "" },
    ];
    const { json } = await server.send(
      "POST",
      "/v1/hybrid/ingest?namespace=reasons",
      lines(...rows.map((row) => (row === null ? "null" : row))),
      ndjson,
    );
    expect(schemas.ingestAnswer.parse(json).rejections).toMatchObject([
      { row: 1, reason: "expected an object, got number" },
      { row: 2, reason: "expected an object, got null" },
      { row: 3, path: "p.md", reason: 'expected members with other names, got "__proto__"' },
      { row: 4 },
    ]);
  });

  test("the namespace can be a field; the default is default", async () => {
    const named = await server.send("POST", "/v1/hybrid/ingest", [
      { path: "a", text: "A", namespace: "field" },
    ]);
    const unnamed = await server.send("POST", "/v1/hybrid/ingest", [{ path: "a", text: "A" }]);
    expect([named.json.namespace, unnamed.json.namespace]).toStrictEqual(["field", "default"]);
    expect((await server.send("POST", "/v1/hybrid/query", { query: "A" })).json.results).toHaveLength(1);
  });

  test("the same again changes nothing, and one document is a list of one", async () => {
    const body = { path: "one.md", text: "One" };
    expect((await server.send("POST", "/v1/hybrid/ingest?namespace=one", body)).json).toMatchObject({
      added: 1,
    });
    expect((await server.send("POST", "/v1/hybrid/ingest?namespace=one", [body])).json).toMatchObject({
      ...{ added: 0, unchanged: 1, embedded: 0 },
    });
  });

  test.each([
    ['[{"path":"a","text":"A"}', "the end of the list"],
    ['[{"path":"a","text":"A"},]', "comma"],
    ['[{"path":"a","text":"A"}] x', "after the end"],
    ["[,]", "comma"],
    ["[}", "brackets"],
    ["nonsense", "JSON"],
  ])("%s is 400", async (body, words) => {
    const { status, json } = await server.send("POST", "/v1/hybrid/ingest?namespace=bad", body);
    expect([status, json.error.code, json.error.message]).toStrictEqual([
      ...[400, "BAD_JSON", expect.stringContaining(words)],
    ]);
  });

  test("another media type is 415: a web page could send it without asking", async () => {
    const { status } = await server.send("POST", "/v1/hybrid/ingest", "[]", { "content-type": "text/plain" });
    expect(status).toBe(415);
  });
});

describe("the rest", () => {
  test("DELETE documents by path", async () => {
    await server.send("POST", "/v1/hybrid/ingest?namespace=gone", notes(3));
    const { json } = await server.send("DELETE", "/v1/hybrid/documents", {
      ...{ namespace: "gone", paths: ["ties/001.md", "none.md"] },
    });
    expect(schemas.deleteAnswer.parse(json)).toMatchObject({ removed: 1, missing: ["none.md"] });
    const missing = await server.send("DELETE", "/v1/hybrid/documents", { namespace: "never", paths: ["a"] });
    expect(missing.status).toBe(404);
  });

  test("stats and health", async () => {
    const stats = schemas.statsAnswer.parse((await server.send("GET", "/v1/hybrid/stats")).json);
    expect(stats.namespaces["research"]).toMatchObject({ ntotal: 40, documents: 40, degraded: false });
    const { status, json } = await server.send("GET", "/healthz");
    expect([status, schemas.healthAnswer.parse(json).status]).toStrictEqual([200, "ok"]);
  });

  test("DELETE a namespace", async () => {
    await server.send("POST", "/v1/hybrid/ingest?namespace=short", notes(1));
    expect((await server.send("DELETE", "/v1/namespaces/short")).json).toStrictEqual({
      ...{ namespace: "short", dropped: true },
    });
    expect((await server.send("DELETE", "/v1/namespaces/short")).status).toBe(404);
    expect((await server.send("GET", "/v1/namespaces/short/root")).status).toBe(404);
  });

  test("a receipt of another device is checked", async () => {
    const { receipt } = await query({ query: "number 3", page_size: 3 });
    const path = "/v1/namespaces/research/verify-receipt";
    const same = await server.send("POST", path, receipt);
    expect(schemas.verifyAnswer.parse(same.json)).toMatchObject({ is_same: true, differences: [] });
    const other = await openNamespaces(join(scratchFolder(), "other"), { model: "tiny", workers: 1 });
    const library = await other.get("research");
    await library.add([{ path: "ties/003.md", text: "Number 3 is another here." }]);
    const foreign = (await library.search("number 3")).receipt;
    await other.close();
    const differs = await server.send("POST", path, printReceipt(foreign));
    expect(schemas.verifyAnswer.parse(differs.json)).toMatchObject({ is_same: false });
    const altered = await server.send("POST", path, { ...receipt, query: "other" });
    expect([altered.status, altered.json.error.code]).toStrictEqual([400, "BAD_RECEIPT"]);
  });

  test("unknown paths and methods say what there is", async () => {
    expect(await server.send("GET", "/v1/nothing")).toMatchObject({
      status: 404,
      json: { error: { code: "NOT_FOUND" } },
    });
    const wrong = await server.send("GET", "/v1/hybrid/query");
    expect([wrong.status, wrong.json.error.message]).toStrictEqual([405, expect.stringContaining("POST")]);
  });
});
