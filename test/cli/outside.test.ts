/** `selfsame ingest` and `selfsame export`: files into a namespace, and out again. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { openNamespaces } from "selfsame";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sampleChunks, shuffled } from "../library/outside-sample.ts";
import { Place } from "./run.ts";

const place = new Place();
const DIM = 8;
afterAll(() => place.remove());

function write(name: string, records: readonly object[]): void {
  writeFileSync(place.path(name), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

beforeAll(() => {
  const all = sampleChunks(20, DIM);
  write(
    "a.chunk.jsonl",
    all.map(({ vector, sparse, bm25, ...chunk }) => chunk),
  );
  const vectors = all.map(({ uuid, vector, sparse, bm25 }) => ({
    ...{ uuid, BM25: bm25, SpladeV3: sparse },
    "Qwen3-4B": { vector, model_metadata: { dim: DIM } },
  }));
  write("a.vectors.jsonl", vectors);
  write("drifted.vectors.jsonl", shuffled(vectors, 1));
});

it("ingest --namespace makes a namespace for the vectors of the files; export gives the files back", async () => {
  const ingest = ["a.chunk.jsonl", "a.vectors.jsonl", "--model", "tiny", "--data", "data"];
  const report = place.json("ingest", ...ingest, "--namespace", "papers");
  expect(report).toMatchObject({ library: "papers", added: 4, chunks: 20, duplicates: [] });
  const again = place.run("ingest", ...ingest, "--namespace", "papers");
  expect(again.stdout).toContain("Nothing changed: 4 documents up to date.");

  const exported = place.run(
    "export",
    "backup",
    "--jsonl",
    "--namespace",
    "papers",
    "--data",
    "data",
    "--model",
    "tiny",
  );
  expect([exported.status, exported.stderr]).toEqual([0, ""]);
  expect(exported.stdout).toContain("20 chunks in backup/ChunkedDocTagFiles/selfsame.chunk.jsonl and");
  const [line] = readFileSync(place.path("backup/Embeddings/selfsame.vectors.jsonl"), "utf8").split("\n");
  expect(JSON.parse(line!)).toMatchObject({ BM25: { terms: ["restore"], weights: [1.72] }, "Qwen3-4B": {} });
  const restored = place.json(
    "ingest",
    "backup",
    "--namespace",
    "papers",
    "--data",
    "other",
    "--model",
    "tiny",
  );
  expect(restored.root).toBe(report.root);

  const namespaces = await openNamespaces(place.path("data"), { model: "tiny" });
  const library = await namespaces.get("papers");
  expect(library.canonParts.vectors).toBe(`external ${DIM} Qwen3-4B`);
  expect(await library.root()).toBe(report.root);
  await namespaces.close();
});

it("drift names both UUIDs and both places, and leaves no library; a larger cache reads the files", () => {
  const ingest = ["a.chunk.jsonl", "drifted.vectors.jsonl", "--model", "tiny", "--db", "drifted.db"];
  const drift = place.run("ingest", ...ingest);
  expect(drift.status).toBe(1);
  expect(drift.stderr).toContain("drifted.vectors.jsonl, line 1");
  expect(place.json("ingest", ...ingest, "--vector-cache-limit", "20")).toMatchObject({ added: 4 });
});

it("export refuses what is not there, and files that are", () => {
  const refused = (...args: string[]) => place.run("export", ...args, "--jsonl").stderr;
  expect(refused("x", "--namespace", "none", "--data", "data")).toContain("Those in data: papers");
  expect(refused("backup", "--namespace", "papers", "--data", "data", "--model", "tiny")).toContain(
    "expected no file",
  );
  expect(refused("x", "--db", "missing.db")).toContain("expected a library");
  expect(refused("x", "--name", "../y", "--db", "drifted.db")).toContain("the name of a file");
  expect(existsSync(place.path("x"))).toBe(false);
});
