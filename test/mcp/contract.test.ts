/** The Rifflux search contract, by the ids of its requirements, with the real model, through the SDK's client. */
import { join } from "node:path";
import { loadModel, type Model } from "selfsame/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toHex } from "#dist/engine/digest.js";
import { openDatabase } from "#dist/store/open.node.js";
import { compareUtf8 } from "#dist/text/utf8-order.js";
import { scratchFolder } from "../store/scratch.ts";
import { CORPUS, QUERIES } from "./corpus.ts";
import { type Answer, type Connected, connect, TRANSPORTS, writeFiles } from "./served.ts";

const folder = scratchFolder();
const db = join(folder, ".selfsame/library.db");
const MODES = ["hybrid", "semantic", "lexical"] as const;
const TOP_KEYS = ["query", "mode", "count", "embedding_model", "results"];
const RESULT_KEYS = ["chunk_id", "path", "heading_path", "chunk_index", "content", "score_breakdown"];
const BREAKDOWN_KEYS = {
  lexical: ["bm25"],
  semantic: ["cosine"],
  hybrid: ["rrf", "lexical_rank", "semantic_rank"],
};
const ids = ({ results }: Answer): string[] => results.map((result: Answer) => result.chunk_id);

let model: Model;

beforeAll(async () => {
  writeFiles(folder, CORPUS);
  const server = await connect("stdio", folder);
  const report = await server.call("reindex");
  expect(report).toStrictEqual({
    indexed_files: Object.keys(CORPUS).length,
    skipped_files: 0,
    embedding_model: "all-MiniLM-L6-v2",
    embedding_backend: expect.stringMatching(/^wasm-(simd|soft|scalar)$/),
  });
  await server.close();
  ({ model } = await loadModel());
});

/** A list's score for rank r, as the contract has it, in the binary32 that scores are kept in. */
const share = (rank: number | null, k = 60) => (rank === null ? 0 : Math.fround(1 / Math.fround(k + rank)));

interface Row {
  readonly chunkId: string;
  readonly path: string;
  readonly sequence: number;
  readonly text: string;
}

/** What the library's file holds, read past the library. */
async function storedChunks(): Promise<Row[]> {
  const database = await openDatabase(db);
  try {
    return database
      .all<{ chunkId: Uint8Array; path: string; sequence: number; text: string }>(
        "SELECT chunkId, path, sequence, text FROM chunks JOIN documents USING (documentId)",
      )
      .map((row) => ({ ...row, chunkId: toHex(row.chunkId) }));
  } finally {
    database.close();
  }
}

