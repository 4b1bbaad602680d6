import { toHex } from "../engine/digest.ts";
import type { MerkleTree } from "../identity/root.ts";
import { tagField, taggedHash } from "../identity/tagged-hash.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import { wordTotals } from "../search/word-counts.ts";
import { utf8 } from "../text/canonical.ts";
import type { ShardFacts } from "./shard.ts";

const STATE = tagField("shard");

/** provisional */
export async function shardFacts(parts: LibraryParts, prefix: string): Promise<ShardFacts> {
  const { database, state, engine, semantic } = parts;
  const index = await semantic.current(state.root());
  const segments = Math.max(1, index.segments.length);
  const { distinct, chunks } = {
    distinct: index.segments.reduce((s, x) => s + x.distinct, 0),
    chunks: index.size,
  };
  return database.snapshot(() => {
    const { root, metadataRoot } = state.roots();
    const canon = state.canonDigest;
    const fields = [canon, root, metadataRoot, prefix].map((each) => utf8(each));
    const counts = state.counts();
    const nodes = (tree: MerkleTree) => {
      const found: Record<string, string> = {};
      for (let digits = 0; digits <= Math.min(31, prefix.length >> 2); digits++) {
        const at = Array.from({ length: digits }, (_, i) =>
          Number.parseInt(prefix.slice(4 * i, 4 * i + 4), 2).toString(16),
        ).join("");
        const record = tree.node(at);
        if (record.length > 0) found[at] = toHex(record);
      }
      return found;
    };
    return {
      ...{ prefix, canon, root, metadataRoot, counts },
      state: toHex(taggedHash(engine, STATE, fields)),
      words: wordTotals(database),
      vectors: { chunks, distinct, segments },
      sparse: counts.sparseVectors,
      nodes: { text: nodes(state.trees.text), metadata: nodes(state.trees.metadata) },
    };
  });
}
