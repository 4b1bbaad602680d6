import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { tagField, taggedHash } from "../identity/tagged-hash.ts";
import { utf8 } from "../text/canonical.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import { isPrefix } from "../vectors/prefix.ts";
import { badClusterData } from "./bad-cluster-data.ts";
import { isDigest } from "./names.ts";
import type { ShardFacts } from "./shard.ts";
import type { StoredFile } from "./shard-files.ts";

/** A shard as a manifest names it. */
export interface ManifestShard extends StoredFile {
  readonly facts: ShardFacts;
  /** The digest of its vectors, in hexadecimal. */
  readonly vectors: string;
  /** The number of its chunks; a document without a chunk counts as one. */
  readonly weight: number;
}

/** One state of a cluster's documents, and where its shards are. SPEC §29.14 */
export interface Manifest {
  /** The digest of the canon. */
  readonly canon: string;
  /** The last operation that it contains. */
  readonly sequence: number;
  /** The digest of the manifest before it; null for the first. */
  readonly previous: string | null;
  /** Whether graphs answer, by the set of all vectors. */
  readonly answersByGraph: boolean;
  /** By prefix ascending. */
  readonly shards: readonly ManifestShard[];
  /** The jobs whose results it was the first to contain. */
  readonly jobs: readonly string[];
}

/** The most bytes of a manifest. */
export const MANIFEST_BYTES_MAX = 256 << 20;
const SHARDS_MAX = 100_000;
const JOBS_MAX = 1_000_000;
const VERSION = 1;

const MANIFEST = tagField("manifest");

/** Returns a manifest as bytes, and the digest that names it. */
export function encodeManifest(engine: Engine, manifest: Manifest): { bytes: Uint8Array; digest: string } {
  const bytes = utf8(canonicalJson({ version: VERSION, ...manifest } as unknown as Json));
  return { bytes, digest: manifestDigest(engine, bytes) };
}

function manifestDigest(engine: Engine, bytes: Uint8Array): string {
  return toHex(taggedHash(engine, MANIFEST, [bytes]));
}

/** Reads the manifest of a digest. @throws {SelfsameError} BAD_CLUSTER_DATA */
export function decodeManifest(engine: Engine, digest: string, bytes: Uint8Array): Manifest {
  const wrong = (got: string) => badClusterData(`manifest ${digest}`, got);
  if (manifestDigest(engine, bytes) !== digest) throw wrong("other bytes");
  let read: Partial<Manifest> & { version?: unknown };
  try {
    read = JSON.parse(new TextDecoder().decode(bytes)) as typeof read;
  } catch {
    throw wrong("no JSON");
  }
  const { version, canon, sequence, previous, answersByGraph, shards, jobs } = read ?? {};
  if (version !== VERSION) throw wrong("one of another version");
  if (!isDigest(canon) || (previous !== null && !isDigest(previous))) throw wrong("no digests");
  if (!Number.isSafeInteger(sequence) || sequence! < 0) throw wrong("no sequence");
  if (typeof answersByGraph !== "boolean") throw wrong("no index");
  if (!Array.isArray(jobs) || jobs.length > JOBS_MAX || !jobs.every(isDigest)) throw wrong("no jobs");
  if (!Array.isArray(shards) || shards.length === 0 || shards.length > SHARDS_MAX) throw wrong("no shards");
  for (const [i, shard] of shards.entries())
    if (!isShard(shard, canon, shards[i - 1]?.facts.prefix ?? null))
      throw wrong(`a shard that is none, at place ${i}`);
  return { canon, sequence: sequence!, previous, answersByGraph, shards, jobs };
}

/** Prefixes ascend, and none is the beginning of the next one. */
function isShard(shard: ManifestShard, canon: string, before: string | null): boolean {
  const { facts, vectors, file } = shard ?? {};
  return (
    typeof facts === "object" &&
    facts !== null &&
    isPrefix(facts.prefix) &&
    (before === null || (before < facts.prefix && !facts.prefix.startsWith(before))) &&
    facts.canon === canon &&
    [facts.state, facts.root, facts.metadataRoot, vectors, file].every(isDigest) &&
    isCounts(shard, ["bytes", "weight"]) &&
    isCounts(facts.words, ["chunks", "tokens"]) &&
    isCounts(facts.vectors, ["chunks", "distinct", "segments"]) &&
    isCounts(facts.counts, ["documents", "chunks"]) &&
    typeof facts.nodes === "object" &&
    facts.nodes !== null
  );
}

function isCounts(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => {
    const count = (value as Record<string, unknown>)[name];
    return Number.isSafeInteger(count) && (count as number) >= 0;
  });
}
