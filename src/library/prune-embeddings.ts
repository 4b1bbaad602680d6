import type { Database } from "../store/database.ts";
import { readCount, writeSetting } from "./setting.ts";

// Vectors of texts that no document has are a cache: a text that comes back is not embedded again. They are no part of
// any root. As many as are in use may be kept, and some more, so that a small library keeps all of them.
const UNUSED_MIN = 1024;

/** How many chunks went since unused vectors were last counted, in the library's own table. */
const KEY = "chunksRemoved";
/** They are counted when that many chunks have gone, or that share of all. */
const COUNT_FROM = 1024;
const COUNT_SHARE = 8;

const UNUSED = "FROM embeddings WHERE model <> ?1 OR textHash NOT IN (SELECT textHash FROM chunks)";

/**
 * Notes that chunks have gone, in the transaction that is open, and now and then drops the oldest unused vectors beyond
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

/** Drops the oldest unused vectors beyond `kept(used)` and returns how many; in the transaction that is open. */
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
