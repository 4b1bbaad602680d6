import { fromHex, toHex } from "../engine/digest.ts";
import type { Database } from "../store/database.ts";

/** Where a chunk is: what breaks ties between equal scores, and where its row is. */
export interface Place {
  /** In lower-case hex. */
  readonly chunkId: string;
  readonly documentId: string;
  readonly path: string;
  readonly sequence: number;
}

/**
 * Numbers of keys per statement. Keys are padded with nulls to the next of these, so that few statements serve all
 * searches.
 */
const BATCHES = [16, 32, 64];
const BATCH_MAX = 64;
const SLOTS = new Map(BATCHES.map((size) => [size, new Array<string>(size).fill("?").join(", ")]));
/** Columns of chunks and documents. */
export const PLACE_COLUMNS = "chunk, chunkId, documentId, path, sequence";
const SELECT_PLACES = `SELECT ${PLACE_COLUMNS} FROM chunks JOIN documents USING (documentId)`;

/** Returns places by chunk id in hexadecimal, in no particular order. Ids that do not exist are left out. */
export function placesOfIds(database: Database, ids: readonly string[]): Place[] {
  return rowsByKeys<PlaceRow>(database, SELECT_PLACES, "chunkId", ids.map(fromHex)).map(placeOf);
}

/**
 * Returns the rows of `select` whose `column` is one of the keys, in no particular order: one statement for many rows.
 */
export function rowsByKeys<T>(
  database: Database,
  select: string,
  column: "chunk" | "chunkId",
  keys: readonly (number | Uint8Array)[],
): T[] {
  const rows: T[] = [];
  inBatches(keys, (slots, batch) => {
    for (const row of database.all<T>(`${select} WHERE ${column} IN (${slots})`, batch)) rows.push(row);
  });
  return rows;
}

/** Calls `work` with the keys, batch by batch, and with the placeholders for them. */
export function inBatches<K>(
  keys: readonly K[],
  work: (slots: string, batch: readonly (K | null)[]) => void,
): void {
  for (let from = 0; from < keys.length; from += BATCH_MAX) {
    const batch: (K | null)[] = keys.slice(from, from + BATCH_MAX);
    const size = BATCHES.find((each) => each >= batch.length)!;
    while (batch.length < size) batch.push(null);
    work(SLOTS.get(size)!, batch);
  }
}

/** Converts a row with `PLACE_COLUMNS`. */
export interface PlaceRow extends Omit<Place, "chunkId" | "documentId"> {
  /** The rowid. It depends on history, so it joins tables and decides nothing. */
  readonly chunk: number;
  readonly chunkId: Uint8Array;
  readonly documentId: Uint8Array;
}

export function placeOf({ chunkId, documentId, path, sequence }: PlaceRow): Place {
  return { chunkId: toHex(chunkId), documentId: toHex(documentId), path, sequence };
}
