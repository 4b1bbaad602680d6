/** Chunks that were made elsewhere, with their vectors inline: over HTTP as in the library. */
import { readdirSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { json as jsonOf } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { type OutsideChunk, open } from "#dist/index.js";
import { queryAnswer } from "#dist/serve/query-schema.js";
import * as schemas from "#dist/serve/schemas.js";
import { draws, sampleChunk, sampleChunks, shuffled, uuidOf } from "../library/outside-sample.ts";
import { type Answer, notes, running } from "./running.ts";

const DIM = 16;
const QUERY = Array.from({ length: DIM }, (_, i) => (i % 5) - 2);
const server = await running({ namespaces: { readers: 1 } });

/** A chunk as the contract's two files have it, in one record. */
function inContractForm({ vector, sparse, bm25, ...chunk }: OutsideChunk): object {
  return {
    ...chunk,
    BM25: bm25,
    SpladeV3: sparse,
    "Qwen3-4B": { vector, model_metadata: { dim: (vector as number[]).length } },
  };
}

const ingest = (address: string, rows: readonly object[]) =>
  server.send("POST", `/v1/hybrid/ingest?${address}`, rows);

async function query(body: object): Promise<Answer> {
  const { status, json } = await server.send("POST", "/v1/hybrid/query", body);
  expect([status, json]).toMatchObject([200, { results: expect.anything() }]);
  return queryAnswer.parse(json);
}

const chunksInto = (namespace: string) => `/v1/hybrid/ingest?namespace=${namespace}&vectors=test`;

describe("chunks with vectors inline", () => {
  test("make a namespace for their vectors, and come back with every field", async () => {
    const chunks = sampleChunks(20, DIM);
    const { status, json } = await ingest("namespace=papers", chunks.map(inContractForm));
    expect([status, schemas.ingestAnswer.parse(json)]).toMatchObject([
      200,
      { received: 20, added: 4, chunks: 20, embedded: 0, rejected: 0, near_duplicates: 0 },
    ]);
    const answer = await query({
      ...{ query: "word7", namespace: "papers", vector: QUERY, weights: { sparse: 1 } },
      sparse: { terms: ["every"], weights: [1] },
    });
    expect([answer.degraded, answer.warnings]).toStrictEqual([false, []]);
    expect(answer.stats.faiss).toStrictEqual({ ntotal: 20, dimension: DIM, index_type: "Flat" });
    const { uuid, doc_id, text, vector, sparse, bm25, ...fields } = sampleChunk(7, DIM);
    const found = answer.results.find(({ vector_id }: Answer) => vector_id === uuid);
    expect(found).toMatchObject({ doc_id, chunk_id: fields.chunk_id, text, metadata: fields });
    expect(answer.fusion_weights).toStrictEqual({ bm25: 0.35, splade: 1, dense: 0.65 });
    expect(found.diagnostics.splade_score).toBeGreaterThan(0);
    expect(JSON.stringify(answer.results)).not.toContain('"vector":'); // no raw vectors of stored data

    // Another device that took the same chunks in another order has the same root, and checks the receipt.
    const other = await open(":memory:", {
      ...{ model: "tiny", namespace: "papers", workers: 1 },
      vectors: { name: "Qwen3-4B", dimension: DIM },
    });
    await other.ingest(shuffled(chunks, 3));
    expect(await other.root()).toBe(json.root);
    expect(await other.verifyReceipt(JSON.stringify(answer.receipt))).toMatchObject({ isSame: true });
    await other.close();
  });

  test("test_rrf_determinism: the same ranking ten times, and the same receipt", async () => {
    const asked = { query: "restore backup word3", namespace: "papers", vector: QUERY, page_size: 20 };
    const first = await query(asked);
    for (let i = 0; i < 10; i++) {
      const again = await query({ ...asked, explain: i % 2 === 0 }); // with another key of the cache
      expect(again.results).toStrictEqual(first.results);
      expect(again.receipt).toStrictEqual(first.receipt);
    }
  });

  test.each([false, true])(
    "test_mmr_diversification: of five near-duplicates one is among the first five (dedupe %s)",
    async (dedupe) => {
      const namespace = `diverse-${dedupe}`;
      const near = draws(4);
      const duplicates = Array.from({ length: 5 }, (_, i) => ({
        ...sampleChunk(i, DIM),
        vector: QUERY.map((value) => value + (near() / 2 ** 32) * 0.2),
      }));
      const others = Array.from({ length: 8 }, (_, i) => {
        const vector = QUERY.map((value, at) => value + (at === i ? 6 : 0) - (at === i + 8 ? 6 : 0));
        return { ...sampleChunk(5 + i, DIM), vector };
      });
      const threshold = dedupe ? "&dedupe_threshold=0.95" : "";
      const added = await ingest(`namespace=${namespace}&vectors=test${threshold}`, [
        ...duplicates,
        ...others,
      ]);
      expect(added.json.near_duplicates).toBe(dedupe ? 4 : 0);
      const { results } = await query({
        ...{ query: "anything", namespace, mode: "semantic", vector: QUERY, page_size: 5 },
        ...{ diversification: true, diversify: { lambda: 0.3 } },
      });
      const vectors = new Map([...duplicates, ...others].map(({ uuid, vector }) => [uuid, vector]));
      const found: number[][] = results.map(({ vector_id }: Answer) => vectors.get(vector_id));
      expect(found).toHaveLength(5);
      for (const [i, a] of found.entries())
        for (const b of found.slice(i + 1)) expect(cosine(a, b)).toBeLessThan(0.9);
    },
  );

  test("test_namespace_isolation: chunks of one namespace are never found in another", async () => {
    for (const [name, from] of [
      ["research", 0],
      ["support", 200],
    ] as const) {
      const chunks = sampleChunks(from + 100, DIM).slice(from);
      expect((await ingest(`namespace=${name}&vectors=test`, chunks)).status).toBe(200);
    }
    for (let i = 0; i < 20; i++) {
      const { results } = await query({
        ...{ query: `word${i} word${200 + i} guide`, namespace: "research", vector: QUERY, page_size: 100 },
      });
      expect(results.length).toBeGreaterThan(0);
      for (const { doc_id, namespace } of results)
        expect([Number(doc_id.slice("docs/d".length)) < 20, namespace]).toStrictEqual([true, "research"]);
    }
  });

  test("without a vector of the query: words alone, with a warning", async () => {
    const answer = await query({ query: "word7", namespace: "papers" });
    expect(answer).toMatchObject({ degraded: true, receipt: { parameters: { mode: "lexical" } } });
    expect(answer.warnings.join()).toContain("no vector of the query");
  });

  test("the name of the model can be in the address, and a vector of nobody knows what is refused", async () => {
    const chunks = sampleChunks(5, DIM);
    const unnamed = await ingest("namespace=unnamed", chunks);
    expect([unnamed.status, unnamed.json.error.hint]).toStrictEqual([
      400,
      expect.stringContaining("?vectors="),
    ]);
    const named = await ingest("namespace=unnamed&vectors=mine", chunks);
    expect(named.json).toMatchObject({ added: 1, chunks: 5 });
    const other = await ingest("namespace=unnamed&vectors=other&dimension=16", chunks);
    expect([other.status, other.json.error.code]).toStrictEqual([409, "CANON_MISMATCH"]);
    const again = await ingest("namespace=unnamed", chunks);
    expect(again.json).toMatchObject({ added: 0, unchanged: 1, chunks: 0 });
  });

  test("without vectors, the server's model embeds them", async () => {
    const { json } = await ingest("namespace=embedded", sampleChunks(5, 0));
    expect(json).toMatchObject({ added: 1, chunks: 5, embedded: 5 });
    const vectors = await ingest("namespace=embedded", sampleChunks(5, DIM));
    expect([vectors.status, vectors.json.error.code]).toStrictEqual([409, "CANON_MISMATCH"]);
  });

  test("are added as a whole: one that is wrong keeps all out, and is named", async () => {
    const before = (await server.send("GET", "/v1/namespaces/papers/root")).json;
    const [a, b, c] = sampleChunks(3, DIM) as [OutsideChunk, OutsideChunk, OutsideChunk];
    const cases: [rows: readonly object[], code: string, words: string][] = [
      [[a, { ...b, vector: [1, 2] }], "BAD_VECTOR", "record 2"],
      [[a, b, { ...c, uuid: "x" }], "BAD_OUTSIDE_DATA", "record 3"],
      [[a, { ...b, uuid: a.uuid }], "BAD_OUTSIDE_DATA", a.uuid.replaceAll("-", "")],
      [[a, { path: "note.md", text: "A document" }], "BAD_OUTSIDE_DATA", "record 2"],
      [[a, { ...b, namespace: "other" }], "BAD_NAMESPACE", "record 2"],
    ];
    for (const [rows, code, words] of cases) {
      const { status, json } = await ingest("namespace=papers", rows);
      expect([status, json.error.code]).toStrictEqual([400, code]);
      expect(json.error.message).toContain(words);
    }
    const lines = `${JSON.stringify(a)}\n{ broken\n`;
    const broken = await server.send("POST", "/v1/hybrid/ingest?namespace=papers", lines, {
      "content-type": "application/x-ndjson",
    });
    expect([broken.status, broken.json.error.code]).toStrictEqual([400, "BAD_JSON"]);
    expect((await server.send("GET", "/v1/namespaces/papers/root")).json).toStrictEqual(before);
  });

  test("documents and chunks do not mix", async () => {
    const texts = await ingest("namespace=papers", notes(2));
    expect(texts.json).toMatchObject({ added: 0, rejected: 2 });
    expect(texts.json.rejections[0].reason).toContain("chunks with their vectors");
    const mixed = await ingest("namespace=mixed", [...notes(1), sampleChunk(0, DIM)]);
    expect(mixed.json).toMatchObject({ added: 1, rejected: 1 });
  });

  test("more than one batch, as lines, while searches are answered", async () => {
    const chunks = sampleChunks(4_500, DIM, 50);
    const body = chunks.map((chunk) => JSON.stringify(inContractForm(chunk))).join("\n");
    const sent = server.send("POST", "/v1/hybrid/ingest?namespace=papers", body, {
      "content-type": "application/x-ndjson",
    });
    const during = await query({ query: "restore", namespace: "papers", vector: QUERY });
    expect(during.results.length).toBeGreaterThan(0);
    expect((await sent).json).toMatchObject({ received: 4_500, chunks: 4_495, added: 86, updated: 4 });
    const after = await query({ query: "word4499", namespace: "papers", mode: "lexical" });
    expect(after.results.map(({ vector_id }: Answer) => vector_id)).toContain(uuidOf(4_499));
    expect(after.stats.faiss.ntotal).toBe(4_500);
  });

  test("a client that stalls in the middle holds neither the namespace nor the place of another", async () => {
    const own = await running({ namespaces: { readers: 1, maxActive: 1 } });
    expect((await own.send("POST", chunksInto("held"), sampleChunks(5, DIM))).status).toBe(200);
    // Two clients send a part, one of them more than fits into memory, and then nothing.
    const large = `x${"y".repeat(1 << 20)}`;
    const stalled = [sampleChunk(5, DIM), { ...sampleChunk(6, DIM), note: large }].map((chunk) =>
      openIngest(own.url, `${JSON.stringify(chunk)}\n${JSON.stringify(sampleChunk(7, DIM))}\n`),
    );
    await Promise.all(stalled.map(({ isSent }) => isSent));
    // Others write to the same namespace and, though only one may be open, use another one.
    const others = sampleChunks(10, DIM).slice(5);
    expect((await own.send("POST", chunksInto("held"), others)).json).toMatchObject({ chunks: 5 });
    expect((await own.send("POST", chunksInto("free"), sampleChunks(5, DIM))).json).toMatchObject({
      chunks: 5,
    });
    // One goes on, and its chunks are written as a whole. The other one leaves, and nothing of it is there.
    stalled[0]!.request.destroy();
    stalled[1]!.request.end(`${JSON.stringify(sampleChunk(8, DIM))}\n`);
    expect(await stalled[1]!.answer).toMatchObject({ received: 3 });
    expect(await stalled[0]!.answer).toBeNull();
    expect(readdirSync(own.data).sort()).toStrictEqual(["namespaces"]);
    await own.close();
  });
});

/** A request whose body is only begun: lines of chunks, and more when the test goes on. */
function openIngest(url: string, begun: string) {
  const request = httpRequest(url + chunksInto("held"), {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
  });
  const answer = new Promise<Answer>((resolve) => {
    request.once("error", () => resolve(null)); // this side has left
    request.once("response", (response) => void jsonOf(response).then(resolve));
  });
  const isSent = new Promise<void>((resolve) => request.write(begun, () => resolve()));
  return { request, answer, isSent };
}

describe("an application that starts the server", () => {
  test("gives it a function for the vectors of queries, and readers use what it gives", async () => {
    const asked: string[] = [];
    const own = await running({
      namespaces: {
        readers: 1,
        vectors: { name: "test", dimension: DIM },
        featureGenerator: async (text: string) => {
          asked.push(text);
          return { vector: QUERY, sparse: { terms: ["every"], weights: [2] } };
        },
      },
    });
    afterAll(() => own.close());
    // New namespaces are made for these vectors, whatever their chunks call them.
    expect((await own.send("POST", "/v1/hybrid/ingest", sampleChunks(10, DIM))).json).toMatchObject({
      chunks: 10,
    });
    const body = { query: 'guide "word3"', weights: { sparse: 0.5 } };
    const { json } = await own.send("POST", "/v1/hybrid/query", body);
    expect(asked).toStrictEqual(["guide word3"]);
    expect(json).toMatchObject({ degraded: false, warnings: [] });
    expect(json.receipt.parameters).toMatchObject({ sparse: { terms: ["every"] } });
    const path = "/v1/namespaces/default/verify-receipt";
    expect((await own.send("POST", path, json.receipt)).json).toMatchObject({ is_same: true });
    expect(asked).toHaveLength(1); // the receipt has all that is needed
    const root = (await own.send("GET", "/v1/namespaces/default/root")).json;
    expect(root.documents).toBe(2);
  });
});

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, each, i) => sum + each * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
