import { Breather } from "../engine/breather.ts";
import { abortedError } from "../errors/selfsame-error.ts";
import { countChunks } from "./count-chunks.ts";
import { canonicalPaths, prepareDocument, type ReadInput } from "./document-input.ts";
import type { ChunkedDocument, DocumentOutcome, NewVectors } from "./ingest.ts";
import type { LibraryParts } from "./library-parts.ts";
import { Progress, type ProgressEvent } from "./progress.ts";

/** The limits of one transaction: this many chunks, or texts of this many bytes. */
const BATCH_CHUNKS = 256;
const BATCH_BYTES = 8 << 20;

/** Options to watch and stop `Library.add`. */
export interface AddOptions {
  /** Stops the work. What is written stays, and adding the same documents again continues from there. */
  readonly signal?: AbortSignal;
  /** Called as documents are done. */
  readonly onProgress?: (event: ProgressEvent) => void;
  /** Called with each document that was added or updated, once it is written. */
  readonly onDocument?: (path: string, change: "added" | "updated") => void;
  /** Chunks and indexes again even if the text is unchanged. */
  readonly force?: boolean;
}

/** What `Library.add` did. */
export interface AddReport {
  /** The number of new documents. */
  readonly added: number;
  /** The number of documents that existed and have changed. */
  readonly updated: number;
  /** The number of documents that existed already, unchanged. */
  readonly unchanged: number;
  /** The number of chunks written. */
  readonly chunks: number;
  /** How many texts of these chunks had to be embedded; the others were known. */
  readonly embedded: number;
}

/** Adds up the reports of two parts of one addition. */
export function sumOfReports(a: AddReport, b: AddReport): AddReport {
  return {
    added: a.added + b.added,
    updated: a.updated + b.updated,
    unchanged: a.unchanged + b.unchanged,
    chunks: a.chunks + b.chunks,
    embedded: a.embedded + b.embedded,
  };
}

/** For code within the library that writes something along with each document, in the same transaction. */
export interface AddWithinOptions extends AddOptions {
  readonly onWrite?: (paths: readonly string[]) => void;
  /** Called in place of `onProgress` for a part of a larger addition, which counts the totals. */
  readonly onPart?: (documents: number, chunks: number, path: string | null) => void;
}

/** Adds documents batch by batch: `Library.add`. */
export async function addDocuments(
  parts: LibraryParts,
  inputs: readonly ReadInput[],
  options: AddWithinOptions,
): Promise<AddReport> {
  const { engine, state, ingest, semantic } = parts;
  const { signal, force = false } = options;
  await ingest.prepare();
  const paths = canonicalPaths(
    engine,
    inputs.map(({ path }) => path),
  );
  const count: Record<DocumentOutcome, number> = { added: 0, updated: 0, unchanged: 0 };
  const { onPart } = options;
  const listener =
    onPart === undefined
      ? options.onProgress
      : (event: ProgressEvent) => onPart(event.documents, event.chunks, event.path);
  const progress = new Progress(inputs.length, listener);
  const outcomes = new Map<string, "added" | "updated">();
  let batch: ChunkedDocument[] = [];
  let size = { chunks: 0, bytes: 0 };
  let [chunks, embedded] = [0, 0];
  const flush = async (): Promise<void> => {
    const done = await writeBatch(parts, batch, options, progress);
    for (const path of done.paths) options.onDocument?.(path, outcomes.get(path)!);
    if (done.stop !== null) throw done.stop;
    chunks += size.chunks;
    embedded += done.embedded;
    [batch, size] = [[], { chunks: 0, bytes: 0 }];
  };
  let at = 0;
  const check = () => {
    if (signal?.aborted) throw abortedError(signal, `${paths.length} documents`, `a stop after ${at}`);
  };
  const breather = new Breather(check);
  if (onPart === undefined && progress.isHeard) {
    let total = 0;
    for (const [i, path] of paths.entries()) {
      check();
      total += await countChunks(parts, path, inputs[i]!, force, breather);
      progress.reading(path);
    }
    progress.expect(total);
  }
  for (const path of paths) {
    await breather.due();
    check();
    const document = await prepareDocument(engine, state.canon.namespace, path, inputs[at]!, breather);
    const outcome = ingest.outcome(document, force);
    count[outcome]++;
    at++;
    if (outcome === "unchanged") {
      progress.documents(1, 0);
      continue;
    }
    if (batch.length === 0) await semantic.follow();
    // A new document has no text that could be unchanged: the library is not read again for it.
    const chunked = await ingest.chunk(document, force || outcome === "added", breather);
    batch.push(chunked);
    outcomes.set(path, outcome);
    size.chunks += chunked.chunks?.length ?? 0;
    size.bytes += document.text.length;
    if (size.chunks >= BATCH_CHUNKS || size.bytes >= BATCH_BYTES) await flush();
  }
  if (batch.length > 0) await flush();
  return { ...count, chunks, embedded };
}

interface Written {
  readonly paths: readonly string[];
  readonly embedded: number;
  /** Why the batch is not completely written: the work was stopped, and what was done stays. */
  readonly stop: Error | null;
}

async function writeBatch(
  { database, ingest, semantic }: LibraryParts,
  batch: readonly ChunkedDocument[],
  options: AddWithinOptions,
  progress: Progress,
): Promise<Written> {
  const written: ChunkedDocument[] = [];
  const vectors: NewVectors = new Map();
  let embedded = 0;
  let stop: Error | null = null;
  for (let rest = batch; rest.length > 0 && stop === null; ) {
    try {
      const { signal } = options;
      const inBatch = rest;
      const onProgress = (done: number) => progress.within(0, done, pathAt(inBatch, done));
      embedded += await ingest.embed(rest, { signal, onProgress }, vectors);
    } catch (error) {
      if (!options.signal?.aborted) throw error;
      stop = error as Error;
      rest = ingest.embeddedOf(rest);
    }
    const { changes, sound, stale } = ingest.write(rest, (paths) => options.onWrite?.(paths));
    semantic.apply(changes, vectors);
    written.push(...sound);
    rest = stale.map((document) => ({ document, chunks: ingest.chunkAtOnce(document) }));
  }
  // Progress is reported only after the write has settled, so that listeners can rely on it.
  await database.settled();
  progress.documents(
    written.length,
    written.reduce((sum, { chunks }) => sum + (chunks?.length ?? 0), 0),
  );
  return { paths: written.map(({ document }) => document.path), embedded, stop };
}

/** Returns the document that the chunk of this number belongs to, about: texts that are known are not embedded. */
function pathAt(batch: readonly ChunkedDocument[], chunk: number): string | null {
  let end = 0;
  for (const { document, chunks } of batch) {
    end += chunks?.length ?? 0;
    if (end > chunk) return document.path;
  }
  return batch.at(-1)?.document.path ?? null;
}
