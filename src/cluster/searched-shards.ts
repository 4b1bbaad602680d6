import type { LibraryParts } from "../library/library-parts.ts";
import { type Searched, searchedLibrary } from "../library/searched.ts";
import { runFar } from "../search/pipeline.ts";
import type { WholeFacts } from "./shard.ts";
import type { ShardClients } from "./shard-clients.ts";
import { ShardedGround } from "./sharded-ground.ts";

/** Returns all shards together as what is searched. The parts are those of an empty library of their canon. SPEC §29.1 */
export function searchedShards(parts: LibraryParts, facts: WholeFacts, shards: ShardClients): Searched {
  const roots = { root: facts.root, metadataRoot: facts.metadataRoot };
  const vectors = facts.shards.reduce((sum, shard) => sum + shard.vectors.chunks, 0);
  const chunks = facts.shards.reduce((sum, shard) => sum + shard.words.chunks, 0);
  return {
    ...searchedLibrary(parts),
    onOneState: (query, stopwatch, pipeline) => {
      const { vector = null, p } = query ?? {};
      const wanted = {
        vector,
        simHashes: p !== undefined && p.nearDuplicates > 0,
        filters: p?.filterMode === "post" ? p.filters : null,
      };
      const ground = new ShardedGround(shards, facts, wanted, stopwatch);
      const lacksVectors = vector !== null && vectors === 0 && chunks > 0;
      return runFar(ground, pipeline({ roots, lacksVectors }));
    },
  };
}
