import { type ChunkParameters, type ExternalVectors, SelfsameError } from "../index.ts";
import { readLocatedConfig } from "./config.ts";
import { plainValue } from "./located-json.ts";
import { parseLocatedYaml } from "./located-yaml.ts";
import type { Schema } from "./schema-check.ts";
import { externalVectors } from "./value-checks.ts";

/** What contract 5's YAML says, in the words of this package. What it does not say is undefined. */
export interface ServiceConfig {
  readonly maxActive?: number;
  readonly index?: "exact" | "hnsw";
  readonly expectedVectors?: number;
  readonly dedupeThreshold?: number;
  readonly vectors?: ExternalVectors;
  readonly chunking?: { readonly maxTokens?: number; readonly overlapTokens?: number };
  readonly search: {
    readonly rrfK?: number;
    readonly lambda?: number;
    readonly enableMmr?: boolean;
    readonly semanticK?: number;
    readonly lexicalK?: number;
    readonly sparseK?: number;
    readonly bm25Scoring?: "bm25" | "bm25plus";
    readonly overfetch?: number;
  };
  readonly snapshots: {
    readonly isOn: boolean;
    readonly intervalSeconds?: number;
    readonly writes?: number;
  };
  /** What has another effect here than it says, or none; each is reported once. */
  readonly notices: readonly string[];
}

const count: Schema = { type: "integer", minimum: 1, maximum: 10_000 };
const large: Schema = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const flag: Schema = { type: "boolean" };
const object = (properties: Schema["properties"] & object): Schema => ({
  type: ["object", "null"],
  additionalProperties: false,
  properties,
});

/** Contract 5's keys. Those of a GPU are accepted, so that its files work unchanged. */
const SCHEMA: Schema = object({
  chunking: object({
    max_tokens: { type: "integer", minimum: 8, maximum: 1 << 20 },
    overlap: { type: "integer", minimum: 0, maximum: 1 << 20 },
  }),
  dense: object({
    index_type: { type: "string", enum: ["flat", "ivf_flat", "ivf_pq"] },
    expected_ntotal: large,
    gpu_temp_memory_bytes: large,
    enable_replication: flag,
    replication_gpu_ids: { type: "array", items: { type: "integer", minimum: 0, maximum: 1_024 } },
    use_cuvs: { type: ["boolean", "null"] },
    fp16: flag,
    persist_mode: { type: "string", enum: ["cpu_bytes", "disabled"] },
    snapshot_refresh_interval_seconds: { type: "number", minimum: 0, maximum: 1e9 },
    snapshot_refresh_writes: large,
    ingest_dedupe_threshold: { type: ["number", "null"], minimum: 0, maximum: 1 },
    // Beyond the contract: where the vectors of new namespaces come from.
    vectors: { type: ["string", "null"] },
  }),
  fusion: object({
    k0: { type: "number", minimum: 0, maximum: 1e6 },
    enable_mmr: flag,
    mmr_lambda: { type: "number", minimum: 0, maximum: 1 },
  }),
  retrieval: object({
    bm25_top_k: count,
    splade_top_k: count,
    dense_top_k: count,
    dense_overfetch_factor: { type: "number", minimum: 1, maximum: 100 },
    bm25_scoring: { type: "string", enum: ["true", "bm25plus"] },
  }),
  routing: object({
    max_active_namespaces: count,
    eviction_policy: { type: "string", enum: ["lru"] },
  }),
});

const GPU_KEYS = ["gpu_temp_memory_bytes", "enable_replication", "replication_gpu_ids", "use_cuvs", "fp16"];

type Section = Readonly<Record<string, unknown>>;
type Values = Readonly<
  Partial<Record<"chunking" | "dense" | "fusion" | "retrieval" | "routing", Section | null>>
>;

