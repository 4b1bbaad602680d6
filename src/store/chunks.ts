import type { Database } from "./database.ts";

/** A chunk as it is stored. */
export interface ChunkRow {
  readonly chunkId: Uint8Array;
  readonly documentId: Uint8Array;
  readonly sequence: number;
  /** The position of its text in the document's canonical text, in bytes. */
  readonly startByte: number;
  readonly endByte: number;
  /** The line and the page that it starts on, from 1. */
  readonly line: number;
  readonly page: number;
  readonly tokens: number;
  readonly textHash: Uint8Array;
  /** JSON, outermost first. */
  readonly headings: string;
  /** The headings as they are indexed. */
  readonly searchHeadings: string;
  readonly text: string;
  /** The text as it is indexed; null if that is the text itself. */
  readonly searchText: string | null;
  /** 8 bytes. */
  readonly simHash: Uint8Array;
  /** The bits of a binary32. */
  readonly termNorm: number;
}

interface IndexedRow {
  readonly chunk: number;
  readonly text: string;
  readonly headings: string;
}

/** What is stored beside a chunk: its signature, and what may have come with one that was made elsewhere. */
const TABLES_BESIDE = ["signatures", "outsideChunks", "outsideVectors", "sparseVectors"];

// The index stores no text, so the code that changes `chunks` must tell it what is removed and what is added. Only
// these functions do so. Triggers would do it automatically, at five times the cost (measured): a statement with a
// trigger is its own savepoint, and at each savepoint FTS5 writes out what it has gathered. For the same reason these
// are single rows, and no foreign keys are enforced.

/** Stores a chunk and indexes it. Returns its row. */
export function insertChunk(database: Database, row: ChunkRow): number {
  const chunk = database.insert(
    `INSERT INTO chunks
       (chunkId, documentId, sequence, startByte, endByte, line, page, tokens, textHash, headings, searchHeadings, text,
        searchText)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.chunkId,
      row.documentId,
      row.sequence,
      row.startByte,
      row.endByte,
      row.line,
      row.page,
      row.tokens,
      row.textHash,
      row.headings,
      row.searchHeadings,
      row.text,
      row.searchText,
    ],
  );
  database.run("INSERT INTO search (rowid, text, headings) VALUES (?, ?, ?)", [
    chunk,
    row.searchText ?? row.text,
    row.searchHeadings,
  ]);
  database.run("INSERT INTO signatures (chunk, simHash, termNorm) VALUES (?, ?, ?)", [
    chunk,
    row.simHash,
    row.termNorm,
  ]);
  return chunk;
}

/** Called with what is indexed of a chunk that is removed. */
export type OnRemovedChunk = (searchText: string, searchHeadings: string) => void;

/** Removes one chunk. Returns false if there is none with that id. */
export function deleteChunk(database: Database, chunkId: Uint8Array, onRemoved?: OnRemovedChunk): boolean {
  const row = database.get<IndexedRow>(
    "SELECT chunk, coalesce(searchText, text) AS text, searchHeadings AS headings FROM chunks WHERE chunkId = ?",
    [chunkId],
  );
  if (row === undefined) return false;
  unindex(database, row, onRemoved);
  for (const table of [...TABLES_BESIDE, "chunks"])
    database.run(`DELETE FROM ${table} WHERE chunk = ?`, [row.chunk]);
  return true;
}

/** Removes all chunks of a document and returns how many there were. */
export function deleteChunks(database: Database, documentId: Uint8Array, onRemoved?: OnRemovedChunk): number {
  const rows = database.all<IndexedRow>(
    `SELECT chunk, coalesce(searchText, text) AS text, searchHeadings AS headings FROM chunks
     WHERE documentId = ? ORDER BY sequence`,
    [documentId],
  );
  if (rows.length === 0) return 0;
  for (const row of rows) unindex(database, row, onRemoved);
  for (const table of TABLES_BESIDE)
    database.run(`DELETE FROM ${table} WHERE chunk IN (SELECT chunk FROM chunks WHERE documentId = ?)`, [
      documentId,
    ]);
  return database.run("DELETE FROM chunks WHERE documentId = ?", [documentId]);
}

/**
 * Takes a chunk out of the index of words, or puts it back. It stays stored. `unranked` lists the chunks that are out.
 */
export function setRanked(database: Database, chunk: number, isRanked: boolean): void {
  const row = database.get<IndexedRow>(
    "SELECT chunk, coalesce(searchText, text) AS text, searchHeadings AS headings FROM chunks WHERE chunk = ?",
    [chunk],
  );
  if (row === undefined) return;
  if (isRanked) {
    if (database.run("DELETE FROM unranked WHERE chunk = ?", [chunk]) === 0) return;
    database.run("INSERT INTO search (rowid, text, headings) VALUES (?, ?, ?)", [
      chunk,
      row.text,
      row.headings,
    ]);
  } else if (database.run("INSERT OR IGNORE INTO unranked (chunk) VALUES (?)", [chunk]) > 0) {
    deleteWords(database, row);
  }
}

function unindex(database: Database, row: IndexedRow, onRemoved?: OnRemovedChunk): void {
  onRemoved?.(row.text, row.headings);
  if (database.run("DELETE FROM unranked WHERE chunk = ?", [row.chunk]) === 0) deleteWords(database, row);
}

function deleteWords(database: Database, { chunk, text, headings }: IndexedRow): void {
  database.run("INSERT INTO search (search, rowid, text, headings) VALUES ('delete', ?, ?, ?)", [
    chunk,
    text,
    headings,
  ]);
}
