import type { Database } from "#dist/store/database.js";

/** 16 bytes that stand for an id or a hash: `kind` and `number`, then zeros. */
export function sampleId(kind: number, number: number): Uint8Array {
  const id = new Uint8Array(16);
  const view = new DataView(id.buffer);
  view.setUint32(0, kind);
  view.setUint32(4, number);
  return id;
}

export function insertDocument(database: Database, number: number, path: string, text: string): void {
  const id = sampleId(1, number);
  database.run("INSERT INTO documents (documentId, path, textHash, textBytes) VALUES (?, ?, ?, ?)", [
    id,
    path,
    sampleId(2, number),
    Buffer.byteLength(text),
  ]);
  database.run("INSERT INTO texts (documentId, text) VALUES (?, ?)", [id, text]);
}

export function insertChunk(
  database: Database,
  document: number,
  sequence: number,
  text: string,
  headings = "",
  searchText: string | null = null,
): void {
  database.run(
    `INSERT INTO chunks
       (chunkId, documentId, sequence, startByte, endByte, tokens, textHash, headings, searchHeadings, text, searchText)
     VALUES (?, ?, ?, 0, ?, 1, ?, '[]', ?, ?, ?)`,
    [
      sampleId(document, sequence),
      sampleId(1, document),
      sequence,
      Buffer.byteLength(text),
      sampleId(3, document * 1000 + sequence),
      headings,
      text,
      searchText,
    ],
  );
}