/** Reads contract 5's hybrid.yaml. @throws {SelfsameError} BAD_CONFIG with the file, line, column and key */
export function readServiceConfig(file: string): ServiceConfig {
  const { located } = readLocatedConfig(file, parseLocatedYaml, SCHEMA);
  const { chunking, dense, fusion, retrieval, routing } = plainValue(located) as Values;
  const kind = dense?.["index_type"];
  return {
    ...given({ maxActive: routing?.["max_active_namespaces"] }),
    ...given({ index: kind === undefined ? undefined : kind === "flat" ? "exact" : "hnsw" }),
    ...given({
      expectedVectors: dense?.["expected_ntotal"],
      dedupeThreshold: thresholdOf(dense?.["ingest_dedupe_threshold"]),
      vectors: vectorsOf(dense?.["vectors"], file),
    }),
    ...(chunking === undefined || chunking === null
      ? {}
      : { chunking: given({ maxTokens: chunking["max_tokens"], overlapTokens: chunking["overlap"] }) }),
    search: given({
      rrfK: fusion?.["k0"],
      lambda: fusion?.["mmr_lambda"],
      enableMmr: fusion?.["enable_mmr"],
      semanticK: retrieval?.["dense_top_k"],
      lexicalK: retrieval?.["bm25_top_k"],
      sparseK: retrieval?.["splade_top_k"],
      bm25Scoring: { true: "bm25", bm25plus: "bm25plus" }[String(retrieval?.["bm25_scoring"])],
      overfetch: retrieval?.["dense_overfetch_factor"],
    }),
    snapshots: {
      isOn: dense?.["persist_mode"] === "cpu_bytes",
      ...given({
        intervalSeconds: dense?.["snapshot_refresh_interval_seconds"],
        writes: dense?.["snapshot_refresh_writes"],
      }),
    },
    notices: noticesOf(dense ?? {}),
  } as ServiceConfig;
}

/** Returns chunking that a model can read, and what had to be changed. */
export function clampedChunking(
  asked: NonNullable<ServiceConfig["chunking"]>,
  limit: number,
): { readonly chunking: ChunkParameters; readonly notices: readonly string[] } {
  const maxTokens = Math.min(asked.maxTokens ?? limit, limit);
  const overlapTokens = Math.min(asked.overlapTokens ?? Math.floor(maxTokens / 8), Math.floor(maxTokens / 2));
  const notices = [
    ...(asked.maxTokens !== undefined && asked.maxTokens > maxTokens
      ? [`chunking.max_tokens: ${maxTokens} instead of ${asked.maxTokens}: the model reads no more at once`]
      : []),
    ...(asked.overlapTokens !== undefined && asked.overlapTokens > overlapTokens
      ? [`chunking.overlap: ${overlapTokens} instead of ${asked.overlapTokens}: at most half of a chunk`]
      : []),
  ];
  return { chunking: { maxTokens, overlapTokens, maxBytes: limit * 16 }, notices };
}

function noticesOf(dense: Section): string[] {
  const ofGpu = GPU_KEYS.filter((key) => dense[key] !== undefined).map((key) => `dense.${key}`);
  const kind = dense["index_type"];
  return [
    ...(ofGpu.length === 0 ? [] : [`${ofGpu.join(", ")}: no effect: runs on the CPU in WebAssembly`]),
    ...(kind === "ivf_flat" || kind === "ivf_pq"
      ? [`dense.index_type: ${kind} means approximate here: the HNSW graph answers`]
      : []),
    ...(typeof dense["ingest_dedupe_threshold"] === "number"
      ? [
          "dense.ingest_dedupe_threshold: for new namespaces whose chunks come with vectors; no effect on documents that are given as text",
        ]
      : []),
  ];
}

function vectorsOf(given: unknown, file: string): ExternalVectors | undefined {
  if (typeof given !== "string") return undefined;
  try {
    return externalVectors(given, "dense.vectors");
  } catch (error) {
    const { reason } = error as SelfsameError;
    throw new SelfsameError("BAD_CONFIG", `${file}: ${reason}`, "", { cause: error });
  }
}

/** Returns the threshold in whole thousandths. No cosine is above 1: then nothing is left out. */
function thresholdOf(given: unknown): number | undefined {
  if (typeof given !== "number") return undefined;
  const thousandths = Math.round(given * 1000);
  return thousandths >= 1000 ? undefined : thousandths / 1000;
}

/** Leaves out what is undefined. */
function given<T extends Readonly<Record<string, unknown>>>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
