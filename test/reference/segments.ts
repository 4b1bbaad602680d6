/** Segments straight from their definition: nothing is split or merged, the set is looked at as it is. SPEC §10.10, §10.11 */
import { blake3 } from "@noble/hashes/blake3.js";
import { buildGraph, type Graph, graphDigest, searchGraph } from "./hnsw.ts";
import { compareHits, type Hit, type Item } from "./vectors.ts";

export interface OwnedItem extends Item {
  readonly documentId: Uint8Array;
}

export interface ReferenceSegment {
  /** Bits of document ids, as a text of 0 and 1. */
  readonly prefix: string;
  readonly items: readonly OwnedItem[];
  readonly graph: Graph;
}

const bits = (id: Uint8Array) => Array.from(id, (byte) => byte.toString(2).padStart(8, "0")).join("");

/** The shortest prefixes below which at most `most` distinct vectors lie, or one document. */
export function segmentsOf(dim: number, items: readonly OwnedItem[], most: number): ReferenceSegment[] {
  const within = (prefix: string): ReferenceSegment[] => {
    const below = items.filter(({ documentId }) => bits(documentId).startsWith(prefix));
    if (below.length === 0) return [];
    const distinct = new Set(below.map(({ vector }) => vector.join())).size;
    const documents = new Set(below.map(({ documentId }) => bits(documentId))).size;
    if (distinct <= most || documents === 1) return [{ prefix, items: below, graph: buildGraph(dim, below) }];
    return [...within(`${prefix}0`), ...within(`${prefix}1`)];
  };
  return within("");
}

/** BLAKE3 of a magic, the number of segments, and of each its length in bits, its bits as 16 bytes, its graph's digest. */
export function segmentsDigest(segments: readonly ReferenceSegment[]): Uint8Array {
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, segments.length, true);
  const parts: Uint8Array[] = [new TextEncoder().encode("SELFSEGS"), count];
  for (const { prefix, graph } of segments) {
    const padded = prefix.padEnd(128, "0").match(/.{8}/g)!;
    parts.push(
      Uint8Array.of(prefix.length),
      Uint8Array.from(padded, (byte) => Number.parseInt(byte, 2)),
      graphDigest(graph),
    );
  }
  return blake3(Uint8Array.from(parts.flatMap((part) => [...part])));
}

/** ⌈ef / ∛n⌉ in whole numbers. */
export function beam(ef: number, segments: number): number {
  let b = 1;
  while (b ** 3 * segments < ef ** 3) b++;
  return b;
}

export function searchSegments(
  segments: readonly ReferenceSegment[],
  query: Int16Array,
  k: number,
  ef: number,
): Hit[] {
  return segments
    .flatMap(({ graph }) => searchGraph(graph, query, k, beam(ef, segments.length)))
    .sort(compareHits)
    .slice(0, k);
}
