/**
 * What is stored beside a chunk that was made elsewhere: its fields, its dense vector, its sparse vector. Each function
 * that writes runs in the open transaction.
 */
import { writeU32 } from "../engine/byte-order.ts";
import { fromHex } from "../engine/digest.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import type { Database } from "./database.ts";
import { damagedRow } from "./failure.ts";
import { deleteLinks } from "./links.ts";
import { missingRow } from "./missing-row.ts";
import { type DocumentRecord, putDocument } from "./records.ts";

/** A term of a sparse vector with its integer weight. */
export interface SparseEntry {
  readonly term: string;
  /** A whole number from 1 to 2³² − 1. */
  readonly weight: number;
}

/** What is stored beside an outside chunk. */
export interface OutsideRow {
  /** The 32 bytes that cover id, text, vector and sparse weights. */
  readonly digest: Uint8Array;
  /** Canonical JSON of every other field. */
  readonly fields: string;
  /** Canonical JSON of the BM25 terms and weights, as given; null if there are none. */
  readonly bm25: string | null;
  /** i16, little-endian; null in a library whose vectors come from its model. */
  readonly vector: Uint8Array | null;
  /** null if none was given. */
  readonly sparse: readonly SparseEntry[] | null;
}

const ENTRY_BYTES = 8;

/** Inserts or updates the document of outside chunks, and its text. `textHash` is its value in the root. */
export function putOutsideDocument(database: Database, document: DocumentRecord): void {
  putDocument(database, document);
  deleteLinks(database, document.id);
  database.run("UPDATE documents SET isOutside = 1 WHERE documentId = ?", [document.id]);
}

/** Stores what came with a chunk. */
export function putOutside(database: Database, chunk: number, row: OutsideRow): void {
  const { digest, fields, bm25, vector, sparse } = row;
  database.run("INSERT INTO outsideChunks (chunk, digest, fields, bm25Terms) VALUES (?, ?, ?, ?)", [
    chunk,
    digest,
    fields,
    bm25,
  ]);
  if (vector !== null)
    database.run("INSERT INTO outsideVectors (chunk, vector) VALUES (?, ?)", [chunk, vector]);
  if (sparse === null) return;
  const entries = new Uint8Array(ENTRY_BYTES * sparse.length);
  for (const [i, { term, weight }] of sparse.entries())
    writeU32(entries, writeU32(entries, ENTRY_BYTES * i, termNumber(database, term)), weight);
  database.run("INSERT INTO sparseVectors (chunk, entries) VALUES (?, ?)", [chunk, entries]);
}

/** Returns the number of a term in this file. Numbers depend on history: no result may depend on them. */
function termNumber(database: Database, term: string): number {
  const found = database.get<{ sparseTerm: number }>("SELECT sparseTerm FROM sparseTerms WHERE term = ?", [
    term,
  ]);
  return found?.sparseTerm ?? database.insert("INSERT INTO sparseTerms (term) VALUES (?)", [term]);
}

/** Calls `visit` with every term and its number. */
export function eachSparseTerm(database: Database, visit: (sparseTerm: number, term: string) => void): void {
  database.each("SELECT sparseTerm, term FROM sparseTerms ORDER BY sparseTerm", [], (row) =>
    visit(row.value(0) as number, row.value(1) as string),
  );
}

/**
 * Calls `visit` with the id, the entries and the document of ranked chunks that have a sparse vector, by id ascending. The
 * bytes are valid during the call: pairs (sparseTerm, weight) as u32, little-endian.
 *
 * @param after where to go on: chunks with larger ids; default: from the start
 * @param most the most chunks; default: all
 * @returns the last id, if there may be more after it; null otherwise
 */
