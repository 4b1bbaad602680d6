/** Large libraries without a model: chunks as they are given, with vectors as they are given. */

import { littleEndianBytes } from "#dist/engine/byte-order.js";
import { chunkIds, textHashes } from "#dist/identity/ids.js";
import { nameDocument } from "#dist/library/document-input.js";
import type { ChunkedDocument } from "#dist/library/ingest.js";
import type { LibraryParts } from "#dist/library/library-parts.js";
import { signatureOf } from "#dist/search/signature.js";
import { putEmbedding } from "#dist/store/records.js";
import { canonicalBytes } from "#dist/text/canonical.js";
import { searchText } from "#dist/text/search-text.js";

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
  const { model } = parts.state;
  parts.database.transaction(() => {
    const batch = documents.map((document) => chunked(parts, document));
    parts.ingest.write(batch);
    for (const { text, textHash } of batch.flatMap(({ chunks }) => chunks ?? []))
      putEmbedding(parts.database, textHash, model, littleEndianBytes(vector(text)));
  });
}

function chunked(
  { engine, state }: LibraryParts,
  { path, modifiedAt, chunks }: WrittenDocument,
): ChunkedDocument {
  const known = { format: null, modifiedAt: modifiedAt ?? null, mime: "text/markdown", metadata: null };
  const canonical = canonicalBytes(engine, chunks.join(""));
  const document = nameDocument(engine, state.canon.namespace, path, known, canonical);
  const bytes = chunks.map((text) => Buffer.from(text));
  const hashes = textHashes(engine, bytes);
  let end = 0;
  const records = chunks.map((text, sequence) => {
    const start = end;
    end += bytes[sequence]!.length;
    const signature = signatureOf(searchText(text), "");
    return {
      sequence,
      headingPath: [],
      start,
      end,
      line: 1,
      page: 1,
      tokens: 1,
      text,
      textHash: hashes[sequence]!,
      ...signature,
    };
  });
  const ids = chunkIds(engine, document.id, records);
  return { document, chunks: records.map((record, i) => ({ ...record, id: ids[i]! })) };
}
