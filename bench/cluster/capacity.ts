/**
 * What a cluster of a size needs, on paper: `npx tsx bench/cluster/capacity.ts` prints the table of docs/cluster.md. Each
 * constant says where it was measured.
 */

/** Seconds of one core to embed a chunk of about 128 tokens with all-MiniLM-L6-v2 (`npm run bench -- embed`). */
const EMBED_SECONDS = 0.044;
/** Bytes of a chunk in memory to search it (ARCHITECTURE.md, The vectors), 384 dimensions. */
const MEMORY_BYTES = 1_012;
/** Chunks of a shard. */
const SHARD = 1_000_000;
/** Milliseconds of a hybrid search of 250,000 chunks, median, on a busy machine (`npm run bench -- million`). */
const SEARCH_MS = 18.2;
const SEARCH_CHUNKS = 250_000;
/** Milliseconds of a request and its answer over NATS on one machine, of which a search needs about three. */
const ROUND_MS = 0.5;
const ROUNDS = 3;
const CORES = 64;
const REPLICAS = 2;
const GIB = 2 ** 30;
const DAY = 86_400;

console.log("| chunks | core-days to embed | days on 64 cores | memory, 2 copies | shards | one search |");
console.log("| ---: | ---: | ---: | ---: | ---: | ---: |");
for (let exponent = 6; exponent <= 10; exponent++) {
  const chunks = 10 ** exponent;
  const coreDays = (chunks * EMBED_SECONDS) / DAY;
  const shards = Math.ceil(chunks / SHARD);
  // Shards work at the same time, each on its own core: a search takes as long as one shard.
  const latency = (Math.min(chunks, SHARD) / SEARCH_CHUNKS) * SEARCH_MS + ROUNDS * ROUND_MS;
  const row = [
    `10^${exponent}`,
    coreDays.toFixed(1),
    (coreDays / CORES).toFixed(coreDays / CORES < 1 ? 2 : 1),
    `${((chunks * MEMORY_BYTES * REPLICAS) / GIB).toFixed(0)} GiB`,
    shards,
    `${latency.toFixed(0)} ms`,
  ];
  console.log(`| ${row.join(" | ")} |`);
}
