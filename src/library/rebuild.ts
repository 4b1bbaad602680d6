import { breathe, runAtOnce } from "../engine/breather.ts";
import type { LoadOptions } from "../engine/load.ts";
import { abortedError, SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "../store/database.ts";
import { storedFormat } from "../store/stored-json.ts";
import { utf8 } from "../text/canonical.ts";
import type { CanonParts } from "./canon.ts";
import type { PreparedDocument } from "./document-input.ts";
import type { ChunkedDocument, Ingest, PartsOfText } from "./ingest.ts";
import { forgetGraphs } from "./kept-graph.ts";
import type { LibraryState } from "./library-state.ts";
import { duplicateFinder, setDuplicates } from "./outside/dedupe.ts";
import { Progress, type ProgressEvent } from "./progress.ts";

const BATCH_CHUNKS = 256;

export interface RebuildOptions extends LoadOptions {
  /** Stops the rebuild. Until the transaction starts, the library is unchanged. */
  readonly signal?: AbortSignal;
  readonly onRebuildProgress?: (event: ProgressEvent) => void;
}

/**
 * Rebuilds a library under another canon from the texts that it holds. All vectors are computed first. Then one
 * transaction replaces every chunk and records the canon, so that a library never has chunks of two canons, whenever
 * the process ends.
 */
export async function rebuild(
  database: Database,
  state: LibraryState,
  ingest: Ingest,
  recorded: CanonParts,
  record: () => void,
  options: RebuildOptions = {},
): Promise<void> {
  const wanted = state.canon;
  if (recorded.namespace !== wanted.namespace) {
    throw new SelfsameError(
      "CANON_MISMATCH",
      `expected the namespace ${recorded.namespace}, got ${wanted.namespace}: document ids depend on it`,
      "Create a new library for another namespace",
    );
  }
  if (recorded.vectors !== wanted.vectors) {
    throw new SelfsameError(
      "CANON_MISMATCH",
      `expected vectors ${recorded.vectors}, got ${wanted.vectors}: vectors from outside cannot be made again`,
      "Make a new library, and ingest the chunks with their vectors there",
    );
  }
  await ingest.prepare();
  while (!(await attempt(database, state, ingest, record, options)));
}

/** Returns false if another process wrote meanwhile: what was read is then not what would be replaced. */
async function attempt(
  database: Database,
  state: LibraryState,
  ingest: Ingest,
  record: () => void,
  options: RebuildOptions,
): Promise<boolean> {
  const { signal, onRebuildProgress } = options;
  const { before, documents, given } = database.snapshot(() => ({
    before: state.roots(),
    documents: readDocuments(database, state),
    given: state.dimension === null ? readOutsideTexts(database) : [],
  }));
  await ingest.embed(given, { signal });
  const findDuplicates = await duplicateFinder({ database, state, load: options });
  const progress = new Progress(documents.length, onRebuildProgress);
  if (progress.isHeard)
    progress.expect(documents.reduce((sum, each) => sum + ingest.chunkAtOnce(each).length, 0));
  for (const batch of batches(ingest, documents)) {
    await ingest.embed(batch, { signal, onProgress: (done) => progress.within(0, done, null) });
    await breathe();
    if (signal?.aborted) throw abortedError(signal, `${documents.length} documents rebuilt`, "a stop");
    progress.documents(
      batch.length,
      batch.reduce((sum, { chunks }) => sum + chunks!.length, 0),
    );
  }
  return database.transaction(() => {
    const { root, metadataRoot } = state.roots();
    if (root !== before.root || metadataRoot !== before.metadataRoot) return false;
    forgetGraphs(database);
    record();
    for (const batch of batches(ingest, documents)) ingest.write(batch);
    setDuplicates(database, findDuplicates === null ? new Set() : runAtOnce(findDuplicates()));
    return true;
  });
}

function readDocuments(database: Database, state: LibraryState): PreparedDocument[] {
  return database
    .all<{
      documentId: Uint8Array<ArrayBuffer>;
      path: string;
      format: string;
      text: string;
      textHash: Uint8Array<ArrayBuffer>;
      modifiedAt: number | null;
      mime: string | null;
      metadata: string | null;
    }>(
      `SELECT documentId, path, format, text, textHash, modifiedAt, mime, metadata
       FROM documents JOIN texts USING (documentId) WHERE isOutside = 0 ORDER BY path`,
    )
    .map(({ documentId, text, format, ...rest }) => ({
      ...rest,
      format: storedFormat(database, format),
      id: documentId,
      text: utf8(text) as Uint8Array<ArrayBuffer>,
      value: state.trees.text.get(documentId) as Uint8Array<ArrayBuffer>,
      metadataHash: state.trees.metadata.get(documentId) as Uint8Array<ArrayBuffer>,
    }));
}

/** Returns the texts of chunks that were made elsewhere: they stay as they are, and get vectors of the model. */
function readOutsideTexts(database: Database): PartsOfText[] {
  return database
    .all<{ text: string; textHash: Uint8Array }>(
      "SELECT text, textHash FROM chunks JOIN outsideChunks USING (chunk) ORDER BY chunkId",
    )
    .map(({ text, textHash }) => {
      const bytes = utf8(text);
      return { document: { text: bytes }, chunks: [{ start: 0, end: bytes.length, textHash }] };
    });
}

/** Returns chunked documents in batches of some hundred chunks, so that embedding them uses all threads. */
function* batches(ingest: Ingest, documents: readonly PreparedDocument[]): Generator<ChunkedDocument[]> {
  let batch: ChunkedDocument[] = [];
  let chunks = 0;
  for (const document of documents) {
    const cut = ingest.chunkAtOnce(document);
    batch.push({ document, chunks: cut });
    chunks += cut.length;
    if (chunks < BATCH_CHUNKS) continue;
    yield batch;
    [batch, chunks] = [[], 0];
  }
  yield batch;
}
