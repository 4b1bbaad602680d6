/** The statements that write documents, chunks and embeddings. Each runs in the open transaction. SPEC §14.2 */
import type { Format } from "../chunks/format.ts";
import { breadcrumb } from "../chunks/outline.ts";
import { utf8ToString } from "../text/canonical.ts";
import { searchText } from "../text/search-text.ts";
import { type ChunkRow, insertChunk } from "./chunks.ts";
import type { Database } from "./database.ts";

export interface DocumentRecord {
  readonly id: Uint8Array;
  readonly path: string;
  readonly format: Format;
  /** Canonical, in UTF-8. */
  readonly text: Uint8Array;
  readonly textHash: Uint8Array;
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  /** Canonical JSON; null for none. */
  readonly metadata: string | null;
}

export interface ChunkRecord {
  readonly id: Uint8Array;
  readonly sequence: number;
  readonly headingPath: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly page: number;
  readonly tokens: number;
  readonly text: string;
  readonly textHash: Uint8Array;
  /** The SimHash of its terms: 8 bytes. */
  readonly simHash: Uint8Array;
  /** The squared length of its vector of term weights, as the bits of a binary32. */
  readonly termNorm: number;
  /** Its distinct words as the vocabulary holds them. */
  readonly words: ReadonlySet<string>;
}

/** Inserts or updates a document and its text. Its chunks are unchanged. */
export function putDocument(database: Database, document: DocumentRecord): void {
  const { id, path, format, text, textHash, modifiedAt, mime, metadata } = document;
  database.run(
    `INSERT INTO documents (documentId, path, format, textHash, textBytes, modifiedAt, mime, metadata)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (documentId) DO UPDATE SET format = excluded.format, textHash = excluded.textHash,
       textBytes = excluded.textBytes, modifiedAt = excluded.modifiedAt, mime = excluded.mime,
       metadata = excluded.metadata, isOutside = 0`,
    [id, path, format, textHash, text.length, modifiedAt, mime, metadata],
  );
  database.run(
    `INSERT INTO texts (documentId, text) VALUES (?, ?)
     ON CONFLICT (documentId) DO UPDATE SET text = excluded.text`,
    [id, utf8ToString(text)],
  );
  // The stored file record describes the document's former content. Code that read this text from the file records it
  // next.
  database.run("UPDATE files SET size = -1 WHERE documentId = ?", [id]);
}

/** Stores a chunk, with its words in the form that is indexed. Returns its rowid. */
export function putChunk(database: Database, documentId: Uint8Array, chunk: ChunkRecord): number {
  return insertChunk(database, chunkRow(documentId, chunk));
}

/** A chunk as it is stored. */
export function chunkRow(documentId: Uint8Array, chunk: ChunkRecord): ChunkRow {
  const { id, sequence, headingPath, start, end, line, page, tokens, text, textHash, simHash, termNorm } =
    chunk;
  const indexed = searchText(text);
  return {
    chunkId: id,
    documentId,
    sequence,
    startByte: start,
    endByte: end,
    line,
    page,
    tokens,
    textHash,
    headings: JSON.stringify(headingPath),
    searchHeadings: searchText(breadcrumb(headingPath)),
    text,
    searchText: indexed === text ? null : indexed,
    simHash,
    termNorm,
  };
}

export function hasEmbedding(database: Database, textHash: Uint8Array, model: Uint8Array): boolean {
  const sql = "SELECT 1 AS found FROM embeddings WHERE textHash = ? AND model = ?";
  return database.get(sql, [textHash, model]) !== undefined;
}

/** Stores the vector of a text, unless it is already stored: it could only be the same. */
export function putEmbedding(
  database: Database,
  textHash: Uint8Array,
  model: Uint8Array,
  vector: Uint8Array,
): void {
  database.run(
    `INSERT INTO embeddings (textHash, model, vector) VALUES (?, ?, ?)
     ON CONFLICT (textHash, model) DO NOTHING`,
    [textHash, model, vector],
  );
}
