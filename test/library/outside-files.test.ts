import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { parquetWriteFile } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type IngestOptions,
  type Library,
  type OpenOptions,
  type OutsideChunk,
  open,
  vectorsOfFiles,
} from "#dist/index.js";
import { scratchFolder } from "../store/scratch.ts";
import { sampleChunks, shuffled } from "./outside-sample.ts";

const folder = scratchFolder();
const DIM = 16;
const EXTERNAL: OpenOptions = { model: "tiny", vectors: { name: "Qwen3-4B", dimension: DIM } };
const IS_LONG = import.meta.env.MODE === "long";
const opened: Library[] = [];
afterAll(() => Promise.all(opened.map((library) => library.close())));

async function made(options: OpenOptions = EXTERNAL, name = ":memory:"): Promise<Library> {
  const library = await open(name, options);
  opened.push(library);
  return library;
}

const roots = async (library: Library) => [await library.root(), await library.metadataRoot()];

/** The two lines of a record in the contract's files. */
function lines({ vector, sparse, bm25, ...chunk }: OutsideChunk): [chunk: object, vector: object] {
  const dense = {
    vector: Array.from(vector ?? [], Math.fround),
    model_metadata: { dim: vector?.length ?? 0 },
  };
  return [chunk, { uuid: chunk.uuid, BM25: bm25, SpladeV3: sparse, "Qwen3-4B": dense }];
}

const jsonl = (objects: readonly object[]) => `${objects.map((each) => JSON.stringify(each)).join("\n")}\n`;
const CHUNKS = sampleChunks(30, DIM).map((chunk) => ({
  ...chunk,
  vector: Array.from(chunk.vector as number[], Math.fround),
}));
const PAIRS = CHUNKS.map(lines);
const file = (name: string, contents: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
};
const chunkFile = file("all.chunk.jsonl", jsonl(PAIRS.map(([chunk]) => chunk)));
const vectorFile = file("all.vectors.jsonl", jsonl(PAIRS.map(([, vector]) => vector)));
const parquet = join(folder, "duckdb.vectors.parquet");
let expected: string[] = [];

beforeAll(async () => {
  const library = await made();
  await library.ingest(CHUNKS);
  expected = await roots(library);
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const weighted = "STRUCT(terms VARCHAR[], weights DOUBLE[])";
  const columns = `{uuid: 'VARCHAR', BM25: '${weighted}', SpladeV3: '${weighted}', "Qwen3-4B": 'STRUCT(vector FLOAT[], model_metadata STRUCT(dim BIGINT))'}`;
  for (const [name, how] of [
    ["duckdb", "COMPRESSION zstd"],
    ["snappy", "COMPRESSION snappy, ROW_GROUP_SIZE 2048"],
    ["v2", "COMPRESSION gzip, PARQUET_VERSION v2"],
  ])
    await connection.run(
      `COPY (SELECT * FROM read_json('${vectorFile}', columns = ${columns})) TO '${join(folder, `${name}.vectors.parquet`)}' (FORMAT parquet, ${how})`,
    );
});

async function ingested(
  chunks: string,
  vectors: readonly string[],
  options: IngestOptions = {},
): Promise<string[]> {
  const library = await made();
  await library.ingest({ chunks, vectors }, options);
  return roots(library);
}

