import { PREFIX_BITS_MAX } from "../vectors/prefix.ts";

/** What decides how documents are divided into shards. Prefixes are texts of `0` and `1`. SPEC §29.13 */
export interface LayoutGround {
  /** The most chunks of a shard. */
  readonly shardChunks: number;
  /** The number of chunks below a prefix; a document without a chunk counts as one. */
  weight(prefix: string): Promise<number>;
  /** Whether at most one document is below a prefix: no longer prefix divides it. */
  isOneDocument(prefix: string): Promise<boolean>;
  /** Whether a graph covers everything below the prefix: then it cannot be divided. */
  isSegment(prefix: string): Promise<boolean>;
}

/**
 * Returns the prefixes of the shards, ascending. Each is the shortest one with few enough chunks, or a segment of the index,
 * or one document. Without a document there is one shard, for everything. SPEC §29.13
 */
export async function shardPrefixes(ground: LayoutGround): Promise<string[]> {
  const prefixes: string[] = [];
  const visit = async (prefix: string): Promise<void> => {
    const weight = await ground.weight(prefix);
    if (weight === 0 && prefix !== "") return;
    const isShard =
      weight <= ground.shardChunks ||
      prefix.length === PREFIX_BITS_MAX ||
      (await ground.isOneDocument(prefix)) ||
      (await ground.isSegment(prefix));
    if (isShard) prefixes.push(prefix);
    else for (const bit of "01") await visit(prefix + bit);
  };
  await visit("");
  return prefixes;
}

/** Returns the one of these prefixes that an id is below; undefined if it is below none. */
export function prefixOf(prefixes: readonly string[], bits: string): string | undefined {
  return prefixes.find((prefix) => bits.startsWith(prefix));
}
