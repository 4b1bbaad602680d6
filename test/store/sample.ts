import { signatureOf } from "#dist/search/signature.js";
import { insertChunk } from "#dist/store/chunks.js";
import type { Database } from "#dist/store/database.js";
import { insertDocument } from "#dist/store/documents.js";

/** 16 bytes that stand for an id or a hash: `kind` and `number`, then zeros. */
export function sampleId(kind: number, number: number): Uint8Array {
  const id = new Uint8Array(16);
  const view = new DataView(id.buffer);
  view.setUint32(0, kind);
  view.setUint32(4, number);
  return id;
}

/** Stores a document with few wishes of its own; its id is `sampleId(1, number)`. */
export function sampleDocument(database: Database, number: number, path: string, text: string): void {
  const row = {
    documentId: sampleId(1, number),
    path,
    format: "plain",
    textHash: sampleId(2, number),
    textBytes: Buffer.byteLength(text),
    modifiedAt: null,
    mime: null,
    metadata: null,
  };
  insertDocument(database, row, text);
}

/** Stores a chunk of such a document; its id is `sampleId(document, sequence)`. */
export function sampleChunk(
  database: Database,
  document: number,
  sequence: number,
  text: string,
  searchHeadings = "",
  searchText: string | null = null,
): void {
  insertChunk(database, {
    chunkId: sampleId(document, sequence),
    documentId: sampleId(1, document),
    sequence,
    startByte: 0,
    endByte: Buffer.byteLength(text),
    line: 1,
    page: 1,
    tokens: 1,
    textHash: sampleId(3, document * 1000 + sequence),
    headings: "[]",
    searchHeadings,
    text,
    searchText,
    ...signatureOf(searchText ?? text, searchHeadings),
  });
}
