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

/** Keys of one statement: they are filled up with nulls to the next of these, so that few statements serve all searches. */
const BATCHES = [16, 32, 64];
const BATCH_MAX = 64;
const SLOTS = new Map(BATCHES.map((size) => [size, new Array<string>(size).fill("?").join(", ")]));
/** Of chunks and documents. */
export const PLACE_COLUMNS = "chunk, chunkId, documentId, path, sequence";
const SELECT_PLACES = `SELECT ${PLACE_COLUMNS} FROM chunks JOIN documents USING (documentId)`;

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
  const rows: T[] = [];
  inBatches(keys, (slots, batch) => {
    for (const row of database.all<T>(`${select} WHERE ${column} IN (${slots})`, batch)) rows.push(row);
  });
  return rows;
}

/** Calls `work` with the keys, some at a time, and the parameters that they go to. */
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

/** A row with `PLACE_COLUMNS`. */
export interface PlaceRow extends Omit<Place, "chunkId" | "documentId"> {
  readonly chunkId: Uint8Array;
  readonly documentId: Uint8Array;
}

export function placeOf({ chunk, chunkId, documentId, path, sequence }: PlaceRow): Place {
  return { chunk, chunkId: toHex(chunkId), documentId: toHex(documentId), path, sequence };
}
