/** Large libraries without a model: chunks as they are given, with vectors as they are given. */

import { chunkIds, textHashes } from "#dist/identity/ids.js";
import { modelDigest } from "#dist/library/canon.js";
import { prepareDocuments } from "#dist/library/document-input.js";
import type { ChunkedDocument } from "#dist/library/ingest.js";
import type { LibraryParts } from "#dist/library/library.js";
import { putEmbedding } from "#dist/store/records.js";
import { littleEndianBytes } from "#dist/vectors/vector.js";

export interface WrittenDocument {
  readonly path: string;
  readonly modifiedAt?: number;
  /** Canonical texts; one after the other they are the document's. */
  readonly chunks: readonly string[];
}

/** Writes documents in one transaction; `vector` is asked for each chunk in turn. */
export function writeChunks(
  parts: LibraryParts,
  documents: readonly WrittenDocument[],
  vector: (text: string) => Int16Array,
): void {
  const model = modelDigest(parts.engine, parts.canon);
  parts.database.transaction(() => {
    const batch = documents.map((document) => chunked(parts, document));
    parts.ingest.write(batch);
    for (const { text, textHash } of batch.flatMap(({ chunks }) => chunks ?? []))
      putEmbedding(parts.database, textHash, model, littleEndianBytes(vector(text)));
  });
}

function chunked(
  { engine, canon }: LibraryParts,
  { path, modifiedAt, chunks }: WrittenDocument,
): ChunkedDocument {
  const input = { path, text: chunks.join(""), modifiedAt: modifiedAt ?? null, mime: "text/markdown" };
  const document = prepareDocuments(engine, canon.namespace, [path], [input])[0]!;
  const bytes = chunks.map((text) => Buffer.from(text));
  const hashes = textHashes(engine, bytes);
  let end = 0;
  const records = chunks.map((text, sequence) => {
    const start = end;
    end += bytes[sequence]!.length;
    return { sequence, headingPath: [], start, end, tokens: 1, text, textHash: hashes[sequence]! };
  });
  const ids = chunkIds(engine, document.id, records);
  return { document, chunks: records.map((record, i) => ({ ...record, id: ids[i]! })) };
}
