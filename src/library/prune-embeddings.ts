import type { Database } from "../store/database.ts";
import { readCount, writeSetting } from "./setting.ts";

// Vectors of texts that no document has are a cache: a text that comes back is not embedded again. They are not part of
// any root. As many as are in use may be kept, plus some more, so that a small library keeps all of them.
const UNUSED_MIN = 1024;

/** The number of chunks removed since unused vectors were last counted, stored in the library's own table. */
const KEY = "chunksRemoved";
/** Unused vectors are counted when this many chunks have been removed, or this share of all. */
const COUNT_FROM = 1024;
const COUNT_SHARE = 8;

const UNUSED = "FROM embeddings WHERE model <> ?1 OR textHash NOT IN (SELECT textHash FROM chunks)";

/**
 * Records that chunks were removed, in the open transaction. Now and then it drops the oldest unused vectors beyond
 * what is kept. Counting reads every vector's key, so it is not done each time.
 */
export function noteRemovedChunks(
  database: Database,
  model: Uint8Array,
  removed: number,
  chunks: () => number,
): void {
  if (removed === 0) return;
  const total = readCount(database, KEY, "a number of removed chunks") + removed;
  const isDue = total >= COUNT_FROM && total * COUNT_SHARE >= chunks();
  if (isDue) pruneEmbeddings(database, model, (used) => used + UNUSED_MIN);
  writeSetting(database, KEY, isDue ? 0 : total);
}

/** Drops the oldest unused vectors beyond `kept(used)`, in the open transaction, and returns how many. */
export function pruneEmbeddings(
  database: Database,
  model: Uint8Array,
  kept: (used: number) => number,
): number {
  const { unused, total } = database.get<{ unused: number; total: number }>(
    `SELECT (SELECT count(embedding) ${UNUSED}) AS unused, (SELECT count(embedding) FROM embeddings) AS total`,
    [model],
  )!;
  const excess = unused - kept(total - unused);
  if (excess <= 0) return 0;
  // Rowids grow: the lowest are the oldest.
  const oldest = `SELECT embedding ${UNUSED} ORDER BY embedding LIMIT ?2`;
  return database.run(`DELETE FROM embeddings WHERE embedding IN (${oldest})`, [model, excess]);
}
