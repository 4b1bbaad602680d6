/** The contract's edge cases (section 9), and what it says of queries without an embedding and of zero vectors. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manifestOf, tinyFiles, tinyTensors, writeSafetensors } from "../model/tiny-model.ts";
import { scratchFolder } from "../store/scratch.ts";
import { type Answer, type Connected, connect, TRANSPORTS, writeFiles } from "./served.ts";

const scratch = scratchFolder();
const MODELS = join(import.meta.dirname, "../../models");
const FILES = {
  "a.md": "# Alpha\n\nThe alpha text has a cache.\n",
  "b.md": "# Beta\n\nThe beta text has another cache, and a ttl.\n",
  "c.md": "# Gamma\n\nThe gamma text has neither.\n",
};
const ids = ({ results }: Answer) => results.map((result: Answer) => result.chunk_id);

function folderWith(name: string, files: Record<string, string>): string {
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, files);
  return folder;
}

describe.each(TRANSPORTS)("over %s", (transport) => {
  let server: Connected;
  beforeAll(async () => {
    server = await connect(transport, folderWith(`notes-${transport}`, FILES), "--model", "tiny");
    await server.call("reindex");
  });
  afterAll(() => server.close());
  const search = (query: string, mode = "hybrid") => server.call("search_rifflux", { query, mode });

  test("an empty lexical list with a semantic one: its order, its ranks", async () => {
    const [hybrid, semantic] = [await search("nowhereatall"), await search("nowhereatall", "semantic")];
    expect(ids(hybrid)).toStrictEqual(ids(semantic));
    expect(hybrid.results.map((result: Answer) => result.score_breakdown)).toStrictEqual(
      [1, 2, 3].map((rank) => ({
        rrf: Math.fround(1 / (60 + rank)),
        lexical_rank: null,
        semantic_rank: rank,
      })),
    );
  });

  test("both lists empty: no results, no error", async () => {
    for (const query of ["", "   ", "!?", "-cache", "—"]) {
      for (const mode of ["hybrid", "semantic", "lexical"]) {
        const answer = await search(query, mode);
        expect([query, mode, answer.count, answer.results]).toStrictEqual([query, mode, 0, []]);
      }
    }
  });

  test("a chunk of both lists stands there once, with both ranks", async () => {
    const { results } = await search("cache ttl");
    expect(new Set(ids({ results })).size).toBe(results.length);
    const both = results.filter(
      ({ score_breakdown: { lexical_rank, semantic_rank } }: Answer) =>
        lexical_rank !== null && semantic_rank !== null,
    );
    expect(both).toHaveLength(2);
  });

  test("the example of section 9: rrf(c2) = 1/(k+2) + 1/(k+1)", async () => {
    const [lexical, semantic, hybrid] = [
      await search("cache ttl", "lexical"),
      await search("cache ttl", "semantic"),
      await search("cache ttl"),
    ];
    for (const { chunk_id, score_breakdown } of hybrid.results) {
      const [l, s] = [ids(lexical).indexOf(chunk_id) + 1, ids(semantic).indexOf(chunk_id) + 1];
      const expected = (l === 0 ? 0 : 1 / (60 + l)) + (s === 0 ? 0 : 1 / (60 + s));
      expect(score_breakdown.rrf).toBeCloseTo(expected, 8);
    }
  });

  test("queries that FTS5 would read as syntax are only words", async () => {
    for (const query of [
      '"',
      "a OR",
      "NEAR(",
      "text:alpha",
      "col : *",
      "'; DROP TABLE chunks; --",
      "{a b}",
      "^x",
      "\0",
    ]) {
      const answer = await search(query);
      expect([answer.query, answer.count]).toStrictEqual([query, answer.results.length]);
    }
    expect((await server.call("library_status")).library.documents).toBe(3);
  });
});

describe.each(TRANSPORTS)("without the model's weights, over %s", (transport) => {
  let server: Connected;
  beforeAll(async () => {
    const folder = folderWith(`weightless-${transport}`, FILES);
    const models = join(scratch, `models-${transport}`);
    cpSync(join(MODELS, "tiny"), join(models, "tiny"), { recursive: true });
    cpSync(join(MODELS, "tiny.json"), join(models, "tiny.json"));
    const maker = await connect("stdio", folder, "--model", "tiny");
    await maker.call("reindex");
    await maker.close();
    rmSync(join(models, "tiny/model.safetensors"));
    server = await connect(transport, folder, "--model", pathToFileURL(join(models, "tiny.json")).href);
  });
  afterAll(() => server.close());

  test("SEM-001, AC-004: semantic search is empty and no error, and a warning stands beside the answer", async () => {
    const asked = { name: "search_rifflux", arguments: { query: "cache ttl", mode: "semantic", top_k: 5 } };
    const { isError, structuredContent, _meta } = (await server.client.callTool(asked)) as Answer;
    expect([isError, structuredContent.results, structuredContent.count]).toStrictEqual([undefined, [], 0]);
    expect(_meta["selfsame/warnings"]).toStrictEqual([
      expect.stringContaining("the query could not be embedded"),
    ]);
  });

  test("an empty semantic list with a lexical one: hybrid is the lexical list", async () => {
    const [hybrid, lexical] = [
      await server.call("search_rifflux", { query: "cache ttl" }),
      await server.call("search_rifflux", { query: "cache ttl", mode: "lexical" }),
    ];
    expect(lexical.count).toBe(2);
    expect(ids(hybrid)).toStrictEqual(ids(lexical));
    expect(hybrid.results.map((result: Answer) => result.score_breakdown)).toStrictEqual(
      [1, 2].map((rank) => ({ rrf: Math.fround(1 / (60 + rank)), lexical_rank: rank, semantic_rank: null })),
    );
  });
});

test("SEM-002: where every vector is zero, the query's too, each cosine is 0 and nothing fails", async () => {
  const zeros = writeSafetensors(
    [...tinyTensors()].map(([name, tensor]) => [
      name,
      { ...tensor, bytes: new Uint8Array(tensor.bytes.length) },
    ]),
  );
  const files = { ...tinyFiles, weights: zeros };
  const models = join(scratch, "zero-model");
  mkdirSync(models);
  writeFileSync(join(models, "test.safetensors"), files.weights);
  writeFileSync(join(models, "test-tokenizer.json"), files.tokenizer);
  writeFileSync(join(models, "zero.json"), JSON.stringify(manifestOf(files, { name: "zero" })));
  const url = pathToFileURL(join(models, "zero.json")).href;
  const server = await connect("stdio", folderWith("zero", FILES), "--model", url);
  expect((await server.call("reindex")).embedding_model).toBe("zero");
  const { results } = await server.call("search_rifflux", { query: "cache", mode: "semantic" });
  expect(results.map((result: Answer) => result.score_breakdown)).toStrictEqual([
    { cosine: 0 },
    { cosine: 0 },
    { cosine: 0 },
  ]);
  expect((await server.call("search_rifflux", { query: "cache" })).count).toBe(3);
  await server.close();
});