describe("files", () => {
  test.each([
    ["JSONL", () => vectorFile],
    ["Parquet by DuckDB, zstd", () => parquet],
    ["Parquet by DuckDB, snappy", () => join(folder, "snappy.vectors.parquet")],
    ["Parquet by DuckDB, version 2, gzip", () => join(folder, "v2.vectors.parquet")],
    ["gzip", () => file("packed.vectors.jsonl.gz", gzipSync(readFileSync(vectorFile)))],
  ])("give the same library: %s", async (_name, vectors) => {
    expect(await ingested(chunkFile, [vectors()])).toEqual(expected);
    expect(await vectorsOfFiles({ chunks: chunkFile, vectors: [vectors()] })).toEqual({
      name: "Qwen3-4B",
      dimension: DIM,
    });
  });

  test("Parquet of another writer: plain lists, under any name", async () => {
    const path = join(folder, "hyparquet.vectors.parquet");
    parquetWriteFile({
      filename: path,
      columnData: [
        { name: "uuid", data: CHUNKS.map(({ uuid }) => uuid), type: "STRING" },
        { name: "mine", data: CHUNKS.map(({ vector }) => vector), type: "JSON" },
      ],
      rowGroupSize: 7,
    });
    const library = await made();
    await library.ingest(CHUNKS.map(({ sparse, bm25, ...chunk }) => chunk));
    expect(await ingested(chunkFile, [path], { denseKey: "mine" })).toEqual(await roots(library));
    expect(await ingested(chunkFile, [path])).toEqual(await roots(library));
    await expect(ingested(chunkFile, [path], { denseKey: "other" })).rejects.toThrow(/a vector named other/);
  });

  test("the folders of the contract, with manifests", async () => {
    const data = join(folder, "contract", "Data");
    for (const name of ["ChunkedDocTagFiles", "Embeddings", "Manifests"])
      mkdirSync(join(data, name), { recursive: true });
    copyFileSync(chunkFile, join(data, "ChunkedDocTagFiles", "a.chunk.jsonl"));
    copyFileSync(parquet, join(data, "Embeddings", "a.vectors.parquet"));
    const manifest = join(data, "Manifests", "docparse.chunks.manifest.jsonl");
    const entry = { doc_id: "docs/d0", status: "success", chunk_count: 5, output_path: "x/a.chunk.jsonl" };
    writeFileSync(manifest, jsonl([entry]));
    for (const path of [data, join(folder, "contract")]) expect(await ingested(path, [])).toEqual(expected);
    writeFileSync(manifest, jsonl([{ ...entry, chunk_count: 6 }]));
    await expect(ingested(data, [])).rejects.toThrow(
      /manifest.*line 1: expected 6 chunks of "docs\/d0", got 5/,
    );
    writeFileSync(manifest, jsonl([{ ...entry, output_hash: "0".repeat(64) }]));
    await expect(ingested(data, [])).rejects.toThrow(/to have sha256/);
    writeFileSync(manifest, jsonl([{ ...entry, output_path: "b.chunk.jsonl" }]));
    await expect(ingested(data, [])).rejects.toThrow(/the file b.chunk.jsonl among those/);
  });

  test("test_uuid_faiss_id_bijection: any order within the cache gives the same numbers; drift is an error", async () => {
    const mixed = file(
      "mixed.vectors.jsonl",
      jsonl(
        shuffled(
          PAIRS.map(([, vector]) => vector),
          7,
        ),
      ),
    );
    expect(await ingested(chunkFile, [mixed], { vectorCacheLimit: 30 })).toEqual(expected);
    for (const vectorCacheLimit of [0, -1, 3]) {
      const failure = ingested(chunkFile, [mixed], { vectorCacheLimit });
      await expect(failure).rejects.toMatchObject({
        code: "INGEST_DRIFT",
        details: {
          chunkFile,
          vectorFile: mixed,
          chunkAt: expect.stringMatching(/line \d/),
          vectorAt: expect.any(String),
        },
      });
    }
  });
});

