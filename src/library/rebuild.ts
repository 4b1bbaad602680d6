import { SelfsameError } from "../errors.ts";
import type { PreparedDocument } from "../ingest/documents.ts";
import type { Ingest } from "../ingest/ingest.ts";
import type { Database } from "../store/database.ts";
import { utf8 } from "../text/canonical.ts";
import type { CanonParts } from "./canon.ts";

/**
 * Makes a library anew under another canon from the texts that it holds. All vectors come first; then one transaction
 * replaces every chunk and records the canon, so that a library is never of two minds, whenever the process ends.
 */
export async function rebuild(
  database: Database,
  ingest: Ingest,
  recorded: CanonParts,
  wanted: CanonParts,
  record: () => void,
): Promise<void> {
  if (recorded.namespace !== wanted.namespace) {
    throw new SelfsameError(
      "CANON_MISMATCH",
      `expected the namespace ${recorded.namespace}, got ${wanted.namespace}: it names every document`,
      "Make a new library for another namespace",
    );
  }
  const documents = database
    .all<{
      documentId: Uint8Array<ArrayBuffer>;
      path: string;
      text: string;
      textHash: Uint8Array<ArrayBuffer>;
      modifiedAt: number | null;
      mime: string | null;
      metadata: string | null;
    }>(
      `SELECT documentId, path, text, textHash, modifiedAt, mime, metadata
       FROM documents JOIN texts USING (documentId) ORDER BY path`,
    )
    .map(
      ({ documentId, text, ...rest }): PreparedDocument => ({
        ...rest,
        id: documentId,
        text: utf8(text) as Uint8Array<ArrayBuffer>,
        metadataHash: ingest.trees.metadata.get(documentId) as Uint8Array<ArrayBuffer>,
      }),
    );
  for (const document of documents) await ingest.embed([ingest.chunk(document, true)]);
  database.transaction(() => {
    database.run("DELETE FROM graph");
    for (const document of documents) ingest.write([ingest.chunk(document, true)]);
    record();
  });
}
