import { toHex } from "../../engine/digest.ts";
import type { Engine } from "../../engine/engine.ts";
import { textHash } from "../../identity/ids.ts";
import { outsideDigests, outsideLeaf, outsideMetadataHash } from "../../identity/outside.ts";
import { compareChunks, sharedFields } from "../../identity/outside-order.ts";
import { signatureOf } from "../../search/signature.ts";
import type { Database } from "../../store/database.ts";
import { sparseOf } from "../../store/outside.ts";
import { chunkRow } from "../../store/records.ts";
import { storedFields } from "../../store/stored-json.ts";
import { utf8 } from "../../text/canonical.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import { searchText } from "../../text/search-text.ts";
import { lineBreaks } from "./outside-writer.ts";

interface Row {
  readonly chunk: number;
  readonly chunkId: Uint8Array;
  readonly sequence: number;
  readonly startByte: number;
  readonly endByte: number;
  readonly textHash: Uint8Array;
  readonly headings: string;
  readonly searchHeadings: string;
  readonly text: string;
  readonly searchText: string | null;
  readonly digest: Uint8Array | null;
  readonly fields: string | null;
  readonly bm25Terms: string | null;
  /** Its vector. */
  readonly given: Uint8Array | null;
  readonly line: number;
  readonly simHash: Uint8Array | null;
  readonly termNorm: number | null;
}

/** What the chunks of a document give, and what is wrong with them. */
export interface OutsideCheck {
  readonly chunks: number;
  readonly leaf: Uint8Array<ArrayBuffer>;
  readonly metadataHash: Uint8Array<ArrayBuffer>;
  readonly metadata: string | null;
  /** null if nothing is wrong. */
  readonly bad: string | null;
}

/** Derives a document from its outside chunks again. SPEC §23.2 */
export function checkOutsideDocument(
  engine: Engine,
  database: Database,
  document: { readonly documentId: Uint8Array; readonly path: string; readonly storedText: string | null },
  dimension: number | null,
): OutsideCheck {
  const rows = database
    .all<Row>(
      `SELECT chunk, chunkId, sequence, startByte, endByte, textHash, headings, searchHeadings, text, searchText,
              digest, fields, bm25Terms, outsideVectors.vector AS given, line, simHash, termNorm
       FROM chunks LEFT JOIN signatures USING (chunk) LEFT JOIN outsideChunks USING (chunk) LEFT JOIN outsideVectors USING (chunk)
       WHERE documentId = ? ORDER BY sequence`,
      [document.documentId],
    )
    .map((row) => ({ ...row, id: row.chunkId, parsed: storedFields(database, row.fields ?? "{}") }));
  const ordered = rows
    .map((row) => ({ row, id: row.id, fields: row.parsed }))
    .sort(compareChunks)
    .map(({ row }) => row);
  const digests = outsideDigests(
    engine,
    ordered.map((row) => ({
      id: row.id,
      textHash: textHash(engine, utf8(row.text)),
      vector: row.given,
      sparse: sparseOf(database, row.chunk),
    })),
  );
  const text = utf8(document.storedText ?? "");
  let bad: string | null = null;
  let at = 0;
  let line = 1;
  for (const [i, row] of ordered.entries()) {
    const bytes = utf8(row.text);
    const expected = chunkRow(document.documentId, {
      ...{ id: row.id, sequence: i, headingPath: [], start: at, end: at + bytes.length, line, page: 1 },
      ...{ tokens: 0, text: row.text, textHash: textHash(engine, bytes) },
      ...signatureOf(searchText(row.text), ""),
    });
    const isRight =
      row.digest !== null &&
      toHex(row.digest) === toHex(digests[i]!) &&
      toHex(row.textHash) === toHex(expected.textHash) &&
      row.sequence === i &&
      row.startByte === expected.startByte &&
      row.endByte === expected.endByte &&
      row.line === line &&
      row.simHash !== null &&
      toHex(row.simHash) === toHex(expected.simHash) &&
      row.termNorm === expected.termNorm &&
      row.headings === expected.headings &&
      row.searchHeadings === expected.searchHeadings &&
      row.searchText === expected.searchText &&
      row.fields === canonicalJson(row.parsed) &&
      (dimension === null) === (row.given === null) &&
      toHex(text.subarray(at, at + bytes.length)) === toHex(bytes);
    if (!isRight) bad ??= `${document.path}#${i} is not what was given with it`;
    at += bytes.length + 2;
    line += lineBreaks(bytes) + 2;
  }
  return {
    chunks: rows.length,
    leaf: outsideLeaf(engine, digests),
    metadataHash: outsideMetadataHash(
      engine,
      ordered.map((row) => ({ fields: row.fields ?? "", bm25: row.bm25Terms })),
    ),
    metadata: sharedFields(ordered.map((row) => ({ id: row.id, fields: row.parsed }))),
    bad,
  };
}
