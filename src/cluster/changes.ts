import { Breather } from "../engine/breather.ts";
import { toHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { documentId, textHash } from "../identity/ids.ts";
import { type DocumentInput, nameDocument, type PreparedDocument } from "../library/document-input.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import type { Json } from "../text/canonical-json.ts";
import { badClusterData } from "./bad-cluster-data.ts";
import type { Connection } from "./connection.ts";
import { inOrder } from "./in-order.ts";
import { type Operation, type PutOperation, TEXT_BYTES_MAX } from "./operation.ts";
import { readOperations } from "./operations.ts";
import { persistently } from "./persistently.ts";
import { bitsOf } from "./shard-library.ts";

/** What a stretch of operations does to one document: of several, the last one counts. SPEC §29.10 */
export interface Change {
  readonly sequence: number;
  readonly operation: Operation;
  /** The document's id, as bytes and as bits. */
  readonly id: Uint8Array;
  readonly bits: string;
}

/** Texts are fetched this many at a time. */
const AT_ONCE = 16;

/** Returns what the operations of a stretch do, one change for each document, by sequence ascending. */
export async function readChanges(
  connection: Connection,
  namespace: string,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<Change[]> {
  const last = new Map<string, { sequence: number; operation: Operation }>();
  for await (const placed of readOperations(connection, from, to, signal))
    last.set(placed.operation.path, placed);
  const changes = Array.from(last.values(), ({ sequence, operation }) => {
    const id = documentId(connection.engine, operation.path, namespace);
    return { sequence, operation, id, bits: bitsOf(id) };
  });
  return changes.sort((a, b) => a.sequence - b.sequence);
}

/** Returns the canonical text that an operation put. @throws {SelfsameError} BAD_CLUSTER_DATA */
export async function textOf(
  { objects, engine }: Connection,
  { digest, bytes, path }: PutOperation,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const text = await persistently(
    () =>
      objects.texts.get(digest, TEXT_BYTES_MAX, (read) => {
        if (read.length !== bytes || toHex(textHash(engine, read)) !== digest)
          throw badClusterData(`the text ${digest} of ${path}`, "other bytes");
        return read;
      }),
    { signal },
  );
  if (text === null) throw badClusterData(`the text ${digest} of ${path}`, "none in the object store");
  return text;
}

/** Yields the documents that changes put, with their texts, in order. */
export async function* putDocuments(
  connection: Connection,
  changes: readonly Change[],
  signal?: AbortSignal,
): AsyncGenerator<{ readonly change: Change; readonly operation: PutOperation; readonly text: Uint8Array }> {
  const puts = changes.flatMap((change) =>
    change.operation.op === "put" ? [{ change, operation: change.operation }] : [],
  );
  yield* inOrder(puts, AT_ONCE, async ({ change, operation }) => {
    if (operation.kind === "outside")
      throw new SelfsameError("BAD_CLUSTER_DATA", `expected texts, got outside chunks of ${operation.path}`);
    return { change, operation, text: await textOf(connection, operation, signal) };
  });
}

/** Returns a document as a library takes it. */
export function inputOf(
  { path, format, modifiedAt, mime, metadata }: PutOperation,
  text: Uint8Array,
): DocumentInput {
  const read = metadata === null ? null : (JSON.parse(metadata) as Record<string, Json>);
  return { path, text, format, modifiedAt, mime, metadata: read };
}

/** A text of a chunk, with its hash. */
export interface ChunkText {
  readonly textHash: Uint8Array;
  readonly text: Uint8Array;
}

/** Cuts documents as a library of the cluster's canon does. */
export class Chunker {
  readonly #parts: LibraryParts;
  readonly #breather = new Breather();

  /** @param parts a library of the canon; it stays empty */
  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  /** Returns the document that an operation put, with its id and hashes. */
  name(operation: PutOperation, text: Uint8Array): PreparedDocument {
    const { engine, state } = this.#parts;
    return nameDocument(engine, state.canon.namespace, operation.path, operation, text);
  }

  /** Returns the texts of a document's chunks, in order. */
  async chunkTexts(document: PreparedDocument): Promise<ChunkText[]> {
    const { ingest } = this.#parts;
    await ingest.prepare();
    const { chunks } = await ingest.chunk(document, true, this.#breather);
    return chunks!.map(({ start, end, textHash: hash }) => ({
      textHash: hash,
      text: document.text.subarray(start, end),
    }));
  }
}
