import type { z } from "zod";
import { lostMember, schemaFault } from "../http/index.ts";
import { type DocumentInput, type Library, type NewLibrary, SelfsameError } from "../index.ts";
import { isChunk, type Row } from "./document-rows.ts";
import type { Declared, IngestOptions } from "./ingest-options.ts";
import { document, type ingestAnswer } from "./schemas.ts";

type Answer = z.infer<typeof ingestAnswer>;
type Rejection = Answer["rejections"][number];
type Document = z.infer<typeof document>;

interface Pending {
  readonly row: number;
  readonly input: DocumentInput;
}

const REJECTIONS_MAX = 100;
/** A batch is written when it has this many documents or characters. */
const BATCH_DOCUMENTS = 256;
const BATCH_CHARACTERS = 4 << 20;

/**
 * Adds documents batch by batch. A document that is refused does not keep the others out. What is written when the request
 * breaks off stays written: sending it again costs a hash for each document.
 */
export async function ingestDocuments(
  first: Row | null,
  rest: AsyncGenerator<Row>,
  { vectors }: Declared,
  options: IngestOptions,
): Promise<Answer> {
  const began = performance.now();
  const batches = new Batches(options, vectors === "model" ? { vectors } : {});
  if (first !== null) await batches.add(first);
  for await (const row of rest) await batches.add(row);
  return batches.answer(began);
}

class Batches {
  readonly #options: IngestOptions;
  readonly #create: NewLibrary;
  #namespace: string | null;
  #batch: Pending[] = [];
  #characters = 0;
  #paths = new Set<string>();
  #received = 0;
  #rejected = 0;
  readonly #rejections: Rejection[] = [];
  readonly #done = { added: 0, updated: 0, unchanged: 0, chunks: 0, embedded: 0 };

  constructor(options: IngestOptions, create: NewLibrary) {
    this.#options = options;
    this.#create = create;
    this.#namespace = options.namespace;
  }

  async add(row: Row): Promise<void> {
    const { documentsMax } = this.#options;
    this.#received++;
    if (this.#received > documentsMax)
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected at most ${documentsMax} documents in one request, got more`,
        "Those before are written; send the rest in another request",
      );
    if ("fault" in row) return this.#reject(null, "BAD_JSON", row.fault);
    if (isChunk(row))
      return this.#reject(null, "BAD_ARGUMENT", "expected a document, got a chunk with a uuid");
    const parsed = document.safeParse(row.value);
    const lost = lostMember(row.value);
    if (!parsed.success || lost !== null) {
      const path = (row.value as { path?: unknown } | null)?.path;
      const reason = lost ?? schemaFault(parsed.error!.issues[0]!, row.value);
      return this.#reject(typeof path === "string" ? path : null, "BAD_ARGUMENT", reason);
    }
    const { namespace: named, path, text } = parsed.data;
    this.#namespace ??= named ?? this.#options.byDefault;
    if (named !== undefined && named !== this.#namespace) {
      const reason = `expected namespace to be ${JSON.stringify(this.#namespace)} in all documents, got ${JSON.stringify(named)}`;
      return this.#reject(path, "BAD_NAMESPACE", reason);
    }
    // The same document twice: the later one updates the earlier one.
    if (this.#paths.has(path)) await this.#write();
    this.#batch.push({ row: this.#received, input: inputOf(parsed.data) });
    this.#paths.add(path);
    this.#characters += text.length;
    if (this.#batch.length >= BATCH_DOCUMENTS || this.#characters >= BATCH_CHARACTERS) await this.#write();
  }

  async answer(began: number): Promise<Answer> {
    const namespace = this.#namespace ?? this.#options.byDefault;
    await this.#write();
    const stats = (library: Library) => library.stats();
    const { root, metadataRoot, duplicates } = await this.#options.use(namespace, stats, this.#create);
    return {
      namespace,
      received: this.#received,
      ...this.#done,
      rejected: this.#rejected,
      near_duplicates: duplicates,
      rejections: this.#rejections,
      root,
      metadata_root: metadataRoot,
      duration_ms: performance.now() - began,
    };
  }

  async #write(): Promise<void> {
    const batch = this.#batch;
    if (batch.length === 0) return;
    [this.#batch, this.#characters, this.#paths] = [[], 0, new Set()];
    const add = async (library: Library) => {
      try {
        await this.#addTo(library, batch);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        for (const each of batch) await this.#addOne(library, each);
      }
    };
    await this.#options.use(this.#namespace!, add, this.#create);
  }

  async #addOne(library: Library, pending: Pending): Promise<void> {
    try {
      await this.#addTo(library, [pending]);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#reject(pending.input.path, error.code, error.reason, pending.row);
    }
  }

  async #addTo(library: Library, batch: readonly Pending[]): Promise<void> {
    const inputs = batch.map(({ input }) => input);
    const report = await library.add(inputs, { signal: this.#options.signal });
    for (const name of ["added", "updated", "unchanged", "chunks", "embedded"] as const)
      this.#done[name] += report[name];
    this.#options.onWritten?.(this.#namespace!, batch.length);
  }

  #reject(path: string | null, code: string, reason: string, row = this.#received): void {
    this.#rejected++;
    if (this.#rejections.length < REJECTIONS_MAX) this.#rejections.push({ row, path, code, reason });
  }
}

/** Whether an error is about the documents, not about the library. */
function isRefusal(error: unknown): error is SelfsameError {
  return error instanceof SelfsameError && (error.code === "BAD_ARGUMENT" || error.code === "FILE_TOO_LARGE");
}

function inputOf({ path, text, metadata, modified_at, mime }: Document): DocumentInput {
  return {
    path,
    text,
    ...(metadata === undefined ? {} : { metadata: metadata as DocumentInput["metadata"] & object }),
    ...(modified_at === undefined
      ? {}
      : { modifiedAt: typeof modified_at === "string" ? Date.parse(modified_at) : modified_at }),
    ...(mime === undefined ? {} : { mime }),
  };
}
