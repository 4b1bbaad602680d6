/** The vectors of ranked chunks, from the model or from outside. SPEC §23.4 */
import type { Database } from "./database.ts";

/** Whose vectors: those under the digest of a model, or (null) those that came with chunks. */
export type VectorOwner = Uint8Array | null;

const OF_MODEL = "FROM chunks JOIN embeddings USING (textHash) WHERE model = ?";
const OUTSIDE = "FROM chunks JOIN outsideVectors USING (chunk)";
const RANKED = "chunk NOT IN (SELECT chunk FROM unranked)";

/** Calls `visit` with the id and the vector of every ranked chunk. Both are valid during the call. */
export function eachVector(
  database: Database,
  owner: VectorOwner,
  visit: (chunkId: Uint8Array, vector: Uint8Array) => void,
): void {
  const sql =
    owner === null
      ? `SELECT chunkId, vector ${OUTSIDE} WHERE ${RANKED}`
      : `SELECT chunkId, vector ${OF_MODEL} AND ${RANKED}`;
  database.each(sql, owner === null ? [] : [owner], (row) => visit(row.blobView(0), row.blobView(1)));
}

/** Returns the vector of a chunk, or undefined. */
export function vectorOfChunk(
  database: Database,
  owner: VectorOwner,
  chunkId: Uint8Array,
): Uint8Array | undefined {
  const row = database.get<{ vector: Uint8Array }>(
    owner === null
      ? `SELECT vector ${OUTSIDE} WHERE chunkId = ?`
      : `SELECT vector ${OF_MODEL} AND chunkId = ?`,
    owner === null ? [chunkId] : [owner, chunkId],
  );
  return row?.vector;
}
