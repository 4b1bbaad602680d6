/** The chunks of a library below a bit prefix of document ids. */
import { vectorInto } from "../engine/byte-order.ts";
import type { Database } from "../store/database.ts";
import { idRange } from "../vectors/prefix.ts";

/** Calls back with the document and the chunk of every chunk below the prefix. The ids are valid during the call. */
export function eachChunk(
  database: Database,
  prefix: string,
  take: (documentId: Uint8Array, chunkId: Uint8Array) => void,
): void {
  const sql = "SELECT documentId, chunkId FROM chunks WHERE documentId BETWEEN ? AND ?";
  database.each(sql, idRange(prefix), (row) => take(row.blobView(0), row.blobView(1)));
}

/** Calls back with every chunk below the prefix that has a vector. Everything is valid during the call. */
export function eachVector(
  database: Database,
  model: Uint8Array,
  dim: number,
  prefix: string,
  take: (documentId: Uint8Array, chunkId: Uint8Array, vector: Int16Array) => void,
): void {
  const vector = new Int16Array(dim);
  const from = "SELECT documentId, chunkId, vector FROM chunks JOIN embeddings USING (textHash)";
  // All chunks are read fastest in the order of the table.
  const [where, range] = prefix === "" ? ["", []] : ["AND documentId BETWEEN ? AND ?", idRange(prefix)];
  database.each(`${from} WHERE model = ? ${where}`, [model, ...range], (row) => {
    const documentId = row.blobView(0).slice();
    const chunkId = row.blobView(1).slice();
    take(documentId, chunkId, vectorInto(vector, row.blobView(2)));
  });
}
