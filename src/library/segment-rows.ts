/** The chunks of a library below a bit prefix of document ids. */
import { vectorInto } from "../engine/byte-order.ts";
import { ID_BYTES } from "../engine/digest.ts";
import type { Database } from "../store/database.ts";
import { idRange } from "../vectors/prefix.ts";

const OF_MODEL = "FROM chunks JOIN embeddings USING (textHash) WHERE model = ?";
const OUTSIDE = "FROM chunks JOIN outsideVectors USING (chunk) WHERE 1";
const RANKED = "chunk NOT IN (SELECT chunk FROM unranked)";

/** Returns the vector of a chunk, or undefined. */
export function vectorOfChunk(
  database: Database,
  owner: Uint8Array | null,
  chunkId: Uint8Array,
): Uint8Array | undefined {
  const [from, whose] = owner === null ? [OUTSIDE, []] : [OF_MODEL, [owner]];
  const sql = `SELECT vector ${from} AND chunkId = ?`;
  return database.get<{ vector: Uint8Array }>(sql, [...whose, chunkId])?.vector;
}

/** Calls back with the document and the chunk of every chunk below the prefix. The ids are valid during the call. */
export function eachChunk(
  database: Database,
  prefix: string,
  take: (documentId: Uint8Array, chunkId: Uint8Array) => void,
): void {
  const sql = `SELECT documentId, chunkId FROM chunks WHERE documentId BETWEEN ? AND ? AND ${RANKED}`;
  database.each(sql, idRange(prefix), (row) => take(row.blobView(0), row.blobView(1)));
}

/**
 * Calls back with every ranked chunk below the prefix that has a vector. Everything is valid during the call. SPEC §23.4
 *
 * @param owner the digest of the model that made the vectors; null for those that came with chunks
 */
export function eachVector(
  database: Database,
  owner: Uint8Array | null,
  dim: number,
  prefix: string,
  take: (documentId: Uint8Array, chunkId: Uint8Array, vector: Int16Array) => void,
): void {
  const vector = new Int16Array(dim);
  const [documentId, chunkId] = [new Uint8Array(ID_BYTES), new Uint8Array(ID_BYTES)];
  const [from, whose] = owner === null ? [OUTSIDE, []] : [OF_MODEL, [owner]];
  // All chunks are read fastest in the order of the table.
  const [where, range] = prefix === "" ? ["", []] : ["AND documentId BETWEEN ? AND ?", idRange(prefix)];
  const sql = `SELECT documentId, chunkId, vector ${from} AND ${RANKED} ${where}`;
  database.each(sql, [...whose, ...range], (row) => {
    documentId.set(row.blobView(0));
    chunkId.set(row.blobView(1));
    take(documentId, chunkId, vectorInto(vector, row.blobView(2)));
  });
}
