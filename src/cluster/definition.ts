import type { ChunkParameters } from "../chunks/chunk-parameters.ts";
import { chunkParameters } from "../chunks/chunk-parameters.ts";
import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { badArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { DEFAULT_NAMESPACE } from "../identity/ids.ts";
import {
  CANON_NAMES,
  type CanonParts,
  canonDigest,
  canonParts,
  type IndexKind,
  modelDigest,
} from "../library/canon.ts";
import type { OpenOptions } from "../library/open-options.ts";
import { readVectorSource, type VectorSource } from "../library/vector-source.ts";
import { DEFAULT_MODEL, readManifest } from "../model/load.ts";
import { SEGMENT_DEFAULT } from "../vectors/segmented-index.ts";
import { badClusterData } from "./bad-cluster-data.ts";
import type { Connection } from "./connection.ts";
import { isDigest } from "./names.ts";

/** What a cluster is made with: as for a library, and how it is divided. */
export interface DefinitionOptions {
  /** The model; default: `all-MiniLM-L6-v2`. Every machine must have it. */
  readonly model?: string;
  /** How texts are split; default: by the model's limit. */
  readonly chunking?: ChunkParameters;
  /** Which index answers; default `auto`. */
  readonly index?: IndexKind;
  /** The most distinct vectors of a segment; default 131,072. */
  readonly segment?: number;
  /** Where vectors come from; default: the model. */
  readonly vectors?: VectorSource;
  /** The namespace of document ids; default `default`. */
  readonly namespace?: string;
  /** The most chunks of a shard; default 1,000,000. It has no effect on answers. */
  readonly shardChunks?: number;
}

/** The recorded definition of a cluster's documents under one canon. SPEC §29.11 */
export interface Definition {
  /** The digest of the canon, in hexadecimal. */
  readonly canon: string;
  readonly parts: CanonParts;
  /** The model's name, or the URL of its manifest. */
  readonly model: string;
  readonly dimension: number;
  readonly shardChunks: number;
}

const SHARD_CHUNKS_DEFAULT = 1_000_000;
const CURRENT = "current";

/** Returns the definition that options describe. */
export async function definitionOf(engine: Engine, options: DefinitionOptions): Promise<Definition> {
  const model = options.model ?? DEFAULT_MODEL;
  const { manifest } = await readManifest(model);
  const shardChunks = options.shardChunks ?? SHARD_CHUNKS_DEFAULT;
  if (!Number.isSafeInteger(shardChunks) || shardChunks < 1)
    throw badArgument("shardChunks", "a whole number from 1", shardChunks);
  const vectors = options.vectors ?? "model";
  const parts = canonParts(
    manifest,
    options.chunking ?? chunkParameters(manifest.limit),
    options.index ?? "auto",
    options.namespace ?? DEFAULT_NAMESPACE,
    options.segment ?? SEGMENT_DEFAULT,
    vectors,
  );
  const dimension = vectors === "model" ? manifest.hidden : vectors.dimension;
  return { canon: canonDigest(engine, parts), parts, model, dimension, shardChunks };
}

/** Returns the options by which a library of this definition is opened. */
export function libraryOptions({ model, parts }: Definition): OpenOptions {
  const [maxTokens, overlapTokens, maxBytes] = parts.chunking.split(" ").map(Number) as [
    number,
    number,
    number,
  ];
  return {
    model,
    chunking: { maxTokens, overlapTokens, maxBytes },
    index: parts.index as IndexKind,
    segment: Number(parts.segment),
    namespace: parts.namespace,
    vectors: readVectorSource(parts.vectors, "the cluster"),
  };
}

/** Records a definition. The first one becomes current. A known one is kept as it is. */
export async function recordDefinition(
  { decided, engine }: Connection,
  definition: Definition,
): Promise<void> {
  const { canon, parts, model } = definition;
  await createOnce(decided, `definition.${canon}`, JSON.stringify(definition));
  await createOnce(decided, `model.${toHex(modelDigest(engine, parts))}`, JSON.stringify({ model }));
  await createOnce(decided, CURRENT, canon);
}

async function createOnce(store: Connection["decided"], key: string, value: string): Promise<void> {
  if ((await store.get(key)) !== null) return;
  try {
    await store.create(key, value);
  } catch (error) {
    if ((await store.get(key)) === null) throw error; // otherwise another process was faster
  }
}

/** Makes a canon the one that searches use. */
export async function makeCurrent({ decided }: Connection, canon: string): Promise<void> {
  await decided.put(CURRENT, canon);
}

/**
 * Returns the definition of a canon, or the current one. @throws {SelfsameError} CLUSTER_EMPTY if nothing was built or
 * defined yet
 */
export async function readDefinition(connection: Connection, canon?: string): Promise<Definition> {
  const { decided, engine, names } = connection;
  const wanted = canon ?? (await decided.get(CURRENT))?.string();
  const entry = isDigest(wanted) ? await decided.get(`definition.${wanted}`) : null;
  if (entry === null || !isDigest(wanted))
    throw new SelfsameError(
      "CLUSTER_EMPTY",
      `expected the definition of cluster ${names.cluster}, got none${canon === undefined ? "" : ` of canon ${canon}`}`,
      "Make the cluster: selfsame cluster build, with --model and others for what it is made with",
    );
  return checkDefinition(engine, wanted, entry.value);
}

/** Returns the canons that have a definition, and which one is current. */
export async function definedCanons({
  decided,
}: Connection): Promise<{ canons: string[]; current: string | null }> {
  const canons: string[] = [];
  for await (const key of await decided.keys("definition.*")) canons.push(key.slice("definition.".length));
  const current = (await decided.get(CURRENT))?.string() ?? null;
  return { canons: canons.filter(isDigest).sort(), current };
}

/** Returns the digests of the models that definitions name. */
export async function definedModels({ decided }: Connection): Promise<string[]> {
  const models: string[] = [];
  for await (const key of await decided.keys("model.*")) models.push(key.slice("model.".length));
  return models.filter(isDigest).sort();
}

/** Returns the name of the model with this digest; null if no definition names it. */
export async function modelNamed({ decided }: Connection, digest: string): Promise<string | null> {
  const entry = await decided.get(`model.${digest}`);
  if (entry === null) return null;
  const model = (parsed(entry.value) as { model?: unknown } | null)?.model;
  if (typeof model !== "string" || model.length > 2048)
    throw badClusterData("the name of a model", "something else");
  return model;
}

function checkDefinition(engine: Engine, canon: string, bytes: Uint8Array): Definition {
  const wrong = (got: string) => badClusterData(`the definition of canon ${canon}`, got);
  const read = parsed(bytes) as Partial<Definition> | null;
  const { parts, model, dimension, shardChunks } = read ?? {};
  if (typeof parts !== "object" || parts === null || typeof model !== "string") throw wrong("something else");
  if (CANON_NAMES.some((name) => typeof parts[name] !== "string")) throw wrong("a part that is no text");
  if (!Number.isSafeInteger(dimension) || dimension! < 1 || dimension! > 65_536) throw wrong("no dimension");
  if (!Number.isSafeInteger(shardChunks) || shardChunks! < 1) throw wrong("no size of shards");
  const known = Object.fromEntries(CANON_NAMES.map((name) => [name, parts[name]])) as unknown as CanonParts;
  if (canonDigest(engine, known) !== canon) throw wrong("that of another canon");
  if (known.dedupe !== "off") throw wrong("one that leaves out near-duplicates, which a cluster does not");
  return { canon, parts: known, model, dimension: dimension!, shardChunks: shardChunks! };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
