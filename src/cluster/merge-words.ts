import type { NearWords } from "../search/near-words.ts";
import { compareUtf8 } from "../text/utf8-order.ts";

/**
 * Returns the words at the least distance over all shards, each with the number of chunks that have it in all of them, by
 * bytes. A word has the same distance everywhere, so a shard with only farther words has none of these. SPEC §29.5
 */
export function mergedNearWords(shards: readonly NearWords[]): NearWords {
  const distance = Math.min(...shards.map((near) => near.distance));
  const chunks = new Map<string, number>();
  for (const near of shards)
    if (near.distance === distance)
      for (const each of near.words) chunks.set(each.word, (chunks.get(each.word) ?? 0) + each.chunks);
  const words = Array.from(chunks, ([word, count]) => ({ word, chunks: count }));
  return { distance, words: words.sort((a, b) => compareUtf8(a.word, b.word)) };
}
