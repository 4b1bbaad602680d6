import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Library, type OpenOptions, open } from "#dist/index.js";
import { scratchFolder } from "../store/scratch.ts";
import { sampleChunk, sampleChunks, shuffled, uuidOf } from "./outside-sample.ts";

const folder = scratchFolder();
const DIM = 16;
const EXTERNAL: OpenOptions = { model: "tiny", vectors: { name: "test model", dimension: DIM } };
const opened: Library[] = [];
afterAll(() => Promise.all(opened.map((library) => library.close())));

async function made(options: OpenOptions = EXTERNAL, name = ":memory:"): Promise<Library> {
  const library = await open(name, options);
  opened.push(library);
  return library;
}

const problems = async (library: Library) =>
  (await library.check()).findings.filter(({ verdict }) => verdict !== "ok");
const hex = (uuid: string) => uuid.replaceAll("-", "");
const roots = async (library: Library) => [await library.root(), await library.metadataRoot()];

describe("outside chunks", () => {
  test("come back with every field, under their own ids, in the order of their document", async () => {
    const library = await made();
    const report = await library.ingest(shuffled(sampleChunks(10, DIM), 1));
    expect(report).toMatchObject({ added: 2, updated: 0, unchanged: 0, chunks: 10, embedded: 0 });
    const chunks = await library.chunks("docs/d1");
    expect(chunks.map(({ chunkId }) => chunkId)).toEqual([5, 6, 7, 8, 9].map((i) => hex(uuidOf(i))));
    const { uuid, doc_id, text, vector, sparse, bm25, ...fields } = sampleChunk(5, DIM);
    expect(chunks[0]).toMatchObject({ text, tokens: 21, fields, start: 0, line: 1 });
    const document = await library.document("docs/d1");
    expect(document!.metadata).toEqual({ channel: "papers" });
    for (const { start, end, text: part, line } of chunks) {
      expect(Buffer.from(document!.text).subarray(start, end).toString()).toBe(part);
      expect(document!.text.split("\n")[line - 1]).toBe(part);
    }
    expect(await problems(library)).toEqual([]);
    expect(await library.stats()).toMatchObject({ outsideChunks: 10, outsideVectors: 10, sparseVectors: 10 });
  });

  test("give the same roots whatever the order, the batches and the detours", async () => {
    const wanted = sampleChunks(40, DIM);
    const straight = await made();
    await straight.ingest(wanted);
    const detour = await made();
    await detour.ingest(sampleChunks(60, DIM).map((chunk) => ({ ...chunk, text: `${chunk.text} once` })));
    await detour.remove(["docs/d9", "docs/d10", "docs/d11"]);
    for (const number of shuffled([0, 1, 2, 3, 4, 5, 6, 7], 3))
      await detour.ingest(shuffled(wanted.slice(5 * number, 5 * number + 5), number));
    await detour.remove(["docs/d8"]);
    expect(await roots(detour)).toEqual(await roots(straight));
    expect(await problems(detour)).toEqual([]);
    await detour.compact();
    expect(await problems(detour)).toEqual([]);
    expect(await straight.diff(detour)).toEqual([]);
  });

  test("the root covers vectors and sparse weights, the metadata root fields and BM25", async () => {
    const chunk = sampleChunk(0, DIM);
    const of = async (changed: object) => {
      const library = await made();
      await library.ingest([{ ...chunk, ...changed }]);
      return roots(library);
    };
    const [root, metadataRoot] = await of({});
    const sparse = { terms: ["every"], weights: [0.5] };
    for (const changed of [{ vector: sampleChunk(1, DIM).vector! }, { sparse }, { text: "other" }])
      expect((await of(changed))[0]).not.toBe(root);
    for (const changed of [{ channel: "else" }, { bm25: { terms: ["x"], weights: [1] } }]) {
      expect((await of(changed))[0]).toBe(root);
      expect((await of(changed))[1]).not.toBe(metadataRoot);
    }
  });

  test("an ingest replaces the chunks of its documents; a chunk may move to another document", async () => {
    const library = await made();
    await library.ingest(sampleChunks(10, DIM));
    const moved = { ...sampleChunk(7, DIM), doc_id: "docs/d0" };
    const report = await library.ingest([sampleChunk(0, DIM), moved]);
    expect(report).toMatchObject({ added: 0, chunks: 1 });
    expect((await library.chunks("docs/d0")).map(({ chunkId }) => chunkId)).toEqual(
      [0, 7].map((i) => hex(uuidOf(i))),
    );
    expect(await library.chunks("docs/d1")).toHaveLength(4);
    expect(await problems(library)).toEqual([]);
    expect(await library.ingest([sampleChunk(0, DIM), moved])).toMatchObject({ unchanged: 1, chunks: 0 });
  });

  test("in a library of the model, their texts are embedded; own documents stand beside them", async () => {
    const library = await made({ model: "tiny" });
    await library.add([{ path: "own.md", text: "# Own\n\nA text of its own." }]);
    const report = await library.ingest(sampleChunks(5, 0));
    expect(report).toMatchObject({ added: 1, chunks: 5, embedded: 5 });
    const { results } = await library.search("word3 restore", { mode: "semantic" });
    expect(results.some(({ path }) => path === "docs/d0")).toBe(true);
    expect(await problems(library)).toEqual([]);
    await library.add([{ path: "docs/d0", text: "replaced" }]);
    expect(await library.chunks("docs/d0")).toHaveLength(1);
    expect(await problems(library)).toEqual([]);
  });
});

