import type { z } from "zod";
import {
  type Library,
  type NewLibrary,
  type OutsideChunk,
  SelfsameError,
  type VectorSource,
  vectorsOfRecord,
} from "../index.ts";
import { isChunk, type Row } from "./document-rows.ts";
import { refused } from "./failure.ts";
import type { Declared, IngestOptions } from "./ingest-options.ts";
import type { ingestAnswer } from "./schemas.ts";

type Answer = z.infer<typeof ingestAnswer>;

/**
 * Adds documents whose chunks were made elsewhere. All of them are added or none: without one of its chunks a document would be
 * another.
 *
 * @param rows the chunks, at least one. The namespace is held while they are read, so they must not come from a client directly
 */
export async function ingestChunks(
  rows: AsyncGenerator<Row>,
  declared: Declared,
  options: IngestOptions,
): Promise<Answer> {
  const began = performance.now();
  const chunks = new Chunks(rows, options);
  const record = chunks.read((await rows.next()).value);
  const namespace = chunks.namespace;
  const create = (await options.has(namespace))
    ? declaredIn(declared)
    : newLibrary(record, declared, options);
  const denseKey = declared.vectors === "model" ? undefined : declared.vectors;
  return options.use(
    namespace,
    async (library) => {
      checkSource(library, namespace, record, declared);
      const given = { signal: options.signal, ...(denseKey === undefined ? {} : { denseKey }) };
      const report = await library.ingest(chunks.all(record), given);
      options.onWritten?.(namespace, chunks.received);
      const { metadataRoot, duplicates } = await library.stats();
      const { added, updated, unchanged, chunks: written, embedded, root } = report;
      return {
        ...{ namespace, received: chunks.received, added, updated, unchanged, rejected: 0 },
        ...{ chunks: written, embedded, near_duplicates: duplicates, rejections: [], root },
        ...{ metadata_root: metadataRoot, duration_ms: performance.now() - began },
      };
    },
    create,
  );
}

/** The chunks of a request. */
class Chunks {
  readonly #rows: AsyncGenerator<Row>;
  readonly #options: IngestOptions;
  #namespace: string | null;
  received = 0;

  constructor(rows: AsyncGenerator<Row>, options: IngestOptions) {
    this.#rows = rows;
    this.#options = options;
    this.#namespace = options.namespace;
  }

  /** The namespace of the request; known when its first chunk is read. */
  get namespace(): string {
    return this.#namespace ?? this.#options.byDefault;
  }

  async *all(first: OutsideChunk): AsyncGenerator<OutsideChunk> {
    yield first;
    for await (const row of this.#rows) yield this.read(row);
  }

  read(row: Row): OutsideChunk {
    const { documentsMax } = this.#options;
    this.received++;
    if (this.received > documentsMax)
      throw refused(
        400,
        "BAD_ARGUMENT",
        `expected at most ${documentsMax} chunks in one request, got more`,
        "Nothing was written; send whole documents in several requests",
      );
    if ("fault" in row) throw this.#bad("BAD_JSON", row.fault);
    if (!isChunk(row))
      throw this.#bad("BAD_OUTSIDE_DATA", "expected a chunk with a uuid, got something else");
    const { namespace, ...record } = row.value as OutsideChunk & { readonly namespace?: unknown };
    if (namespace === undefined) return record as OutsideChunk;
    this.#namespace ??= String(namespace);
    if (namespace === this.#namespace) return record as OutsideChunk;
    const wanted = JSON.stringify(this.#namespace);
    throw this.#bad("BAD_NAMESPACE", `expected namespace to be ${wanted}, got ${JSON.stringify(namespace)}`);
  }

  #bad(code: string, reason: string): Error {
    return refused(
      400,
      code,
      `record ${this.received}: ${reason}`,
      "Nothing was written: a request of chunks is added as a whole",
    );
  }
}

/** Returns what the request asks of the namespace, whether it exists or not. */
function declaredIn({ vectors, dimension, dedupe_threshold }: Declared): NewLibrary {
  const source: VectorSource | undefined =
    vectors === "model"
      ? "model"
      : vectors !== undefined && dimension !== undefined
        ? { name: vectors, dimension }
        : undefined;
  return {
    ...(source === undefined ? {} : { vectors: source }),
    ...(dedupe_threshold === undefined ? {} : { dedupeThreshold: dedupe_threshold }),
  };
}

/** Returns what a new namespace is made with: what the request declares, and else what its first chunk has. */
function newLibrary(record: OutsideChunk, declared: Declared, { vectors }: IngestOptions): NewLibrary {
  const asked = declaredIn(declared);
  if (asked.vectors !== undefined) return asked;
  const { vectors: denseKey, dimension } = declared;
  const found = vectorsOfRecord(record, denseKey === undefined ? {} : { denseKey });
  if (found === null || (denseKey === undefined && vectors !== undefined)) return asked;
  if (found.name === "")
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected the name of the model whose vectors a new namespace has, got none",
      "Add it to the address, such as ?vectors=Qwen3-4B, or give the vector under that name",
    );
  return { ...asked, vectors: { name: found.name, dimension: dimension ?? found.dimension } };
}

/** @throws {RefusedRequest} 409 if chunks come with vectors into a namespace that computes its own */
function checkSource(library: Library, namespace: string, record: OutsideChunk, { vectors }: Declared): void {
  if (library.canonParts.vectors !== "model") return;
  if (vectorsOfRecord(record, vectors === undefined ? {} : { denseKey: vectors }) === null) return;
  throw refused(
    409,
    "CANON_MISMATCH",
    `expected chunks without vectors in ${namespace}, whose vectors come from this server's model, got one with a vector`,
    "Use another namespace: a new one takes the vectors that come with its chunks",
  );
}
