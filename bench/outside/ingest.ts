// What it costs to ingest chunks and vectors that were made elsewhere: files that DuckDB writes, into a library that can be
// searched. SELFSAME_OUTSIDE=0.1 takes a tenth of the chunks.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Table } from "../run.ts";

type Row = Record<string, string | number>;

const SHARE = Number(process.env["SELFSAME_OUTSIDE"] ?? 1);
const CASES: [chunks: number, dimension: number, kind: "parquet" | "jsonl", limitSeconds: number][] = [
  [100_000, 384, "parquet", 90],
  [100_000, 384, "jsonl", 90],
  [20_000, 2560, "parquet", 60],
];
const WORDS =
  "restore backup index vector hybrid search chunk document guide snapshot fusion rank query score the of and in to".split(
    " ",
  );

/** Writes the chunks and the vectors of random documents of ten chunks each, in the order of UUIDs. */
async function write(folder: string, chunks: number, dimension: number, kind: string): Promise<void> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const words = WORDS.map((word) => `'${word}'`).join(", ");
  await connection.run(`CREATE TABLE base AS SELECT md5(i::VARCHAR)::UUID::VARCHAR AS uuid, 'd' || (i // 10) AS doc_id,
    'd' || (i // 10) || '#' || i AS chunk_id,
    array_to_string(list_transform(range(60), x -> [${words}][1 + ((i * 31 + x * x * 17 + x * i * 7) % ${WORDS.length})]), ' ') || ' w' || i AS text,
    60 AS num_tokens, [i] AS source_chunk_idxs FROM range(${chunks}) t(i)`);
  await connection.run(`COPY (FROM base ORDER BY uuid) TO '${join(folder, "a.chunk.jsonl")}' (FORMAT json)`);
  const vector = `list_transform(range(${dimension}), x -> (random() - 0.5 + 0 * x)::FLOAT)`;
  await connection.run(`COPY (SELECT uuid, {'vector': ${vector}, 'model_metadata': {'dim': ${dimension}}} AS "Qwen3-4B"
    FROM base ORDER BY uuid) TO '${join(folder, `a.vectors.${kind}`)}' (FORMAT ${kind === "jsonl" ? "json" : "parquet"})`);
}

const INGEST = `
const [folder, kind, dimension] = process.argv.slice(1);
const { open } = await import("#dist/index.js");
const began = performance.now();
const query = Array.from({ length: Number(dimension) }, (_, i) => (i % 7) - 3);
const library = await open(folder + "/a.db", { vectors: { name: "Qwen3-4B", dimension: Number(dimension) } });
await library.ingest({ chunks: folder + "/a.chunk.jsonl", vectors: [folder + "/a.vectors." + kind] });
const ingested = performance.now();
await library.search("hybrid search", { vector: query });
const searched = performance.now();
await library.close();
console.log(JSON.stringify([ingested - began, searched - ingested, process.resourceUsage().maxRSS / 1024]));`;

async function row(chunks: number, dimension: number, kind: string, limit: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), "selfsame-outside-"));
  try {
    await write(folder, chunks, dimension, kind);
    // Another process, so that its memory is that of the ingest alone.
    const { stdout } = spawnSync(
      process.execPath,
      ["--input-type=module", "-e", INGEST, folder, kind, String(dimension)],
      { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], cwd: join(import.meta.dirname, "../..") },
    );
    const [ingest, search, peak] = JSON.parse(stdout) as [number, number, number];
    return {
      chunks,
      dimension,
      from: kind,
      "ingested, s": (ingest / 1000).toFixed(1),
      "first search, s": (search / 1000).toFixed(2),
      "limit, s": limit,
      "chunks/s": Math.round(chunks / (ingest / 1000)),
      "peak memory, MB": Math.round(peak),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function ingestTable(): Promise<Table> {
  const rows: Row[] = [];
  for (const [chunks, dimension, kind, limit] of CASES)
    rows.push(await row(Math.round(chunks * SHARE), dimension, kind, limit));
  return { title: "Ingest of outside chunks and vectors, indexed and searchable", rows };
}