export function eachSparseVector(
  database: Database,
  visit: (chunkId: Uint8Array, entries: Uint8Array, documentId: Uint8Array) => void,
  after: Uint8Array = new Uint8Array(0),
  most = -1,
): Uint8Array | null {
  let count = 0;
  let last: Uint8Array | null = null;
  database.each(
    `SELECT chunkId, entries, documentId FROM chunks CROSS JOIN sparseVectors USING (chunk)
     WHERE chunkId > ? AND chunk NOT IN (SELECT chunk FROM unranked) ORDER BY chunkId LIMIT ?`,
    [after, most],
    (row) => {
      if (++count === most) last = row.blobView(0).slice();
      visit(row.blobView(0), row.blobView(1), row.blobView(2));
    },
  );
  return last;
}

/** Returns the sparse vectors of the ranked chunks of a document, whose id is given in hexadecimal. */
export function sparseVectorsOf(
  database: Database,
  documentId: string,
): { readonly chunkId: Uint8Array; readonly entries: Uint8Array }[] {
  return database.all(
    `SELECT chunkId, entries FROM chunks JOIN sparseVectors USING (chunk)
     WHERE documentId = ? AND chunk NOT IN (SELECT chunk FROM unranked)`,
    [fromHex(documentId)],
  );
}

/** Calls `visit` with every outside document and its value in the root. The bytes are valid during the call. */
export function eachOutsideDocument(
  database: Database,
  visit: (documentId: Uint8Array, value: Uint8Array) => void,
): void {
  database.each("SELECT documentId, textHash FROM documents WHERE isOutside = 1", [], (row) =>
    visit(row.blobView(0), row.blobView(1)),
  );
}

/** Returns how many chunks `eachSparseVector` visits and how many entries they have, and one more than the largest term. */
export function sparseCounts(database: Database): { chunks: number; entries: number; termNumbers: number } {
  const { chunks, entryCount, termNumbers } = database.get<{
    chunks: number;
    entryCount: number;
    termNumbers: number;
  }>(
    `SELECT count(*) AS chunks, coalesce(sum(length(entries)), 0) / ${ENTRY_BYTES} AS entryCount,
       (SELECT coalesce(max(sparseTerm), 0) + 1 FROM sparseTerms) AS termNumbers
     FROM sparseVectors WHERE chunk NOT IN (SELECT chunk FROM unranked)`,
  )!;
  return { chunks, entries: entryCount, termNumbers };
}

/** Returns the sparse vector of a chunk, by term in the order of UTF-8 bytes; null if it has none. */
export function sparseOf(database: Database, chunk: number): SparseEntry[] | null {
  const row = database.get<{ entries: Uint8Array }>("SELECT entries FROM sparseVectors WHERE chunk = ?", [
    chunk,
  ]);
  if (row === undefined) return null;
  const { entries } = row;
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  const out: SparseEntry[] = [];
  for (let at = 0; at < entries.length; at += ENTRY_BYTES) {
    const number = view.getUint32(at, true);
    const weight = view.getUint32(at + 4, true);
    const found = database.get<{ term: string }>("SELECT term FROM sparseTerms WHERE sparseTerm = ?", [
      number,
    ]);
    if (found === undefined) throw missingRow(database, `the term ${number} of a sparse vector`);
    if (weight === 0) throw damagedRow(database.name, "a sparse weight of 0");
    out.push({ term: found.term, weight });
  }
  return out.sort((a, b) => compareUtf8(a.term, b.term));
}

/** Drops the terms that no sparse vector has, in the open transaction. */
export function pruneSparseTerms(database: Database): void {
  const used = new Set<number>();
  database.each("SELECT entries FROM sparseVectors", [], (row) => {
    const entries = row.blobView(0);
    const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
    for (let at = 0; at < entries.length; at += ENTRY_BYTES) used.add(view.getUint32(at, true));
  });
  const unused: number[] = [];
  eachSparseTerm(database, (sparseTerm) => {
    if (!used.has(sparseTerm)) unused.push(sparseTerm);
  });
  for (const sparseTerm of unused) database.run("DELETE FROM sparseTerms WHERE sparseTerm = ?", [sparseTerm]);
}