describe("refused, and nothing is changed:", () => {
  const nan = { vector: [Number.NaN, ...new Array(DIM - 1).fill(1)] };
  test.each<[string, object, string, RegExp]>([
    ["no vector", { vector: null }, "BAD_OUTSIDE_DATA", /vector of 16 numbers/],
    ["another dimension", { vector: [1, 2] }, "BAD_VECTOR", /16 numbers, got 2/],
    ["NaN", nan, "BAD_VECTOR", /finite/],
    ["an infinite number", { vector: new Array(DIM).fill(Number.POSITIVE_INFINITY) }, "BAD_VECTOR", /finite/],
    ["no UUID", { uuid: "x" }, "BAD_OUTSIDE_DATA", /32 hexadecimal digits/],
    ["no path", { doc_id: "../up" }, "BAD_OUTSIDE_DATA", /doc_id/],
    ["a text that is none", { text: 5 }, "BAD_OUTSIDE_DATA", /text/],
    ["a lone surrogate", { text: "\ud800" }, "BAD_OUTSIDE_DATA", /surrogate/],
    ["a term twice", { sparse: { terms: ["a", "a"], weights: [1, 2] } }, "BAD_OUTSIDE_DATA", /once/],
    ["a negative weight", { sparse: { terms: ["a"], weights: [-1] } }, "BAD_VECTOR", /from 0/],
    ["lists of two lengths", { sparse: { terms: ["a"], weights: [] } }, "BAD_OUTSIDE_DATA", /equal length/],
    ["a UUID again with another text", { uuid: uuidOf(1) }, "BAD_OUTSIDE_DATA", /second time/],
  ])("%s", async (_name, changed, code, message) => {
    const library = await made();
    await library.ingest([sampleChunk(9, DIM)]);
    const before = await roots(library);
    const bad = [sampleChunk(1, DIM), { ...sampleChunk(2, DIM), ...changed }];
    await expect(library.ingest(bad)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    await expect(library.ingest(bad)).rejects.toThrow(/record 2/);
    expect(await roots(library)).toEqual(before);
    expect(await library.chunks("docs/d0")).toEqual([]);
  });

  test("texts in a library of external vectors, and vectors in one of the model", async () => {
    const external = await made();
    await expect(external.add([{ path: "a.md", text: "a" }])).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    const own = await made({ model: "tiny" });
    await expect(own.ingest([sampleChunk(0, DIM)])).rejects.toMatchObject({ code: "BAD_OUTSIDE_DATA" });
  });
});

describe("the source of vectors", () => {
  test("is remembered, and part of the canon", async () => {
    const path = join(folder, "source.db");
    const library = await open(path, EXTERNAL);
    await library.ingest([sampleChunk(0, DIM)]);
    const { canon, canonParts } = library;
    expect(canonParts.vectors).toBe("external 16 test model");
    await library.close();
    const again = await open(path, { model: "tiny" });
    expect(again.canon).toBe(canon);
    expect(await problems(again)).toEqual([]);
    await again.close();
    const other = open(path, { model: "tiny", vectors: { name: "test model", dimension: 24 } });
    await expect(other).rejects.toMatchObject({ code: "CANON_MISMATCH" });
    const own = await made({ model: "tiny" });
    expect((await made({ model: "tiny", vectors: "model", dedupeThreshold: null })).canon).toBe(own.canon);
  });

  test.each([7, 12, 4104, 0, -8, 8.5])("of dimension %s is refused", async (dimension) => {
    await expect(open(":memory:", { vectors: { name: "x", dimension } })).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
    });
  });

  test("2,560 and 4,096 numbers work", async () => {
    for (const dimension of [2560, 4096]) {
      const library = await made({
        model: "tiny",
        vectors: { name: "Qwen3-4B", dimension },
        featureGenerator: () => ({ vector: sampleChunk(3, dimension).vector! }),
      });
      await library.ingest(sampleChunks(6, dimension));
      const { results, warnings } = await library.search("anything", { mode: "semantic", topK: 1 });
      expect([results[0]!.chunkId, warnings]).toEqual([hex(uuidOf(3)), []]);
      expect(results[0]!.closeness).toBeNull(); // the words are those of the package's models
    }
  });

  test("without a vector of the query, words are searched with a warning; zeros are similar to nothing", async () => {
    const library = await made();
    await library.ingest([
      ...sampleChunks(5, DIM),
      { ...sampleChunk(5, DIM), vector: new Array(DIM).fill(0) },
    ]);
    const { results, warnings } = await library.search("word3");
    expect(results[0]!.chunkId).toBe(hex(uuidOf(3)));
    expect(warnings).toEqual([
      expect.stringContaining("no vector of the query, so only words were searched"),
    ]);
  });

  test("a vector that changes is found at once, by this connection and another", async () => {
    const path = join(folder, "changed.db");
    let query: number[] = [];
    const options = { ...EXTERNAL, featureGenerator: () => ({ vector: query }) };
    const [one, other] = [await made(options, path), await made(options, path)];
    await one.ingest(sampleChunks(20, DIM));
    query = [...(sampleChunk(4, DIM).vector as number[])];
    const best = async (library: Library) =>
      (await library.search("q", { mode: "semantic", topK: 1 })).results[0]!.chunkId;
    expect([await best(one), await best(other)]).toEqual([hex(uuidOf(4)), hex(uuidOf(4))]);
    const swapped = [0, 1, 2, 3, 4].map((i) => ({
      ...sampleChunk(i, DIM),
      vector: sampleChunk(4 - i, DIM).vector!,
    }));
    await one.ingest(swapped);
    expect([await best(one), await best(other)]).toEqual([hex(uuidOf(0)), hex(uuidOf(0))]);
  });
});