describe("bad files", () => {
  const replaced = (number: number, line: string) => {
    const all = readFileSync(vectorFile, "utf8").split("\n");
    all[number] = line;
    return all.join("\n");
  };
  const vector = (changed: object) => JSON.stringify({ ...PAIRS[9]![1], ...changed });
  const invalid = Buffer.from(replaced(9, vector({})));
  invalid[invalid.length - 40] = 0xff;
  const cases: [string, () => string, RegExp][] = [
    [
      "cut gzip",
      () => file("cut.vectors.jsonl.gz", gzipSync(readFileSync(vectorFile)).subarray(0, 900)),
      /gzip data to the end/,
    ],
    [
      "cut Parquet",
      () => file("cut.vectors.parquet", readFileSync(parquet).subarray(0, -100)),
      /a Parquet file/,
    ],
    [
      "Parquet with damaged pages",
      () => file("bad.vectors.parquet", Buffer.from(readFileSync(parquet)).fill(0x55, 40, 400)),
      /Parquet|expected/,
    ],
    [
      "another dimension in the middle",
      () => file("dim.vectors.jsonl", replaced(9, vector({ "Qwen3-4B": { vector: [1, 2, 3] } }))),
      /line 10: .*16 numbers, got 3/,
    ],
    [
      "a dimension that contradicts itself",
      () =>
        file(
          "meta.vectors.jsonl",
          replaced(9, vector({ "Qwen3-4B": { vector: [1], model_metadata: { dim: 2 } } })),
        ),
      /line 10: expected Qwen3-4B to have 2 numbers/,
    ],
    ["invalid UTF-8", () => file("utf8.vectors.jsonl", invalid), /line 30: expected UTF-8/],
    ["no JSON", () => file("json.vectors.jsonl", replaced(9, "{")), /line 10: expected JSON/],
    ["no object", () => file("list.vectors.jsonl", replaced(9, "[]")), /line 10: expected an object/],
    [
      "a vector too few",
      () => file("few.vectors.jsonl", jsonl(PAIRS.slice(0, -1).map(([, each]) => each))),
      /a vector for .*none/,
    ],
    [
      "a vector too many",
      () =>
        file("many.vectors.jsonl", `${readFileSync(vectorFile, "utf8")}${vector({ uuid: "0".repeat(32) })}`),
      /which no chunk has/,
    ],
    ["a missing file", () => join(folder, "none.vectors.jsonl"), /none/],
  ];

  test.each(cases)("%s: a clear error, nothing lost", async (_name, make, message) => {
    const library = await made();
    await library.ingest(CHUNKS.slice(0, 5));
    const before = await roots(library);
    await expect(library.ingest({ chunks: chunkFile, vectors: [make()] })).rejects.toThrow(message);
    expect(await roots(library)).toEqual(before);
  });

  test("a line that does not end is refused before it is read", async () => {
    const path = join(folder, "long.chunk.jsonl");
    const out = createWriteStream(path);
    const piece = Buffer.alloc(1 << 20, 0x61);
    for (let mib = 0; mib < (IS_LONG ? 1024 : 34); mib++) if (!out.write(piece)) await once(out, "drain");
    out.end();
    await once(out, "finish");
    const library = await made();
    await expect(library.ingest({ chunks: path })).rejects.toThrow(
      /long.chunk.jsonl, line 1: expected a line of at most/,
    );
  });
});

