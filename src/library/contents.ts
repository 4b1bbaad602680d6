import type { Format } from "../chunks/format.ts";
import { breadcrumb } from "../chunks/outline.ts";
import { fromHex, toHex } from "../engine/digest.ts";
import { badArgument, stringArgument, textsArgument } from "../errors/arguments.ts";
import { hasPages } from "../files/mime.ts";
import { compileGlobs } from "../search/glob.ts";
import type { Database } from "../store/database.ts";
import type { DocumentRow } from "../store/documents.ts";
import { missingRow } from "../store/missing-row.ts";
import { storedFields, storedFormat, storedHeadings, storedMetadata } from "../store/stored-json.ts";

/** A document that a library holds. */
export interface DocumentInfo {
  /** The id, of namespace and path, in hexadecimal. SPEC §12.2 */
  readonly documentId: string;
  /** Its name: the path relative to the library's root folder, with `/`. */
  readonly path: string;
  /** How its text is read: `markdown`, `code` or `plain`. SPEC §11.2 */
  readonly format: Format;
  /**
   * The hash of the canonical text, in hexadecimal; if its chunks were made elsewhere, the digest of all of them. SPEC
   * §12.3, §23.2
   */
  readonly textHash: string;
  /** The length of the canonical text in UTF-8. */
  readonly bytes: number;
  /** Milliseconds since 1970, if given. */
  readonly modifiedAt: number | null;
  /** The media type, such as `text/markdown`, if given. */
  readonly mime: string | null;
  /** The metadata given with it, if any. */
  readonly metadata: unknown;
  /** The number of its chunks. */
  readonly chunks: number;
}

/** A document with its whole text. */
export interface DocumentText extends DocumentInfo {
  /** The canonical text. */
  readonly text: string;
}

/** Some lines of a document. */
export interface DocumentLines {
  /** The document. */
  readonly document: DocumentInfo;
  /** The first line, from 1. */
  readonly from: number;
  /** The last line. */
  readonly to: number;
  /** How many lines the document has. */
  readonly total: number;
  /** The lines, without their ends. */
  readonly lines: readonly string[];
}

/** A part of a document: the unit that search finds. */
export interface ChunkInfo {
  /** The id, of document, position, headings and text, in hexadecimal; or the UUID that it came with. SPEC §12.4 */
  readonly chunkId: string;
  /** Its position in the document, from 0. */
  readonly sequence: number;
  /** The titles of the headings above it, outermost first. */
  readonly headingPath: readonly string[];
  /** The same titles in one line: `Trees > Roots`. */
  readonly breadcrumb: string;
  /** Where it starts, in the UTF-8 bytes of the document's canonical text. */
  readonly start: number;
  /** Where it ends: the byte after its last. */
  readonly end: number;
  /** The line that it starts in, from 1: of the file as it is on disk, or of the text that was read out of it. */
  readonly line: number;
  /** The page that it starts on, from 1; null if the document has no pages. */
  readonly page: number | null;
  /** The number of tokens of the text, including both special tokens. */
  readonly tokens: number;
  /** The text itself. */
  readonly text: string;
  /** The fields that came with a chunk that was made elsewhere; null for one that was cut here. SPEC §23.1 */
  readonly fields: { readonly [name: string]: unknown } | null;
}

/** A chunk with its document. */
export interface ChunkOfDocument extends ChunkInfo {
  /** The document. */
  readonly document: DocumentInfo;
}

/** Selects a part of a list that is ordered by path. */
export interface DocumentPage {
  /** Only documents whose path comes after this one, by UTF-8 bytes. */
  readonly after?: string;
  /** Only documents whose path matches one of these patterns, such as `docs/**`. SPEC §17.1 */
  readonly match?: string | readonly string[];
  /** The most documents to return. */
  readonly limit?: number;
}

/** Includes the number of chunks. */
interface CountedRow extends DocumentRow {
  readonly chunks: number;
}

interface ChunkRow {
  readonly chunkId: Uint8Array;
  readonly sequence: number;
  readonly headings: string;
  readonly startByte: number;
  readonly endByte: number;
  readonly line: number;
  readonly page: number;
  /** Of the document. */
  readonly mime: string | null;
  readonly tokens: number;
  readonly text: string;
  readonly fields: string | null;
}

const DOCUMENT = `SELECT documentId, path, format, textHash, textBytes, modifiedAt, mime, metadata,
    (SELECT count(*) FROM chunks WHERE chunks.documentId = documents.documentId) AS chunks
  FROM documents`;
const CHUNK = `SELECT chunkId, sequence, headings, startByte, endByte, line, page, mime, tokens, text, fields
  FROM chunks JOIN documents USING (documentId) LEFT JOIN outsideChunks USING (chunk)`;