describe("near-duplicates", () => {
  const near = (number: number, of: number) => ({
    ...sampleChunk(number, DIM),
    vector: (sampleChunk(of, DIM).vector as number[]).map((value, i) => value + (i === 0 ? 0.001 : 0)),
  });

  test("are stored, reported and not ranked, as a function of the set", async () => {
    const options = { ...EXTERNAL, dedupeThreshold: 0.95 };
    const chunks = [...sampleChunks(10, DIM), ...[10, 11, 12].map((i) => near(i, 3))];
    const close = [3, 10, 11, 12].map((i) => hex(uuidOf(i))).sort();
    const library = await made(options);
    const { duplicates } = await library.ingest(chunks);
    expect(duplicates).toEqual(close.slice(1));
    const other = await made(options);
    for (const chunk of shuffled(chunks, 5)) await other.ingest([{ ...chunk, doc_id: chunk.uuid }]);
    const apart = await made(options);
    expect(
      (await apart.ingest(chunks.map((chunk) => ({ ...chunk, doc_id: chunk.uuid })))).duplicates,
    ).toEqual(close.slice(1));
    expect(await roots(other)).toEqual(await roots(apart));
    const found = await library.search("word10 word11 word12 word3", { mode: "lexical", topK: 20 });
    expect(found.results.filter(({ chunkId }) => close.slice(1).includes(chunkId))).toEqual([]);
    expect(await library.stats()).toMatchObject({ chunks: 13, duplicates: 3 });
    expect(await problems(library)).toEqual([]);
    const first = chunks.find(({ uuid }) => hex(uuid) === close[0])!;
    await apart.remove([first.uuid]);
    expect(await apart.stats()).toMatchObject({ chunks: 12, duplicates: 2 });
    expect(await problems(apart)).toEqual([]);
  });
});
