import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { type CanonParts, canonDigest } from "../library/canon.ts";
import type { LibraryCounts } from "../library/library-state.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { isPrefix } from "../vectors/prefix.ts";
import type { ShardFacts, WholeFacts } from "./shard.ts";
import { wholeRoot } from "./whole-root.ts";

/**
 * Returns what is known of all shards together. It equals what one library with all their documents knows. SPEC §29.3
 *
 * @param answersByGraph whether graphs answer, by the number of distinct vectors of all shards. SPEC §14.3
 * @throws {SelfsameError} BAD_SHARD if the shards are no parts of one library
 */
export function wholeFacts(
  engine: Engine,
  canon: CanonParts,
  shards: readonly ShardFacts[],
  answersByGraph: boolean,
): WholeFacts {
  const sorted = [...shards].sort((a, b) => compareUtf8(a.prefix, b.prefix));
  checkCanons(engine, canon, sorted);
  checkPrefixes(sorted);
  checkIndex(canon, sorted, answersByGraph);
  return {
    canon,
    root: wholeRoot(
      engine,
      sorted.map(({ nodes }) => nodes.text),
    ),
    metadataRoot: wholeRoot(
      engine,
      sorted.map(({ nodes }) => nodes.metadata),
    ),
    counts: sumOf(sorted),
    answersByGraph,
    segments: sorted.reduce((sum, { vectors }) => sum + vectors.segments, 0),
    shards: sorted,
  };
}

function checkCanons(engine: Engine, canon: CanonParts, shards: readonly ShardFacts[]): void {
  if (canon.dedupe !== "off")
    throw new SelfsameError(
      "BAD_SHARD",
      "expected a canon without a threshold for near-duplicates, got one",
      "Whether a chunk is one depends on the vectors of all shards: make the cluster without dedupeThreshold",
    );
  const digest = canonDigest(engine, canon);
  const other = shards.find((shard) => shard.canon !== digest);
  if (other !== undefined) throw bad(other.prefix, `the canon ${digest}`, other.canon);
}

/** Each document has at most one place. */
function checkPrefixes(shards: readonly ShardFacts[]): void {
  for (const [i, { prefix }] of shards.entries()) {
    if (!isPrefix(prefix)) throw bad(prefix, "a prefix of bits", prefix);
    const before = shards[i - 1]?.prefix;
    if (before !== undefined && prefix.startsWith(before))
      throw bad(prefix, "a prefix that is not below another shard's", before);
  }
}

/** Checks what the counts of distinct vectors tell. Two shards may have the same vector, so their sum is only a bound. */
function checkIndex(canon: CanonParts, shards: readonly ShardFacts[], answersByGraph: boolean): void {
  const most = Number(canon.segment);
  const distinct = shards.map(({ vectors }) => vectors.distinct);
  const atLeast = Math.max(0, ...distinct);
  const atMost = distinct.reduce((sum, each) => sum + each, 0);
  const isWrong =
    canon.index === "auto"
      ? answersByGraph
        ? atMost <= most
        : atLeast > most
      : answersByGraph !== (canon.index === "hnsw");
  if (isWrong)
    throw new SelfsameError(
      "BAD_SHARD",
      `expected the index that ${atLeast} to ${atMost} distinct vectors need, got ${answersByGraph ? "graphs" : "the exact scan"}`,
      "Count the distinct vectors of all shards again",
    );
}

function sumOf(shards: readonly ShardFacts[]): LibraryCounts {
  const of = (name: keyof LibraryCounts) => shards.reduce((sum, { counts }) => sum + counts[name], 0);
  return {
    documents: of("documents"),
    chunks: of("chunks"),
    textBytes: of("textBytes"),
    tokens: of("tokens"),
    embeddings: of("embeddings"),
    unusedEmbeddings: of("unusedEmbeddings"),
    unverifiedEmbeddings: of("unverifiedEmbeddings"),
    outsideChunks: of("outsideChunks"),
    outsideVectors: of("outsideVectors"),
    sparseVectors: of("sparseVectors"),
    duplicates: of("duplicates"),
  };
}

function bad(prefix: string, expected: string, got: string): SelfsameError {
  return new SelfsameError("BAD_SHARD", `expected shard "${prefix}" to have ${expected}, got ${got}`, "", {
    details: { prefix },
  });
}
