import { Breather, runAtOnce } from "../../engine/breather.ts";
import { badArgument } from "../../errors/arguments.ts";
import { abortedError, SelfsameError } from "../../errors/selfsame-error.ts";
import { deviceFiles } from "../../files/device-files.ts";
import { textHashes } from "../../identity/ids.ts";
import type { LibraryParts } from "../library-parts.ts";
import { duplicateFinder, duplicatesOf, setDuplicates } from "./dedupe.ts";
import { IngestMeter, type IngestProgress } from "./ingest-progress.ts";
import { inlineRecord } from "./inline-record.ts";
import { abandonNext, openNext, swapNext } from "./next-library.ts";
import { type OutsideChunk, readOutsideChunk } from "./outside-record.ts";
import { type OutsideCounts, OutsideWriter, type PlacedChunk } from "./outside-writer.ts";

/** Files with chunks, and files with their vectors. */
export interface OutsideFileNames {
  /** A chunk file (JSONL, plain or gzip), or a folder with such files. */
  readonly chunks: string;
  /** Vector files (JSONL or Parquet) or folders with them; default: those in the folder of `chunks`. */
  readonly vectors?: readonly string[];
}

/** What `Library.ingest` reads: records, or files. */
export type OutsideSource = AsyncIterable<OutsideChunk> | Iterable<OutsideChunk> | OutsideFileNames;

/** Options of `Library.ingest`. */
export interface IngestOptions {
  /** The name of the dense vector in vector files and records; default: Qwen3-4B, Qwen3_4B, or the only one that is there. */
  readonly denseKey?: string;
  /**
   * How many vectors may be read before the chunks that they belong to; default 0: each vector file has the order of its
   * chunk file.
   */
  readonly vectorCacheLimit?: number;
  /** Stops the ingest. The library is then unchanged, and an ingest of the same files continues. */
  readonly signal?: AbortSignal;
  /** Called as chunks are read. */
  readonly onProgress?: (event: IngestProgress) => void;
}

/** What `Library.ingest` did. */
export interface IngestReport extends OutsideCounts {
  /** How many texts the library's own model embedded; 0 if vectors came with the chunks. */
  readonly embedded: number;
  /** The ids of the chunks that are stored but not ranked, because an earlier one is too similar. */
  readonly duplicates: readonly string[];
  /** The library's root afterwards, in hexadecimal. */
  readonly root: string;
}

interface PlacedRecord {
  readonly record: OutsideChunk;
  readonly where: string;
}

/** What is not larger is written in one transaction. */
const DIRECT = { chunks: 4096, bytes: 32 << 20 };
/** More is written in batches to a file beside the library. */
const BATCH = { chunks: 2048, bytes: 16 << 20 };

/** Adds documents whose chunks were made elsewhere: `Library.ingest`. */
export async function ingestOutside(
  parts: LibraryParts,
  source: OutsideSource,
  options: IngestOptions,
): Promise<IngestReport> {
  const reader = isFiles(source) ? await readerOf(source, options) : null;
  const records =
    reader === null
      ? placed(source as Iterable<OutsideChunk>, options.denseKey)
      : fromFiles(reader.records());
  const meter = new IngestMeter(options.onProgress, () => reader?.share() ?? null);
  const chunks = checked(parts, records, options.signal, meter);
  try {
    const limits = parts.database.canBeReplaced ? DIRECT : { chunks: Infinity, bytes: Infinity };
    const first = await gather(chunks, limits);
    const counts = first.isAll
      ? await ingestAtOnce(parts, first.chunks, options)
      : await ingestInBatches(parts, reader?.job ?? null, first.chunks, chunks, options, meter);
    return { ...counts, duplicates: duplicatesOf(parts.database), root: parts.state.root() };
  } finally {
    await chunks.return();
  }
}

function isFiles(source: OutsideSource): source is OutsideFileNames {
  if (typeof source === "object" && source !== null) {
    if (Symbol.asyncIterator in source || Symbol.iterator in source) return false;
    if (typeof (source as OutsideFileNames).chunks === "string") return true;
  }
  throw badArgument("source", "records, or { chunks, vectors } with the names of files", source);
}

/** Opens the files of an ingest. */
export async function readerOf({ chunks, vectors = [] }: OutsideFileNames, options: IngestOptions) {
  if (!Array.isArray(vectors) || vectors.some((file) => typeof file !== "string"))
    throw badArgument("vectors", "a list of files", vectors);
  if (deviceFiles === null)
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected a host with files, got a browser",
      "Give the records themselves",
    );
  return deviceFiles.outside(chunks, vectors, options);
}

async function* placed(
  source: AsyncIterable<OutsideChunk> | Iterable<OutsideChunk>,
  denseKey: string | undefined,
): AsyncGenerator<PlacedRecord> {
  let number = 0;
  for await (const record of source) {
    const where = `record ${++number}`;
    yield { record: inlineRecord(record, denseKey, where), where };
  }
}

async function* fromFiles(
  records: AsyncIterable<{ readonly value: object; readonly where: string }>,
): AsyncGenerator<PlacedRecord> {
  for await (const { value, where } of records) yield { record: value as OutsideChunk, where };
}

