import type { Engine } from "../engine/engine.ts";
import { tagField, taggedHashes } from "../identity/tagged-hash.ts";
import { compareBytes } from "../identity/tree-node.ts";
import { utf8 } from "../text/canonical.ts";

const PLACEMENT = tagField("placement");

/**
 * Returns the servers that hold a shard, by rendezvous hashing: the `replicas` ones with the greatest digests of prefix and
 * server. Everybody who knows the servers knows the placement. A server that comes or goes moves only its share of the
 * shards, and a changed shard stays where it was. SPEC §29.15
 */
export function holdersOf(
  engine: Engine,
  prefix: string,
  servers: readonly string[],
  replicas: number,
): string[] {
  const digests = taggedHashes(
    engine,
    PLACEMENT,
    servers.map((server) => [utf8(prefix), utf8(server)]),
  );
  return servers
    .map((server, i) => ({ server, digest: digests[i]! }))
    .sort((a, b) => compareBytes(b.digest, a.digest))
    .slice(0, replicas)
    .map(({ server }) => server);
}
