import { littleEndianBytes } from "../engine/byte-order.ts";
import { toHex } from "../engine/digest.ts";
import { badArgument } from "../errors/arguments.ts";
import { randomSample } from "../library/random-sample.ts";
import { Embedder } from "../model/embedder.ts";
import { Chunker, inputOf, putDocuments, readChanges } from "./changes.ts";
import type { Connection } from "./connection.ts";
import { type Definition, readDefinition } from "./definition.ts";
import { decodeResult, RESULT_BYTES_MAX } from "./job-result.ts";
import type { ManifestShard } from "./manifest.ts";
import { currentManifest } from "./manifests.ts";
import { persistently } from "./persistently.ts";
import { shardFacts } from "./shard-facts.ts";
import { ShardFiles } from "./shard-files.ts";
import { type EmbeddedDocument, ShardLibrary } from "./shard-library.ts";

/** Options of a verification. */
export interface VerifyOptions {
  /** The folder in which shards are kept. */
  readonly folder: string;
  /** Which share of the jobs is embedded again, at least one; default 0.001. */
  readonly share?: number;
  /** How many threads embed; default: the number of cores. */
  readonly threads?: number;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

/** A job whose vectors are wrong. */
export interface WrongJob {
  /** Its id. */
  readonly job: string;
  /** Who computed it. */
  readonly worker: string;
  /** The number of its vectors that differ. */
  readonly texts: number;
}

/** What a verification found. */
export interface VerifyReport {
  /** Whether nothing wrong was found. */
  readonly isSound: boolean;
  /** How many jobs have a result. */
  readonly jobs: number;
  /** How many of them were embedded again. */
  readonly checked: number;
  /** Those whose vectors differ. */
  readonly wrongJobs: readonly WrongJob[];
  /** The shard that was derived again from the operations; null if nothing was built yet. */
  readonly shard: {
    /** The bit prefix of its document ids. */
    readonly prefix: string;
    /** How many documents it has. */
    readonly documents: number;
    /** How many of its vectors were computed again. */
    readonly vectors: number;
    /** What differs: nothing, if it is sound. */
    readonly differences: readonly string[];
  } | null;
}

const SHARE_DEFAULT = 0.001;
/** At least so many vectors of a shard are computed again. */
const VECTORS_LEAST = 16;
const WRITTEN_AT_ONCE = 128;

/**
 * Computes a random part of a cluster again and compares: some jobs from their texts, one shard from the operations. What
 * is drawn cannot be foreseen, so a worker with wrong arithmetic is found sooner or later, and named.
 */
export async function verifyCluster(connection: Connection, options: VerifyOptions): Promise<VerifyReport> {
  const { share = SHARE_DEFAULT } = options;
  if (!(share > 0 && share <= 1)) throw badArgument("share", "a number above 0 and at most 1", share);
  const definition = await readDefinition(connection);
  const embedder = new Embedder({ model: definition.model }, options.threads);
  try {
    const jobs = await verifyJobs(connection, definition, embedder, share, options.signal);
    const shard = await verifyShard(connection, definition, embedder, options, share);
    const isSound = jobs.wrongJobs.length === 0 && (shard?.differences.length ?? 0) === 0;
    return { isSound, ...jobs, shard };
  } finally {
    embedder.close();
  }
}

async function verifyJobs(
  { objects, engine }: Connection,
  { dimension }: Definition,
  embedder: Embedder,
  share: number,
  signal: AbortSignal | undefined,
): Promise<Pick<VerifyReport, "jobs" | "checked" | "wrongJobs">> {
  const names = (await persistently(() => objects.results.list())).map(({ name }) => name);
  const drawn = drawnOf(names, Math.ceil(names.length * share));
  const wrongJobs: WrongJob[] = [];
  let checked = 0;
  for (const name of drawn) {
    const result = await persistently(() =>
      objects.results.get(name, RESULT_BYTES_MAX, (bytes) => decodeResult(engine, name, bytes, dimension)),
    ).catch((error) => {
      if ((error as { code?: string }).code === "BAD_CLUSTER_DATA") return "unreadable" as const;
      throw error;
    });
    if (result === null) continue; // collected meanwhile
    checked++;
    if (result === "unreadable") {
      wrongJobs.push({ job: name, worker: "unknown: the result is damaged", texts: 0 });
      continue;
    }
    const vectors = await embedder.embedCanonical(result.texts, { signal });
    const texts = vectors.filter(
      (vector, i) => toHex(littleEndianBytes(vector)) !== toHex(result.vectors[i]!),
    ).length;
    if (texts > 0) wrongJobs.push({ job: name, worker: result.worker, texts });
  }
  return { jobs: names.length, checked, wrongJobs };
}

async function verifyShard(
  connection: Connection,
  definition: Definition,
  embedder: Embedder,
  { folder, signal }: VerifyOptions,
  share: number,
): Promise<VerifyReport["shard"]> {
  const current = await currentManifest(connection, definition.canon);
  const [shard] = current === null ? [] : drawnOf(current.manifest.shards, 1);
  if (current === null || shard === undefined) return null;
  const files = new ShardFiles(connection, folder);
  const { sequence, answersByGraph } = current.manifest;
  const path = await files.fetch(shard, signal);
  const stored = await ShardLibrary.open(path, definition, answersByGraph, true);
  const derived = await ShardLibrary.open(":memory:", definition, answersByGraph);
  try {
    const texts = await derive(connection, definition, shard, sequence, stored, derived, signal);
    const drawn = drawnOf([...texts], Math.max(VECTORS_LEAST, Math.ceil(texts.size * share)));
    const differences = await compare(shard, stored, derived);
    const vectors = await embedder.embedCanonical(
      drawn.map(([, text]) => text),
      { signal },
    );
    const wrong = drawn.filter(([hash], i) => {
      const known = stored.vectorOf(new Uint8Array(Buffer.from(hash, "hex")));
      return known === null || toHex(known) !== toHex(littleEndianBytes(vectors[i]!));
    }).length;
    if (wrong > 0) differences.push(`${wrong} of ${drawn.length} vectors are not those of their texts`);
    const { prefix, counts } = shard.facts;
    return { prefix, documents: counts.documents, vectors: drawn.length, differences };
  } finally {
    await derived.close();
    await stored.close();
  }
}

function drawnOf<T>(items: readonly T[], count: number): T[] {
  return randomSample(count, items.length).map((i) => items[i]!);
}

/** Makes the library of a shard from the operations. Returns the texts of its chunks by hash. */
async function derive(
  connection: Connection,
  definition: Definition,
  { facts }: ManifestShard,
  sequence: number,
  stored: ShardLibrary,
  derived: ShardLibrary,
  signal: AbortSignal | undefined,
): Promise<Map<string, Uint8Array>> {
  const all = await readChanges(connection, definition.parts.namespace, 1, sequence, signal);
  const changes = all.filter(({ bits }) => bits.startsWith(facts.prefix));
  const chunker = new Chunker(derived.parts);
  const texts = new Map<string, Uint8Array>();
  let batch: EmbeddedDocument[] = [];
  for await (const { operation, text } of putDocuments(connection, changes, signal)) {
    const chunks = await chunker.chunkTexts(chunker.name(operation, text));
    const vectors = chunks.flatMap(({ textHash, text: part }) => {
      texts.set(toHex(textHash), part);
      const vector = stored.vectorOf(textHash);
      return vector === null ? [] : [{ textHash, vector }];
    });
    batch.push({ document: inputOf(operation, text), vectors });
    if (batch.length < WRITTEN_AT_ONCE) continue;
    await derived.put(batch);
    batch = [];
  }
  await derived.put(batch);
  return texts;
}

async function compare(shard: ManifestShard, stored: ShardLibrary, derived: ShardLibrary): Promise<string[]> {
  const { prefix, state } = shard.facts;
  const differences: string[] = [];
  const own = await shardFacts(derived.parts, prefix);
  const there = await shardFacts(stored.parts, prefix);
  if (own.state !== state)
    differences.push(`the manifest says state ${state}, the operations give ${own.state}`);
  if (there.state !== state)
    differences.push(`the manifest says state ${state}, the file has ${there.state}`);
  const vectors = derived.vectorsDigest();
  if (vectors !== shard.vectors)
    differences.push(`the manifest says vectors ${shard.vectors}, the file has ${vectors}`);
  return differences;
}
