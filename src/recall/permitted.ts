import { ID_BYTES, toHex } from "../engine/digest.ts";
import type { CompiledFilters } from "../search/filters.ts";
import { allChunks, type CountedChunks, chunksOfDocuments } from "../search/word-counts.ts";
import type { Database } from "../store/database.ts";
import { missingRow } from "../store/missing-row.ts";
import { storedMetadata } from "../store/stored-json.ts";
import { isPermitted, type Reader } from "./policy.ts";

/** The documents that a recall may see, as if the library held nothing else. SPEC §26.5 */
export interface Permitted {
  /** Whether that is every document of the library. */
  readonly isAll: boolean;
  /** Whether a document, given by its id in hexadecimal, may be seen. */
  has(documentId: string): boolean;
  /** The chunks of these documents, for counts of words. */
  readonly counted: CountedChunks;
  /** The ids of their chunks, concatenated; null if that is every chunk. */
  readonly chunkIds: Uint8Array | null;
}

/** Returns the documents that policy and filters let through. SPEC §26.5 */
export function permittedDocuments(
  database: Database,
  reader: Reader,
  filters: CompiledFilters | null,
): Permitted {
  const ids: Uint8Array[] = [];
  let total = 0;
  const rows = database.all<{
    documentId: Uint8Array;
    path: string;
    mime: string | null;
    modifiedAt: number | null;
    metadata: string | null;
  }>("SELECT documentId, path, mime, modifiedAt, metadata FROM documents");
  for (const { documentId, metadata: json, ...rest } of rows) {
    total++;
    const metadata = storedMetadata(database, json);
    if (!isPermitted(metadata, reader)) continue;
    const text = () => textOf(database, documentId);
    if (filters === null || filters.matches({ ...rest, metadata, text })) ids.push(documentId);
  }
  if (ids.length === total)
    return { isAll: true, has: () => true, counted: allChunks(database), chunkIds: null };
  const set = new Set(ids.map(toHex));
  return {
    isAll: false,
    has: (documentId) => set.has(documentId),
    counted: chunksOfDocuments(database, ids),
    chunkIds: chunkIdsOf(database, ids),
  };
}

function chunkIdsOf(database: Database, documentIds: readonly Uint8Array[]): Uint8Array {
  const found: Uint8Array[] = [];
  for (const documentId of documentIds) {
    database.each(
      "SELECT chunkId FROM chunks WHERE documentId = ? AND chunk NOT IN (SELECT chunk FROM unranked)",
      [documentId],
      (row) => found.push(row.blobView(0).slice()),
    );
  }
  const ids = new Uint8Array(found.length * ID_BYTES);
  for (const [i, id] of found.entries()) ids.set(id, i * ID_BYTES);
  return ids;
}

function textOf(database: Database, documentId: Uint8Array): string {
  const found = database.get<{ text: string }>("SELECT text FROM texts WHERE documentId = ?", [documentId]);
  if (found === undefined) throw missingRow(database, `the text of document ${toHex(documentId)}`);
  return found.text;
}
