import { fromHex, toHex } from "../engine/digest.ts";
import type { Database } from "../store/database.ts";

/** Where a chunk stands: what decides among equal scores, and where its row is. */
export interface Place {
  /** In lower-case hex. */
  readonly chunkId: string;
  readonly documentId: string;
  readonly path: string;
  readonly sequence: number;
  /** The rowid: history, which joins tables and decides nothing. */
  readonly chunk: number;
}

/** Keys of one statement; fewer are filled up with nulls, so that all searches share the prepared one. */
const BATCH = 64;
const SLOTS = Array.from({ length: BATCH }, () => "?").join(", ");
const SELECT_PLACES =
  "SELECT chunk, chunkId, documentId, path, sequence FROM chunks JOIN documents USING (documentId)";

/** By rowid; in no order. */
export function placesOfRows(database: Database, chunks: readonly number[]): Place[] {
  return rowsByKeys<PlaceRow>(database, SELECT_PLACES, "chunk", chunks).map(placeOf);
}

/** By chunk id in hexadecimal; in no order, and without those that are not there. */
export function placesOfIds(database: Database, ids: readonly string[]): Place[] {
  return rowsByKeys<PlaceRow>(database, SELECT_PLACES, "chunkId", ids.map(fromHex)).map(placeOf);
}

/** The rows of `select` whose `column` is one of the keys, in no order: one statement for many rows. */
export function rowsByKeys<T>(
  database: Database,
  select: string,
  column: "chunk" | "chunkId",
  keys: readonly (number | Uint8Array)[],
): T[] {
  const sql = `${select} WHERE ${column} IN (${SLOTS})`;
  const rows: T[] = [];
  for (let from = 0; from < keys.length; from += BATCH) {
    const values = Array.from({ length: BATCH }, (_, i) => keys[from + i] ?? null);
    rows.push(...database.all<T>(sql, values));
  }
  return rows;
}

interface PlaceRow extends Omit<Place, "chunkId" | "documentId"> {
  readonly chunkId: Uint8Array;
  readonly documentId: Uint8Array;
}

function placeOf({ chunk, chunkId, documentId, path, sequence }: PlaceRow): Place {
  return { chunk, chunkId: toHex(chunkId), documentId: toHex(documentId), path, sequence };
}
