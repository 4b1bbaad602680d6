import { fromHex, toHex } from "../engine/digest.ts";
import type { Database } from "../store/database.ts";
import { breadcrumb } from "../store/records.ts";

export interface DocumentInfo {
  readonly documentId: string;
  readonly path: string;
  readonly textHash: string;
  /** Of the canonical text, in UTF-8. */
  readonly bytes: number;
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  readonly metadata: unknown;
  readonly chunks: number;
}

/** A document with all of its text. */
export interface DocumentText extends DocumentInfo {
  /** Canonical. */
  readonly text: string;
}

export interface ChunkInfo {
  readonly chunkId: string;
  readonly sequence: number;
  readonly headingPath: readonly string[];
  readonly breadcrumb: string;
  /** `[start, end)` in the UTF-8 bytes of the document's canonical text. */
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly text: string;
}

/** A chunk with the document that it is of. */
export interface ChunkOfDocument extends ChunkInfo {
  readonly document: DocumentInfo;
}

/** Which part of a list, by path. */
export interface DocumentPage {
  /** Only documents whose path comes after this one, by UTF-8 bytes. */
  readonly after?: string;
  /** At most so many. */
  readonly limit?: number;
}

interface DocumentRow {
  readonly documentId: Uint8Array;
  readonly path: string;
  readonly textHash: Uint8Array;
  readonly textBytes: number;
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  readonly metadata: string | null;
  readonly chunks: number;
}

interface ChunkRow {
  readonly chunkId: Uint8Array;
  readonly sequence: number;
  readonly headings: string;
  readonly startByte: number;
  readonly endByte: number;
  readonly tokens: number;
  readonly text: string;
}

const DOCUMENT = `SELECT documentId, path, textHash, textBytes, modifiedAt, mime, metadata,
    (SELECT count(*) FROM chunks WHERE chunks.documentId = documents.documentId) AS chunks
  FROM documents`;
const CHUNK = "SELECT chunkId, sequence, headings, startByte, endByte, tokens, text FROM chunks";

export function documentsOf(database: Database, { after, limit }: DocumentPage): DocumentInfo[] {
  // No path is empty, and a limit below zero is none.
  const sql = `${DOCUMENT} WHERE path > ? ORDER BY path LIMIT ?`;
  return database.all<DocumentRow>(sql, [after ?? "", limit ?? -1]).map(documentInfo);
}

export function documentOf(database: Database, documentId: Uint8Array): DocumentText | null {
  return database.snapshot(() => {
    const row = database.get<DocumentRow>(`${DOCUMENT} WHERE documentId = ?`, [documentId]);
    if (row === undefined) return null;
    const sql = "SELECT text FROM texts WHERE documentId = ?";
    return { ...documentInfo(row), text: database.get<{ text: string }>(sql, [documentId])!.text };
  });
}

export function chunksOf(database: Database, documentId: Uint8Array): ChunkInfo[] {
  return database
    .all<ChunkRow>(`${CHUNK} WHERE documentId = ? ORDER BY sequence`, [documentId])
    .map(chunkInfo);
}

export function chunkOf(database: Database, chunkId: string): ChunkOfDocument | null {
  const id = fromHex(chunkId);
  return database.snapshot(() => {
    const row = database.get<ChunkRow>(`${CHUNK} WHERE chunkId = ?`, [id]);
    if (row === undefined) return null;
    const owner = "WHERE documentId = (SELECT documentId FROM chunks WHERE chunkId = ?)";
    const document = database.get<DocumentRow>(`${DOCUMENT} ${owner}`, [id])!;
    return { ...chunkInfo(row), document: documentInfo(document) };
  });
}

function documentInfo({ documentId, textHash, textBytes, metadata, ...rest }: DocumentRow): DocumentInfo {
  return {
    documentId: toHex(documentId),
    textHash: toHex(textHash),
    bytes: textBytes,
    metadata: metadata === null ? null : JSON.parse(metadata),
    ...rest,
  };
}

function chunkInfo({ chunkId, headings, startByte, endByte, ...rest }: ChunkRow): ChunkInfo {
  const headingPath = JSON.parse(headings) as string[];
  const names = { chunkId: toHex(chunkId), headingPath, breadcrumb: breadcrumb(headingPath) };
  return { ...names, start: startByte, end: endByte, ...rest };
}