describe("a large ingest", () => {
  const many = sampleChunks(4200, 8, 25).map(lines);
  const large: OpenOptions = { model: "tiny", vectors: { name: "Qwen3-4B", dimension: 8 } };
  const chunks = file("large.chunk.jsonl", jsonl(shuffled(many, 1).map(([chunk]) => chunk)));
  const vectors = file("large.vectors.jsonl", jsonl(shuffled(many, 1).map(([, vector]) => vector)));
  const first = sampleChunks(4510, 8, 5)
    .slice(4500)
    .map((chunk) => ({ ...chunk, doc_id: "before" }));

  test(
    "takes the library's place at once; other connections follow; a kill leaves the old or the new state",
    async () => {
      const path = join(folder, "large.db");
      const old = await open(path, large);
      await old.ingest(first);
      const before = await old.root();
      await old.close();
      for (let kill = 0; kill < (IS_LONG ? 30 : 1); kill++) {
        const child = spawn(process.execPath, [
          join(import.meta.dirname, "ingest.child.mjs"),
          path,
          chunks,
          vectors,
        ]);
        await once(child.stdout, "data");
        await pause((kill * 137) % 1500);
        child.kill("SIGKILL");
        await once(child, "exit");
        const library = await open(path, { model: "tiny" });
        const { documents } = await library.stats();
        expect([1, 169]).toContain(documents);
        if (documents === 1) expect(await library.root()).toBe(before);
        expect((await library.check()).isSound).toBe(true);
        await library.close();
      }
      const [one, other] = [await made({ model: "tiny" }, path), await made({ model: "tiny" }, path)];
      const answered = await other.search("restore", { mode: "lexical", topK: 1 });
      expect(answered.results).toHaveLength(1);
      await one.ingest({ chunks, vectors: [vectors] });
      expect(existsSync(`${path}.next`)).toBe(false);
      expect(await other.root()).toBe(await one.root());
      const { results } = await other.search("word4121", { mode: "lexical", topK: 1 });
      expect(results[0]!.content).toContain("word4121");
      const plain = await made(large);
      await plain.ingest(first);
      for (let from = 0; from < many.length; from += 2500)
        await plain.ingest(sampleChunks(4200, 8, 25).slice(from, from + 2500));
      expect(await plain.root()).toBe(await one.root());
      expect((await one.check()).isSound).toBe(true);
    },
    IS_LONG ? 3_600_000 : 600_000,
  );

  test("goes on where it was stopped, if the files are the same", async () => {
    const path = join(folder, "resumed.db");
    const library = await made(large, path);
    await library.ingest(first);
    const [before, whole] = [await library.root(), { chunks, vectors: [vectors] }];
    const stop = new AbortController();
    const stopped = library.ingest(whole, {
      signal: stop.signal,
      onProgress: ({ chunks: read }) => {
        if (read === 4_150) stop.abort(); // after the first batches are written
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
    expect([existsSync(`${path}.next`), await library.root()]).toEqual([true, before]);
    // What is there counts as written already: only the rest is.
    const report = await library.ingest(whole);
    expect(report.chunks).toBeLessThan(4_200);
    expect(existsSync(`${path}.next`)).toBe(false);
    const plain = await made(large);
    await plain.ingest(first);
    await plain.ingest(sampleChunks(4200, 8, 25));
    expect(report.root).toBe(await plain.root());
  });

  test("a library of another canon in its place is not followed", async () => {
    const path = join(folder, "other-canon.db");
    const library = await made(large, path);
    await library.ingest(first);
    const name = join(folder, "another.db");
    const another = await made({ model: "tiny", vectors: { name: "another", dimension: 8 } }, name);
    await another.ingest(first);
    await another.close();
    renameSync(name, path);
    await expect(library.root()).rejects.toMatchObject({ code: "DATABASE_MOVED" });
    await expect(library.ingest(first)).rejects.toMatchObject({ code: "DATABASE_MOVED" });
    const there = await made({ model: "tiny" }, path);
    expect(there.canonParts.vectors).toBe("external 8 another"); // and nothing was written to it
    expect((await there.stats()).chunks).toBe(10);
  });
});

describe("a receipt of a search with outside vectors", () => {
  test("is checked on another device, which took the chunks from files in another order", async () => {
    const [here, there] = [await made(EXTERNAL), await made({ ...EXTERNAL, build: "scalar" })];
    await here.ingest(shuffled(CHUNKS, 5));
    await there.ingest({ chunks: chunkFile, vectors: [vectorFile] });
    expect(await there.root()).toBe(await here.root());
    const vector = Array.from({ length: DIM }, (_, i) => i - 5.5);
    const asked = { vector, sparse: { terms: ["every"], weights: [1] }, weights: { sparse: 0.5 } };
    const { receipt, warnings } = await here.search("restore backup", asked);
    expect(warnings).toEqual([]);
    expect(await there.verifyReceipt(receipt)).toMatchObject({ isSame: true, warnings: [] });
    const other = await here.search("restore backup", { ...asked, vector: vector.map((x) => -x) });
    expect(other.receipt.digest).not.toBe(receipt.digest);
  });
});

describe("outsideChunks", () => {
  test("gives back what came, BM25 terms too, and an ingest of it gives the same roots", async () => {
    const library = await made(EXTERNAL);
    await library.ingest(shuffled(sampleChunks(60, DIM), 2));
    const all: OutsideChunk[] = [];
    for (let page = await library.outsideChunks({ limit: 7 }); page.length > 0; ) {
      all.push(...page);
      page = await library.outsideChunks({ limit: 7, after: page.at(-1)!.uuid });
    }
    expect(all.map(({ uuid }) => uuid)).toEqual(
      sampleChunks(60, DIM)
        .map(({ uuid }) => uuid)
        .sort(),
    );
    const { vector, sparse, ...rest } = sampleChunks(60, DIM).find(({ uuid }) => uuid === all[0]!.uuid)!;
    expect(all[0]).toMatchObject(rest);
    expect(new Set(all[0]!.sparse!.terms)).toEqual(new Set(sparse!.terms));
    const again = await made(EXTERNAL);
    await again.ingest(all);
    expect([await again.root(), await again.metadataRoot()]).toEqual([
      await library.root(),
      await library.metadataRoot(),
    ]);
    for (const limit of [0, 10_001, 1.5])
      await expect(library.outsideChunks({ limit })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    await expect(library.outsideChunks({ after: "x" })).rejects.toMatchObject({ code: "BAD_OUTSIDE_DATA" });
  });
});