/** Reads each record. Errors say where it stands. */
async function* checked(
  { engine, state }: LibraryParts,
  records: AsyncIterable<PlacedRecord>,
  signal: AbortSignal | undefined,
  meter: IngestMeter,
): AsyncGenerator<PlacedChunk, void> {
  const breather = new Breather();
  let read = 0;
  for await (const { record, where } of records) {
    if (signal?.aborted) throw abortedError(signal, "chunks and their vectors", `a stop after ${read}`);
    yield { ...readAt(where, () => readOutsideChunk(engine, record, state.dimension)), where };
    read++;
    meter.read(1);
    await breather.due();
  }
}

/** Runs a check whose errors do not know where the record stands. */
function readAt<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SelfsameError)) throw error;
    throw new SelfsameError(error.code, `${where}: ${error.reason}`, error.hint, {
      cause: error,
      details: { ...error.details, where },
    });
  }
}

interface Gathered {
  readonly chunks: readonly PlacedChunk[];
  readonly isAll: boolean;
}

async function gather(
  source: AsyncGenerator<PlacedChunk, void>,
  most: { readonly chunks: number; readonly bytes: number },
): Promise<Gathered> {
  const chunks: PlacedChunk[] = [];
  let bytes = 0;
  while (chunks.length < most.chunks && bytes < most.bytes) {
    const { done, value } = await source.next();
    if (done === true) return { chunks, isAll: true };
    chunks.push(value);
    bytes += value.text.length + (value.vector?.length ?? 0) + value.fields.length;
  }
  return { chunks, isAll: false };
}

type Counts = OutsideCounts & { readonly embedded: number };

async function ingestAtOnce(
  parts: LibraryParts,
  chunks: readonly PlacedChunk[],
  options: IngestOptions,
): Promise<Counts> {
  const { database, state, semantic } = parts;
  await semantic.follow();
  const embedded = await embedTexts(parts, chunks, options.signal);
  const duplicates = await duplicateFinder(parts);
  const writer = new OutsideWriter(parts, true);
  const changes = database.transaction(() => {
    state.checkCanon();
    const before = state.root();
    for (let from = 0; from < chunks.length; from += BATCH.chunks)
      writer.put(chunks.slice(from, from + BATCH.chunks));
    for (const _ of writer.finish((work) => work()));
    if (duplicates !== null) setDuplicates(database, runAtOnce(duplicates()));
    return { before, after: state.root(), added: writer.added, removed: writer.removed };
  });
  if (duplicates === null) semantic.apply(changes);
  parts.ingest.writes += writer.added.length + writer.removed.length;
  await database.settled();
  return { ...writer.counts, embedded };
}

async function ingestInBatches(
  parts: LibraryParts,
  job: string | null,
  first: readonly PlacedChunk[],
  rest: AsyncGenerator<PlacedChunk, void>,
  options: IngestOptions,
  meter: IngestMeter,
): Promise<Counts> {
  const next = await openNext(parts, job);
  const { database } = next.parts;
  try {
    const writer = new OutsideWriter(next.parts, false);
    const breather = new Breather();
    let embedded = 0;
    const write = async (chunks: readonly PlacedChunk[]) => {
      embedded += await embedTexts(next.parts, chunks, options.signal);
      database.transaction(() => writer.put(chunks));
    };
    for (let from = 0; from < first.length; from += BATCH.chunks)
      await write(first.slice(from, from + BATCH.chunks));
    for (let isAll = false; !isAll; ) {
      const batch = await gather(rest, BATCH);
      await write(batch.chunks);
      isAll = batch.isAll;
    }
    for (const _ of writer.finish((work) => database.transaction(work))) {
      meter.tell("finishing documents");
      await breather.due();
    }
    const duplicates = await duplicateFinder(next.parts);
    if (duplicates !== null) {
      meter.tell("looking for duplicates");
      const found = await breather.run(duplicates());
      database.transaction(() => setDuplicates(database, found));
    }
    await swapNext(parts, next);
    parts.ingest.writes += writer.counts.chunks;
    return { ...writer.counts, embedded };
  } catch (error) {
    // A file that is corrected is another file: an ingest of it starts again.
    const isKept = job !== null && !(error instanceof SelfsameError && error.code.startsWith("BAD_"));
    await abandonNext(parts, next, isKept);
    throw error;
  }
}

/** Embeds the texts that have no vector yet, if vectors come from the library's model. Returns how many. */
async function embedTexts(
  { engine, ingest, state }: LibraryParts,
  chunks: readonly PlacedChunk[],
  signal: AbortSignal | undefined,
): Promise<number> {
  if (state.dimension !== null || chunks.length === 0) return 0;
  const hashes = textHashes(
    engine,
    chunks.map(({ text }) => text),
  );
  const batch = chunks.map(({ text }, i) => ({
    document: { text },
    chunks: [{ start: 0, end: text.length, textHash: hashes[i]! }],
  }));
  return ingest.embed(batch, { signal });
}
