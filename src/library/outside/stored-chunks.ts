import { vectorOf } from "../../engine/byte-order.ts";
import { badArgument } from "../../errors/arguments.ts";
import { uuidOf } from "../../identity/uuid.ts";
import type { Database } from "../../store/database.ts";
import { sparseOf } from "../../store/outside.ts";
import { storedFields, storedTerms } from "../../store/stored-json.ts";
import { SPARSE_ONE } from "../../vectors/sparse-weight.ts";
import { type OutsideChunk, uuidBytes } from "./outside-record.ts";

/** Which outside chunks `Library.outsideChunks` returns. */
export interface OutsideChunksPage {
  /** Those after this UUID; default: from the first. */
  readonly after?: string;
  /** At most this many, up to 10,000; default 1,000. */
  readonly limit?: number;
}

interface Row {
  readonly chunk: number;
  readonly chunkId: Uint8Array;
  readonly path: string;
  readonly text: string;
  readonly fields: string;
  readonly bm25Terms: string | null;
  readonly given: Uint8Array | null;
}

const LIMIT = { byDefault: 1_000, most: 10_000 };
/** Components are i16 of a unit vector: eight digits bring the same integers back. */
const SCALE = 32_767;
const DIGITS = 8;

/** Returns outside chunks by UUID, with everything that came with them, as `ingest` takes them. SPEC §23.1 */
export function storedChunks(database: Database, { after, limit }: OutsideChunksPage): OutsideChunk[] {
  const most = limit ?? LIMIT.byDefault;
  if (!Number.isInteger(most) || most < 1 || most > LIMIT.most)
    throw badArgument("limit", `a whole number from 1 to ${LIMIT.most}`, limit);
  const from = after === undefined ? new Uint8Array(0) : uuidBytes(after);
  return database.snapshot(() =>
    database
      .all<Row>(
        `SELECT chunk, chunkId, path, chunks.text AS text, fields, bm25Terms, outsideVectors.vector AS given
         FROM chunks CROSS JOIN outsideChunks USING (chunk) JOIN documents USING (documentId)
           LEFT JOIN outsideVectors USING (chunk)
         WHERE chunkId > ? ORDER BY chunkId LIMIT ?`,
        [from, most],
      )
      .map((row) => recordOf(database, row)),
  );
}

function recordOf(database: Database, row: Row): OutsideChunk {
  const { chunk, chunkId, path, text, fields, bm25Terms, given } = row;
  const sparse = sparseOf(database, chunk);
  return {
    uuid: uuidOf(chunkId),
    doc_id: path,
    text,
    ...storedFields(database, fields),
    ...(given === null
      ? {}
      : { vector: Array.from(vectorOf(given), (value) => Number((value / SCALE).toPrecision(DIGITS))) }),
    ...(sparse === null
      ? {}
      : {
          sparse: {
            terms: sparse.map(({ term }) => term),
            weights: sparse.map(({ weight }) => weight / SPARSE_ONE),
          },
        }),
    ...(bm25Terms === null ? {} : { bm25: storedTerms(database, bm25Terms) }),
  };
}
