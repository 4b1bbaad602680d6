import { fromHex, toHex } from "../engine/digest.ts";
import { hasPages } from "../files/mime.ts";
import type { Database } from "../store/database.ts";
import { missingRow } from "../store/missing-row.ts";
import { storedFields, storedHeadings, storedMetadata } from "../store/stored-json.ts";
import { rowsByKeys } from "./chunk-places.ts";

/** What is displayed of a chunk. SPEC §20.5 */
export interface Content {
  readonly line: number;
  readonly page: number | null;
  readonly text: string;
  /** The text as indexed. */
  readonly searchText: string;
  readonly headingPath: readonly string[];
  readonly fields: { readonly [name: string]: unknown } | null;
  readonly document: {
    readonly modifiedAt: number | null;
    readonly mime: string | null;
    readonly metadata: unknown;
  };
}

/**
 * Returns the contents of chunks, by chunk id: a cached ranking outlives the rowids of its chunks, which a write can
 * change. Throws if one does not exist.
 */
export function contentsOf(database: Database, chunkIds: readonly string[]): Map<string, Content> {
  const rows = rowsByKeys<{
    chunkId: Uint8Array;
    headings: string;
    line: number;
    page: number;
    text: string;
    searchText: string | null;
    modifiedAt: number | null;
    mime: string | null;
    metadata: string | null;
    fields: string | null;
  }>(
    database,
    `SELECT chunkId, headings, line, page, chunks.text AS text, searchText, modifiedAt, mime, metadata, fields
     FROM chunks JOIN documents USING (documentId) LEFT JOIN outsideChunks USING (chunk)`,
    "chunkId",
    chunkIds.map(fromHex),
  );
  const contents = new Map<string, Content>(
    rows.map((row) => {
      const { chunkId, headings, line, page, text, searchText, modifiedAt, mime, metadata } = row;
      const fields = row.fields === null ? null : storedFields(database, row.fields);
      const document = { modifiedAt, mime, metadata: storedMetadata(database, metadata) };
      const headingPath = storedHeadings(database, headings);
      const place = { line, page: hasPages(mime) ? page : null };
      return [
        toHex(chunkId),
        { ...place, text, searchText: searchText ?? text, headingPath, fields, document },
      ];
    }),
  );
  const missing = chunkIds.find((id) => !contents.has(id));
  if (missing !== undefined) throw missingRow(database, `chunk ${missing}`);
  return contents;
}