describe.each(TRANSPORTS)("over %s", (transport) => {
  let server: Connected;
  beforeAll(async () => {
    server = await connect(transport, folder);
  });
  afterAll(() => server.close());
  const search = (query: string, args: Record<string, unknown> = {}): Promise<Answer> =>
    server.call("search_rifflux", { query, ...args });

  test("REQ-001: the modes are lexical, semantic and hybrid, and no other", async () => {
    for (const mode of MODES) expect((await search("cache", { mode })).mode).toBe(mode);
    expect((await search("cache")).mode).toBe("hybrid");
    for (const mode of ["keyword", "LEXICAL", "", null]) {
      const { text } = await server.refusal("search_rifflux", { query: "cache", mode });
      expect(text).toContain("mode");
    }
  });

  test("REQ-002, LEX-001, LEX-002: lexical results are those of FTS5's MATCH, in the order of its bm25", async () => {
    const database = await openDatabase(db);
    try {
      for (const [query, match] of [
        ["cache ttl", '"cache" OR "ttl"'],
        ["note", '"note"'],
        ["zanzibar", '"zanzibar"'],
      ] as const) {
        const { results } = await search(query, { mode: "lexical", top_k: 1000 });
        const rows = database.all<{ chunkId: Uint8Array; bm25: number }>(
          `SELECT chunkId, bm25(search) AS bm25 FROM search JOIN chunks ON chunks.chunk = search.rowid
           JOIN documents USING (documentId) WHERE search MATCH ? ORDER BY bm25(search), path, sequence`,
          [match],
        );
        expect(rows.length).toBeGreaterThan(0);
        expect(
          results.map(({ chunk_id, score_breakdown }: Answer) => [chunk_id, score_breakdown]),
        ).toStrictEqual(rows.map(({ chunkId, bm25 }) => [toHex(chunkId), { bm25 }]));
      }
      expect((await search("nowhereatall", { mode: "lexical" })).results).toStrictEqual([]);
    } finally {
      database.close();
    }
  });

  test("REQ-003, SEM-003: semantic results are by cosine to the query, descending, and owe nothing to words", async () => {
    const stored = await storedChunks();
    for (const query of ["how do I grow vegetables?", "xylophone"]) {
      const asked = model.embed(query).vector;
      const expected = stored
        .map(({ chunkId, text }) => ({ chunkId, cosine: dot(asked, model.embed(text).vector) / 32767 ** 2 }))
        .sort((a, b) => b.cosine - a.cosine || compareUtf8(a.chunkId, b.chunkId));
      const { results } = await search(query, { mode: "semantic", top_k: 1000 });
      expect(results.map(({ score_breakdown }: Answer) => score_breakdown.cosine)).toStrictEqual(
        expected.map(({ cosine }) => cosine),
      );
      expect(ids({ results })).toStrictEqual(expected.map(({ chunkId }) => chunkId));
    }
    expect((await search("how do I grow vegetables?", { mode: "semantic", top_k: 1 })).results[0].path).toBe(
      "garden.md",
    );
  });

  test("REQ-004, REQ-006, RRF-001, RRF-003, RRF-004, AC-007: hybrid is RRF over the first top_k * 2 of both lists", async () => {
    let differsFromAverages = 0;
    for (const query of QUERIES) {
      for (const top_k of [1, 3, 10]) {
        const [lexical, semantic, hybrid] = await Promise.all([
          search(query, { mode: "lexical", top_k: 2 * top_k }),
          search(query, { mode: "semantic", top_k: 2 * top_k }),
          search(query, { mode: "hybrid", top_k }),
        ]);
        const rankIn = (answer: Answer, id: string) => ids(answer).indexOf(id) + 1 || null;
        const rows = new Map(
          [...lexical.results, ...semantic.results].map((result: Answer) => [result.chunk_id, result]),
        );
        const fused = [...rows.values()]
          .map((row) => {
            const lexical_rank = rankIn(lexical, row.chunk_id);
            const semantic_rank = rankIn(semantic, row.chunk_id);
            const rrf = Math.fround(share(semantic_rank) + share(lexical_rank));
            return { row, score_breakdown: { rrf, lexical_rank, semantic_rank } };
          })
          .sort(
            (a, b) =>
              b.score_breakdown.rrf - a.score_breakdown.rrf ||
              compareUtf8(a.row.path, b.row.path) ||
              a.row.chunk_index - b.row.chunk_index,
          )
          .slice(0, top_k);
        expect(hybrid.results).toStrictEqual(
          fused.map(({ row, score_breakdown }) => ({ ...row, score_breakdown })),
        );
        differsFromAverages +=
          averaged(lexical, semantic).slice(0, top_k).join() === ids(hybrid).join() ? 0 : 1;
      }
    }
    // Were raw scores averaged instead, most of these would stand in another order.
    expect(differsFromAverages).toBeGreaterThan(QUERIES.length);
  });

  test("REQ-005, CON-002: results have exactly the contract's keys, by mode", async () => {
    for (const mode of MODES) {
      const answer = await search("note", { mode, top_k: 5 });
      expect(Object.keys(answer)).toStrictEqual(TOP_KEYS);
      expect(answer.results).toHaveLength(5);
      for (const result of answer.results) {
        expect(Object.keys(result)).toStrictEqual(RESULT_KEYS);
        expect(Object.keys(result.score_breakdown)).toStrictEqual(BREAKDOWN_KEYS[mode]);
        expect(result.chunk_id).toMatch(/^[0-9a-f]{32}$/);
        expect(Number.isInteger(result.chunk_index)).toBe(true);
      }
    }
  });

  test("section 4.2: chunk_index counts from 0 in each file, heading_path is a breadcrumb, path is relative", async () => {
    const { results } = await search("note", { mode: "semantic", top_k: 1000 });
    const stored = await storedChunks();
    expect(results).toHaveLength(stored.length);
    for (const path of Object.keys(CORPUS)) {
      const indexes = results
        .filter((result: Answer) => result.path === path)
        .map((result: Answer) => result.chunk_index)
        .sort((a: number, b: number) => a - b);
      expect(indexes, path).toStrictEqual(indexes.map((_: number, i: number) => i));
      expect(indexes.length).toBeGreaterThan(0);
    }
    const policies = results.find((result: Answer) => result.path === "deep/cache/policies.md");
    expect(policies.heading_path).toBe("Policies > Eviction");
  });

  test("REQ-006: the candidates of each list are top_k * 2, where there are so many", async () => {
    const { explanation } = await server.call("search", {
      query: "note",
      top_k: 4,
      options: { preset: "rifflux", explain: true },
    });
    expect([explanation.semantic.length, explanation.lexical.length]).toStrictEqual([8, 8]);
    const ranks: number[] = [];
    for (const query of [...QUERIES, "a note on the network", "bread in case 3", "rain and sun"]) {
      for (const { score_breakdown } of (await search(query, { top_k: 3 })).results) {
        ranks.push(score_breakdown.lexical_rank ?? 0, score_breakdown.semantic_rank ?? 0);
      }
    }
    // Some results owe their place to a rank beyond top_k, none to one beyond twice that.
    expect(Math.max(...ranks)).toBeGreaterThan(3);
    expect(Math.max(...ranks)).toBeLessThanOrEqual(6);
  });

  test("REQ-007, AC-005: never more than top_k, and as many if there are", async () => {
    const total = (await storedChunks()).length;
    for (const mode of MODES) {
      for (const top_k of [1, 2, 7, 50, 1_000_000]) {
        const { count, results } = await search("note", { mode, top_k });
        expect(count).toBe(results.length);
        if (mode === "semantic") expect(count).toBe(Math.min(top_k, total));
        else expect(count).toBeLessThanOrEqual(top_k);
      }
    }
    expect((await search("note")).count).toBe(10);
    for (const top_k of [0, -1, 1.5, "5", null]) {
      expect((await server.refusal("search_rifflux", { query: "note", top_k })).text).toContain("top_k");
    }
  });

  test("CON-003: a chunk of both lists has the metadata of its one row", async () => {
    for (const query of QUERIES) {
      for (const result of (await search(query)).results) {
        const { chunk_id, heading_path, chunk_index, content, document } = await server.call("get_chunk", {
          chunk_id: result.chunk_id,
        });
        expect([
          result.chunk_id,
          result.path,
          result.heading_path,
          result.chunk_index,
          result.content,
        ]).toStrictEqual([chunk_id, document.path, heading_path, chunk_index, content]);
      }
      const both = ids(await search(query));
      expect(new Set(both).size).toBe(both.length);
    }
  });

  test("AC-001: lexical results carry bm25, below zero, and nothing of the other modes", async () => {
    const { results } = await search("cache ttl", { mode: "lexical" });
    expect(results.length).toBeGreaterThan(0);
    for (const { score_breakdown } of results) {
      expect(Object.keys(score_breakdown)).toStrictEqual(["bm25"]);
      expect(score_breakdown.bm25).toBeLessThan(0);
    }
  });

  test("AC-002: semantic results carry their cosine", async () => {
    const { results } = await search("cache ttl", { mode: "semantic" });
    expect(results).toHaveLength(10);
    for (const { score_breakdown } of results) {
      expect(Object.keys(score_breakdown)).toStrictEqual(["cosine"]);
      expect(Math.abs(score_breakdown.cosine)).toBeLessThanOrEqual(1.0001);
    }
  });

  test("AC-003: hybrid results carry rrf and both ranks, null where a list lacks the chunk", async () => {
    const { results } = await search("zanzibar");
    expect(results[0].path).toBe("deep/zanzibar.txt");
    expect(results[0].score_breakdown).toStrictEqual({
      rrf: Math.fround(2 * share(1)),
      lexical_rank: 1,
      semantic_rank: 1,
    });
    for (const { score_breakdown } of results.slice(1)) {
      expect(score_breakdown.lexical_rank).toBe(null);
      expect(score_breakdown.rrf).toBe(share(score_breakdown.semantic_rank));
    }
  });

  test("AC-006: the answer has the query as it was asked, mode, count, model and results", async () => {
    const query = "  Ça va?\r\ncache ";
    const answer = await search(query, { top_k: 3, mode: "semantic", db_path: null });
    expect(answer).toStrictEqual({
      query,
      mode: "semantic",
      count: 3,
      embedding_model: "all-MiniLM-L6-v2",
      results: expect.any(Array),
    });
    expect(answer.results).toHaveLength(3);
  });

  test("the tools say the contract's inputs and outputs in their schemas", async () => {
    const { tools } = await server.client.listTools();
    const tool = (name: string): Answer => tools.find((each) => each.name === name);
    expect(Object.keys(tool("search_rifflux").inputSchema.properties)).toStrictEqual([
      "db_path",
      "query",
      "top_k",
      "mode",
    ]);
    expect(tool("search_rifflux").inputSchema.required).toStrictEqual(["query"]);
    expect(tool("search_rifflux").outputSchema.required).toStrictEqual(TOP_KEYS);
    expect(tool("search_rifflux").outputSchema.properties.results.items.required).toStrictEqual(RESULT_KEYS);
    expect(Object.keys(tool("reindex").inputSchema.properties)).toStrictEqual(["path", "paths", "force"]);
    expect(tool("reindex").inputSchema.required ?? []).toStrictEqual([]);
    expect(tool("reindex").outputSchema.required).toStrictEqual([
      "indexed_files",
      "skipped_files",
      "embedding_model",
      "embedding_backend",
    ]);
  });
});

