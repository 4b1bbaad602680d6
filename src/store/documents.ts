import { deleteChunks, type OnRemovedChunk } from "./chunks.ts";
import type { Database } from "./database.ts";
import { deleteLinks } from "./links.ts";

/** A document as it is stored, without its chunks. */
export interface DocumentRow {
  readonly documentId: Uint8Array;
  readonly path: string;
  /** `markdown`, `code` or `plain`. */
  readonly format: string;
  readonly textHash: Uint8Array;
  /** Length of the canonical text. */
  readonly textBytes: number;
  /** Milliseconds since 1970, as the user gave it. */
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  /** JSON. */
  readonly metadata: string | null;
}

/** Stores a new document, with its canonical text. */
export function insertDocument(database: Database, row: DocumentRow, text: string): void {
  database.run(
    `INSERT INTO documents (documentId, path, format, textHash, textBytes, modifiedAt, mime, metadata)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[row.documentId, row.path, row.format, row.textHash, row.textBytes],
      ...[row.modifiedAt, row.mime, row.metadata],
    ],
  );
  database.run("INSERT INTO texts (documentId, text) VALUES (?, ?)", [row.documentId, text]);
}

/** Removes a document with its text, its file record and its chunks. Returns false if there is none with that id. */
export function deleteDocument(
  database: Database,
  documentId: Uint8Array,
  onRemoved?: OnRemovedChunk,
): boolean {
  deleteChunks(database, documentId, onRemoved);
  deleteLinks(database, documentId);
  database.run("DELETE FROM files WHERE documentId = ?", [documentId]);
  database.run("DELETE FROM texts WHERE documentId = ?", [documentId]);
  return database.run("DELETE FROM documents WHERE documentId = ?", [documentId]) > 0;
}
