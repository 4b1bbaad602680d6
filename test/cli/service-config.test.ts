/** Contract 5's YAML: what it sets, what it cannot, and where it is wrong. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clampedChunking, readServiceConfig } from "#dist/cli/service-config.js";
import { scratchFolder } from "../store/scratch.ts";

/** The contract's complete example, word for word, and its routing. */
const COMPLETE = `chunking:
  max_tokens: 900
  overlap: 180

dense:
  index_type: "flat"
  expected_ntotal: 500000
  gpu_temp_memory_bytes: 1073741824  # 1 GiB
  enable_replication: false
  replication_gpu_ids: [0]
  use_cuvs: null  # Auto-detect
  fp16: false  # Experimental
  persist_mode: "cpu_bytes"  # or "disabled"
  snapshot_refresh_interval_seconds: 60
  snapshot_refresh_writes: 5000
  ingest_dedupe_threshold: 0.95  # Dedup if cosine > 0.95

fusion:
  k0: 60.0  # RRF constant
  enable_mmr: true
  mmr_lambda: 0.7  # 0.7 = 70% relevance, 30% diversity

retrieval:
  bm25_top_k: 80
  splade_top_k: 80
  dense_top_k: 60
  dense_overfetch_factor: 1.5  # Fetch 90 for 60 to allow diversification
  bm25_scoring: "true"  # or "bm25plus"

routing:
  max_active_namespaces: 3  # Max concurrent GPU adapters
  eviction_policy: "lru"  # Least recently used
`;

const file = join(scratchFolder(), "hybrid.yaml");
function read(text: string) {
  writeFileSync(file, text);
  return readServiceConfig(file);
}

test("the contract's example", () => {
  const { notices, ...settings } = read(COMPLETE);
  expect(settings).toStrictEqual({
    maxActive: 3,
    index: "exact",
    expectedVectors: 500_000,
    dedupeThreshold: 0.95,
    chunking: { maxTokens: 900, overlapTokens: 180 },
    search: {
      rrfK: 60,
      lambda: 0.7,
      enableMmr: true,
      semanticK: 60,
      lexicalK: 80,
      sparseK: 80,
      bm25Scoring: "bm25",
      overfetch: 1.5,
    },
    snapshots: { isOn: true, intervalSeconds: 60, writes: 5000 },
  });
  const ofGpu = notices.filter((notice) => notice.includes("no effect: runs on the CPU in WebAssembly"));
  expect(ofGpu).toHaveLength(1);
  for (const key of [
    "gpu_temp_memory_bytes",
    "enable_replication",
    "replication_gpu_ids",
    "use_cuvs",
    "fp16",
  ])
    expect(ofGpu[0]).toContain(`dense.${key}`);
});

test("chunks are clamped to what the model reads, and overlaps to half of it, which is reported", () => {
  const { chunking, notices } = clampedChunking({ maxTokens: 900, overlapTokens: 180 }, 256);
  expect(chunking).toStrictEqual({ maxTokens: 256, overlapTokens: 128, maxBytes: 4096 });
  expect(notices).toHaveLength(2);
  expect(clampedChunking({ maxTokens: 100, overlapTokens: 10 }, 256)).toStrictEqual({
    ...{ chunking: { maxTokens: 100, overlapTokens: 10, maxBytes: 4096 }, notices: [] },
  });
});

test("approximate kinds of index select the graph, which is reported", () => {
  const { index, notices } = read("dense: { index_type: ivf_pq }");
  expect([index, notices.join()]).toStrictEqual(["hnsw", expect.stringContaining("HNSW")]);
});

test("a source of vectors for new namespaces, and a threshold in whole thousandths", () => {
  expect(read('dense: { vectors: "Qwen3-4B:2560" }').vectors).toStrictEqual({
    name: "Qwen3-4B",
    dimension: 2560,
  });
  expect(read("dense: { ingest_dedupe_threshold: 0.95049 }").dedupeThreshold).toBe(0.95);
  expect(read("dense: { ingest_dedupe_threshold: 1.0 }").dedupeThreshold).toBeUndefined();
  for (const wrong of ["Qwen3-4B", "Qwen3-4B:100000", "Qwen3-4B:12"])
    expect(() => read(`dense: { vectors: "${wrong}" }`)).toThrow(/dense\.vectors.*multiple of 8/);
});

test("an empty file sets nothing", () => {
  expect(read("# nothing\n")).toStrictEqual({ search: {}, snapshots: { isOn: false }, notices: [] });
  expect(read("fusion:\n")).toStrictEqual({ search: {}, snapshots: { isOn: false }, notices: [] });
});

test.each([
  ["fusion:\n  k0: 60\n  mmr_lamda: 0.5\n", ":3:3:", '"mmr_lambda"'],
  ["fusion:\n  k0: 60\nretreival:\n  bm25_top_k: 3\n", ":3:1:", '"retrieval"'],
  ["dense:\n  index_type: flaat\n", ":2:15:", '"flat"'],
  ["fusion:\n  mmr_lambda: 1.5\n", ":2:15:", ""],
  ["fusion:\n  k0: many\n", ":2:7:", ""],
  ["routing:\n  eviction_policy: fifo\n", ":2:20:", ""],
  ["fusion: {k0: 1, k0: 2}\n", ":1:17:", ""],
  ["fusion: &x { k0: 1 }\ndense: *x\n", ":2:8:", ""],
  ["fusion: !!js/function 'x'\n", ":1:9:", ""],
  ["fusion: [\n", ":", ""],
])("%j is refused at its line", (text, where, near) => {
  let error: unknown;
  try {
    read(text);
  } catch (caught) {
    error = caught;
  }
  expect(error).toMatchObject({ code: "BAD_CONFIG" });
  const { message } = error as Error;
  expect(message).toContain(`hybrid.yaml${where}`);
  expect(message).toContain(near);
});