/** How many rows are read at a time where a pattern leaves some out. */
const ROWS_AT_ONCE = 500;

export function documentsOf(database: Database, page: DocumentPage): DocumentInfo[] {
  const { after, limit, match } = page;
  if (after !== undefined) stringArgument("after", after);
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
    throw badArgument("limit", "a whole number from 0", limit);
  // No path is empty, and a negative limit means no limit.
  const sql = `${DOCUMENT} WHERE path > ? ORDER BY path LIMIT ?`;
  if (match === undefined)
    return database
      .all<CountedRow>(sql, [after ?? "", limit ?? -1])
      .map((row) => documentInfo(database, row));
  const globs = compileGlobs(typeof match === "string" ? [match] : textsArgument("match", match), "match");
  return database.snapshot(() => {
    const found: DocumentInfo[] = [];
    for (let last = after ?? ""; found.length < (limit ?? Number.POSITIVE_INFINITY); ) {
      const rows = database.all<CountedRow>(sql, [last, ROWS_AT_ONCE]);
      for (const row of rows) if (globs.matches(row.path)) found.push(documentInfo(database, row));
      if (rows.length < ROWS_AT_ONCE) break;
      last = rows.at(-1)!.path;
    }
    return limit === undefined ? found : found.slice(0, limit);
  });
}

/** Returns the lines of a document from one to another; null if it does not exist. */
export function linesIn(document: DocumentText | null, from: number, to: number): DocumentLines | null {
  for (const [name, line] of Object.entries({ from, to }))
    if (!Number.isSafeInteger(line)) throw badArgument(name, "a whole number", line);
  if (document === null) return null;
  const { text, ...info } = document;
  const all = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const first = Math.min(Math.max(from, 1), Math.max(all.length, 1));
  const last = Math.min(Math.max(to, first), all.length);
  return { document: info, from: first, to: last, total: all.length, lines: all.slice(first - 1, last) };
}

export function documentOf(database: Database, documentId: Uint8Array): DocumentText | null {
  return database.snapshot(() => {
    const row = database.get<CountedRow>(`${DOCUMENT} WHERE documentId = ?`, [documentId]);
    if (row === undefined) return null;
    const sql = "SELECT text FROM texts WHERE documentId = ?";
    const found = database.get<{ text: string }>(sql, [documentId]);
    if (found === undefined) throw missingRow(database, `the text of ${row.path}`);
    return { ...documentInfo(database, row), text: found.text };
  });
}

export function chunksOf(database: Database, documentId: Uint8Array): ChunkInfo[] {
  return database
    .all<ChunkRow>(`${CHUNK} WHERE documentId = ? ORDER BY sequence`, [documentId])
    .map((row) => chunkInfo(database, row));
}

export function chunkOf(database: Database, chunkId: string): ChunkOfDocument | null {
  const id = fromHex(chunkId);
  return database.snapshot(() => {
    const row = database.get<ChunkRow>(`${CHUNK} WHERE chunkId = ?`, [id]);
    if (row === undefined) return null;
    const owner = "WHERE documentId = (SELECT documentId FROM chunks WHERE chunkId = ?)";
    const document = database.get<CountedRow>(`${DOCUMENT} ${owner}`, [id]);
    if (document === undefined) throw missingRow(database, `the document of chunk ${chunkId}`);
    return { ...chunkInfo(database, row), document: documentInfo(database, document) };
  });
}

export function pathsOf(database: Database, ids: readonly string[]): (string | null)[] {
  const sql = "SELECT path FROM documents WHERE documentId = unhex(?)";
  return ids.map((id) => database.get<{ path: string }>(sql, [id])?.path ?? null);
}

function documentInfo(database: Database, row: CountedRow): DocumentInfo {
  const { documentId, format, textHash, textBytes, metadata, ...rest } = row;
  return {
    documentId: toHex(documentId),
    format: storedFormat(database, format),
    textHash: toHex(textHash),
    bytes: textBytes,
    metadata: storedMetadata(database, metadata),
    ...rest,
  };
}

function chunkInfo(database: Database, row: ChunkRow): ChunkInfo {
  const { chunkId, headings, startByte, endByte, mime, fields: given, ...rest } = row;
  const fields = given === null ? null : storedFields(database, given);
  const headingPath = storedHeadings(database, headings);
  const names = { chunkId: toHex(chunkId), headingPath, breadcrumb: breadcrumb(headingPath) };
  const page = hasPages(mime) ? rest.page : null;
  return { ...names, start: startByte, end: endByte, ...rest, page, fields };
}