test("RRF-002: k is 60 unless the server was started with another", async () => {
  for (const [k, args] of [
    [60, []],
    [10, ["--rrf-k", "10"]],
  ] as const) {
    const server = await connect("stdio", folder, ...args);
    const { results } = await server.call("search_rifflux", { query: "zanzibar", top_k: 5 });
    for (const { score_breakdown } of results) {
      const { rrf, lexical_rank, semantic_rank } = score_breakdown;
      expect(rrf).toBe(Math.fround(share(semantic_rank, k) + share(lexical_rank, k)));
    }
    expect(results[0].score_breakdown.rrf).toBe(Math.fround(2 * Math.fround(1 / (k + 1))));
    await server.close();
  }
});

function dot(a: Int16Array, b: Int16Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/** What an average of raw scores, made comparable by their ranges, would give. */
function averaged(lexical: Answer, semantic: Answer): string[] {
  const scores = new Map<string, number>();
  const add = (results: Answer[], score: (breakdown: Answer) => number) => {
    const all = results.map(({ score_breakdown }) => score(score_breakdown));
    const [low, high] = [Math.min(...all), Math.max(...all)];
    for (const [i, { chunk_id }] of results.entries()) {
      const relative = high === low ? 1 : (all[i]! - low) / (high - low);
      scores.set(chunk_id, (scores.get(chunk_id) ?? 0) + relative / 2);
    }
  };
  add(lexical.results, ({ bm25 }) => -bm25);
  add(semantic.results, ({ cosine }) => cosine);
  return [...scores].sort(([a, x], [b, y]) => y - x || compareUtf8(a, b)).map(([id]) => id);
}
