import { compareUtf8 } from "../text/utf8-order.ts";

/** What decides the rank of a result. */
export interface Placed {
  readonly score: number;
  readonly channels: number;
  readonly path: string;
  readonly sequence: number;
  /** In lower-case hex. */
  readonly chunkId: string;
}

/**
 * Compares results in their total order: negative if a comes before b, 0 only if both are the same chunk. SPEC §16.2
 *
 * @param preferCoverage among equal scores, results that more channels found come first
 */
export function compareResults(a: Placed, b: Placed, preferCoverage = false): number {
  if (a.score !== b.score) return a.score > b.score ? -1 : 1;
  if (preferCoverage && a.channels !== b.channels) return b.channels - a.channels;
  return compareUtf8(a.path, b.path) || a.sequence - b.sequence || compareUtf8(a.chunkId, b.chunkId);
}

/**
 * Returns fused results in their order. If only one channel found anything, that channel's own order is kept: its
 * scores may be equal (a weight of 0), its ranks are not. SPEC §16.2
 *
 * @param fused as `fuse` returns them: for a single list, in its order
 */
export function inResultOrder<T extends Placed>(
  fused: readonly T[],
  isSingleChannel: boolean,
  preferCoverage = false,
): T[] {
  if (isSingleChannel) return [...fused];
  return [...fused].sort((a, b) => compareResults(a, b, preferCoverage));
}
