import { toHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors.ts";
import type { PreparedDocument } from "../ingest/documents.ts";
import type { ChunkedDocument, Ingest } from "../ingest/ingest.ts";
import type { Database } from "../store/database.ts";
import { utf8 } from "../text/canonical.ts";
import type { CanonParts } from "./canon.ts";

const BATCH_CHUNKS = 256;

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
  while (!(await attempt(database, ingest, record)));
}

/** False if another process wrote meanwhile: what was read is then not what would be replaced. */
async function attempt(database: Database, ingest: Ingest, record: () => void): Promise<boolean> {
  const { state, documents } = database.snapshot(() => ({
    state: stateOf(ingest),
    documents: readDocuments(database, ingest),
  }));
  for (const batch of batches(ingest, documents)) await ingest.embed(batch);
  return database.transaction(() => {
    if (stateOf(ingest) !== state) return false;
    database.run("DELETE FROM graph");
    record();
    for (const batch of batches(ingest, documents)) ingest.write(batch);
    return true;
  });
}

function stateOf({ trees }: Ingest): string {
  return toHex(trees.text.root()) + toHex(trees.metadata.root());
}

function readDocuments(database: Database, ingest: Ingest): PreparedDocument[] {
  return database
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
    .map(({ documentId, text, ...rest }) => ({
      ...rest,
      id: documentId,
      text: utf8(text) as Uint8Array<ArrayBuffer>,
      metadataHash: ingest.trees.metadata.get(documentId) as Uint8Array<ArrayBuffer>,
    }));
}

/** Chunked, some hundred chunks together, so that embedding them uses all threads. */
function* batches(ingest: Ingest, documents: readonly PreparedDocument[]): Generator<ChunkedDocument[]> {
  let batch: ChunkedDocument[] = [];
  let chunks = 0;
  for (const document of documents) {
    const chunked = ingest.chunk(document, true);
    batch.push(chunked);
    chunks += chunked.chunks!.length;
    if (chunks < BATCH_CHUNKS) continue;
    yield batch;
    [batch, chunks] = [[], 0];
  }
  yield batch;
}
