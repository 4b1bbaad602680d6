import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { tagField, taggedHash } from "../identity/tagged-hash.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import type { Roots } from "../library/library-state.ts";
import { onReadyState } from "../library/searched.ts";
import { wordTotals } from "../search/word-counts.ts";
import type { Database } from "../store/database.ts";
import { utf8 } from "../text/canonical.ts";
import { countDistinct } from "../vectors/distinct.ts";
import { idRange } from "../vectors/prefix.ts";
import type { ShardFacts } from "./shard.ts";
import { sharedNodes } from "./whole-root.ts";

const SHARD = tagField("shard");

/** Returns the name of a shard's state, in hexadecimal. SPEC §29.2 */
export function shardState(engine: Engine, canon: string, roots: Roots, prefix: string): string {
  const fields = [canon, roots.root, roots.metadataRoot, prefix];
  return toHex(taggedHash(engine, SHARD, fields.map(utf8)));
}

/**
 * Returns the facts of a shard, from the library with its documents. They depend on the documents and the canon alone.
 *
 * @throws {SelfsameError} BAD_SHARD if it has documents that are not below the prefix
 */
export async function shardFacts(parts: LibraryParts, prefix: string): Promise<ShardFacts> {
  const { engine, state } = parts;
  return onReadyState(parts, { vectors: true, sparse: false }, ({ database, index }, roots) => {
    const counts = state.counts();
    checkBelow(database, prefix);
    const { segments } = index!;
    const lists = segments.map((segment) => segment.index.nodeDigests());
    return {
      prefix,
      state: shardState(engine, state.canonDigest, roots, prefix),
      canon: state.canonDigest,
      ...roots,
      counts,
      words: wordTotals(database),
      vectors: {
        chunks: index!.size,
        distinct: segments.length === 1 ? segments[0]!.distinct : countDistinct(lists),
        segments: segments.length,
      },
      sparse: counts.sparseVectors,
      nodes: {
        text: sharedNodes(state.trees.text, prefix),
        metadata: sharedNodes(state.trees.metadata, prefix),
      },
    };
  });
}

function checkBelow(database: Database, prefix: string): void {
  const sql = "SELECT path FROM documents WHERE documentId NOT BETWEEN ? AND ? LIMIT 1";
  const other = database.get<{ path: string }>(sql, idRange(prefix));
  if (other === undefined) return;
  throw new SelfsameError(
    "BAD_SHARD",
    `expected only documents below the prefix "${prefix}", got ${JSON.stringify(other.path)}`,
    "Build the shard again from its documents",
  );
}
