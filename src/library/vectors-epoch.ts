import type { Database } from "../store/database.ts";
import { readCount, writeSetting } from "./setting.ts";

const EPOCH = "vectors.epoch";

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
