import { fromHex, toHex } from "../engine/digest.ts";
import type { Database } from "../store/database.ts";
import { rowsByKeys } from "./chunk-places.ts";
import { hammingDistance } from "./signature.ts";

/** A chunk in a ranking. */
interface Member {
  /** In lower-case hex. */
  readonly chunkId: string;
}

/** A chunk that was kept, with the ids of those that were folded into it, in order. */
export interface Folded<T> {
  readonly kept: T;
  readonly duplicates: readonly string[];
}

/** The greatest distance of two SimHashes. */
export const DISTANCE_MAX = 64;

/**
 * Folds each chunk of a ranking into the first better one whose SimHash differs in at most `distance` bits. 0 folds
 * nothing. SPEC §16.6
 *
 * @param hashes the SimHashes of those chunks that have terms, by id
 */
export function foldDuplicates<T extends Member>(
  ranking: readonly T[],
  hashes: ReadonlyMap<string, Uint8Array>,
  distance: number,
): Folded<T>[] {
  if (distance === 0) return ranking.map((kept) => ({ kept, duplicates: [] }));
  const folded: { readonly kept: T; readonly hash: Uint8Array | undefined; readonly duplicates: string[] }[] =
    [];
  for (const member of ranking) {
    const hash = hashes.get(member.chunkId);
    const near =
      hash &&
      folded.find((other) => other.hash !== undefined && hammingDistance(other.hash, hash) <= distance);
    if (near === undefined) folded.push({ kept: member, hash, duplicates: [] });
    else near.duplicates.push(member.chunkId);
  }
  return folded.map(({ kept, duplicates }) => ({ kept, duplicates }));
}

/** Returns the SimHashes of those chunks that have terms, by id. */
export function simHashesOf(database: Database, chunkIds: readonly string[]): Map<string, Uint8Array> {
  const select = "SELECT chunkId, simHash FROM chunks JOIN signatures USING (chunk)";
  const rows = rowsByKeys<{ chunkId: Uint8Array; simHash: Uint8Array }>(
    database,
    select,
    "chunkId",
    chunkIds.map(fromHex),
  );
  const withTerms = rows.filter(({ simHash }) => simHash.some((byte) => byte !== 0));
  return new Map(withTerms.map(({ chunkId, simHash }) => [toHex(chunkId), simHash]));
}
