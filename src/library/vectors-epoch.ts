import type { Database } from "../store/database.ts";
import { readCount, writeSetting } from "./setting.ts";

const EPOCH = "vectors.epoch";
/** How many vectors of a pack were set aside because one of them was wrong. */
export const VECTORS_ASIDE = "vectors.aside";

/** Returns why vectors cannot be searched at the moment; null if they can. SPEC §20.7 */
export function vectorsAside(database: Database): string | null {
  const count = readCount(database, VECTORS_ASIDE, "a number of vectors");
  if (count === 0) return null;
  return `a pack brought a wrong vector, and its ${count} vectors are being computed on this device`;
}

/**
 * Returns how often stored vectors were replaced, or added to texts that documents had before. The root does not tell: an
 * index of the same root with another epoch is loaded again.
 */
export function vectorsEpoch(database: Database): number {
  return readCount(database, EPOCH, "an epoch of vectors");
}

/** Notes that vectors of unchanged documents have changed, in the open transaction. */
export function vectorsChanged(database: Database): void {
  writeSetting(database, EPOCH, vectorsEpoch(database) + 1);
}
