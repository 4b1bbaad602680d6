import { chunkSteps } from "../chunks/chunk.ts";
import type { ChunkParameters } from "../chunks/chunk-parameters.ts";
import { breadcrumb } from "../chunks/outline.ts";
import { Breather, runAtOnce } from "../engine/breather.ts";
import { littleEndianBytes } from "../engine/byte-order.ts";
import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { chunkIds, textHashes } from "../identity/ids.ts";
import type { Embedder, EmbedTextsOptions } from "../model/embedder.ts";
import { linksIn } from "../recall/links.ts";
import { signatureOf } from "../search/signature.ts";
import { deleteChunks } from "../store/chunks.ts";
import type { Database } from "../store/database.ts";
import { deleteDocument } from "../store/documents.ts";
import { putLinks } from "../store/links.ts";
import { type ChunkRecord, hasEmbedding, putChunk, putDocument, putEmbedding } from "../store/records.ts";
import { searchText } from "../text/search-text.ts";
import type { Tokenizer } from "../text/tokenizer.ts";
import type { PreparedDocument } from "./document-input.ts";
import type { LibraryState } from "./library-state.ts";
import { Pace } from "./pace.ts";
import { noteRemovedChunks } from "./prune-embeddings.ts";
import { VocabularyChange } from "./vocabulary.ts";

/** What adding a document does to it. */
export type DocumentOutcome = "added" | "updated" | "unchanged";

/** New and removed chunks, for what is derived from them, and the roots before and after. */
export interface ChunkChanges {
  readonly before: string;
  readonly after: string;
  readonly added: readonly AddedChunk[];
  readonly removed: readonly RemovedChunk[];
}

/** A chunk that was removed. */
export interface RemovedChunk {
  readonly documentId: Uint8Array;
  readonly id: Uint8Array;
}

/** A chunk that was written, and the hash of the text whose vector it has. */
export interface AddedChunk extends RemovedChunk {
  readonly textHash: Uint8Array;
  /** i16, little-endian, if it came with the chunk. */
  readonly vector?: Uint8Array | null;
}

/** Parts of a text that need vectors. */
export interface PartsOfText {
  readonly document: { readonly text: Uint8Array };
  readonly chunks: readonly Pick<ChunkRecord, "start" | "end" | "textHash">[] | null;
}

export interface ChunkedDocument {
  readonly document: PreparedDocument;
  /** null if text and format are unchanged: only data beside it has changed. */
  readonly chunks: readonly ChunkRecord[] | null;
}

/** Vectors that were just computed, by the hash of their text in hexadecimal. */
export type NewVectors = Map<string, Int16Array>;

/** Chunks are hashed and looked up this many at a time, which takes a few milliseconds. */
const STEP_CHUNKS = 512;

interface PendingText {
  readonly textHash: Uint8Array;
  /** A part of the document's canonical text. */
  readonly text: Uint8Array;
}

/**
 * Canonical text → chunks → embeddings → store. The slow steps (chunking, embedding) run before the transaction, which
 * then holds the database only while it writes: either the whole batch is on disk, or none of it. SPEC §14.2
 */
export class Ingest {
  readonly #engine: Engine;
  readonly #database: Database;
  readonly #state: LibraryState;
  readonly #loadTokenizer: () => Promise<Tokenizer>;
  #tokenizer: Tokenizer | null = null;
  readonly #embedder: Embedder;
  readonly #parameters: ChunkParameters;
  readonly #pace = new Pace();
  /** The number of chunks that were added and removed through this object. */
  writes = 0;

  constructor(
    engine: Engine,
    database: Database,
    state: LibraryState,
    loadTokenizer: () => Promise<Tokenizer>,
    embedder: Embedder,
    parameters: ChunkParameters,
  ) {
    this.#engine = engine;
    this.#database = database;
    this.#state = state;
    this.#loadTokenizer = loadTokenizer;
    this.#embedder = embedder;
    this.#parameters = parameters;
  }

  /** Returns what adding a document would do to it. `force` treats an equal text as changed: it is chunked again. */
  outcome(document: PreparedDocument, force: boolean): DocumentOutcome {
    return this.#database.snapshot(() => {
      const known = this.#state.documentValue(document.id);
      if (known === null) return "added";
      if (force || known !== toHex(document.value)) return "updated";
      return this.#state.metadataHash(document.id) === toHex(document.metadataHash) ? "unchanged" : "updated";
    });
  }

  /** Loads what `chunk` needs, once. Processes that only search do not need it: it takes a tenth of a second. */
  async prepare(): Promise<void> {
    this.#tokenizer ??= await this.#loadTokenizer();
  }

  /** Chunks a document (after `prepare`), unless its text is unchanged. Long texts are chunked over several turns. */
  async chunk(document: PreparedDocument, force: boolean, breather: Breather): Promise<ChunkedDocument> {
    if (!force && this.#hasText(document)) return { document, chunks: null };
    return { document, chunks: await breather.run(this.#chunkSteps(document)) };
  }

  /** Returns the texts that a document is cut into, by their places and hashes, and nothing else of its chunks. */
  async cut(
    document: Pick<PreparedDocument, "text" | "format">,
    breather: Breather,
  ): Promise<Pick<ChunkRecord, "start" | "end" | "textHash">[]> {
    const { text, format } = document;
    const parts = await breather.run(chunkSteps(this.#tokenizer!, text, this.#parameters, format));
    const hashes = textHashes(
      this.#engine,
      parts.map(({ start, end }) => text.subarray(start, end)),
    );
    return parts.map(({ start, end }, i) => ({ start, end, textHash: hashes[i]! }));
  }

  /** Chunks a document without yielding, for use inside an open transaction. */
  chunkAtOnce(document: PreparedDocument): readonly ChunkRecord[] {
    return runAtOnce(this.#chunkSteps(document));
  }

  /**
   * Embeds the texts of a batch that have no vector yet, and stores the vectors, each once. Adds them to `vectors`, so
   * that they need not be read again. If it is stopped, what is stored stays, and `embeddedOf` returns which documents
   * have all of their vectors. Returns how many texts were embedded.
   */
  async embed(
    batch: readonly PartsOfText[],
    options: EmbedTextsOptions = {},
    vectors: NewVectors = new Map(),
  ): Promise<number> {
    const pending = await this.#withoutVector(batch);
    for (let done = 0; done < pending.length; ) {
      const part = pending.slice(done, done + this.#pace.part(pending.length - done));
      const before = done;
      const made = await this.#embedPart(part, {
        ...options,
        expected: pending.length,
        onProgress: (more) => options.onProgress?.(before + more),
      });
      for (const [i, { textHash }] of part.entries()) vectors.set(toHex(textHash), made[i]!);
      done += part.length;
    }
    return pending.length;
  }

  /** Returns the documents of a batch whose texts all have a vector. */
  embeddedOf(batch: readonly ChunkedDocument[]): ChunkedDocument[] {
    const hasVector = ({ textHash }: ChunkRecord) =>
      hasEmbedding(this.#database, textHash, this.#state.model);
    return this.#database.snapshot(() => batch.filter(({ chunks }) => (chunks ?? []).every(hasVector)));
  }

  async #embedPart(
    pending: readonly PendingText[],
    options: EmbedTextsOptions,
  ): Promise<readonly Int16Array[]> {
    const texts = pending.map(({ text }) => text);
    const began = performance.now();
    const vectors = await this.#database.idle(() => this.#embedder.embedCanonical(texts, options));
    this.#pace.note(texts.length, performance.now() - began);
    this.#database.transaction(() => {
      for (const [i, { textHash }] of pending.entries()) {
        putEmbedding(this.#database, textHash, this.#state.model, littleEndianBytes(vectors[i]!));
      }
    });
    return vectors;
  }

  /**
   * Writes a batch whose texts all have their vectors. A document may come without chunks because its text was
   * unchanged. If another process has changed that text since, the document is `stale` and not written: it must be
   * chunked after all.
   *
   * @param onWrite called in the transaction with the paths that it writes
   */
  write(
    batch: readonly ChunkedDocument[],
    onWrite: (paths: readonly string[]) => void = () => undefined,
  ): { changes: ChunkChanges; sound: ChunkedDocument[]; stale: PreparedDocument[] } {
    return this.#database.transaction(() => {
      this.#state.checkCanon();
      const before = this.#state.root();
      const added: AddedChunk[] = [];
      const removed: RemovedChunk[] = [];
      const sound: ChunkedDocument[] = [];
      const stale: PreparedDocument[] = [];
      for (const each of batch) {
        if (each.chunks === null && !this.#hasText(each.document)) stale.push(each.document);
        else sound.push(each);
      }
      const vocabulary = new VocabularyChange(this.#database);
      for (const { document, chunks } of sound) {
        putDocument(this.#database, document);
        putLinks(this.#database, document.id, linksIn(document));
        if (chunks === null) continue;
        removed.push(...this.#chunkIds(document.id));
        deleteChunks(this.#database, document.id, vocabulary.remove);
        for (const chunk of chunks) {
          vocabulary.add(putChunk(this.#database, document.id, chunk), chunk.words);
          added.push({ documentId: document.id, id: chunk.id, textHash: chunk.textHash });
        }
      }
      vocabulary.write();
      const { text, metadata } = this.#state.trees;
      text.update(sound.map(({ document: { id, value } }) => ({ id, value })));
      metadata.update(sound.map(({ document: { id, metadataHash } }) => ({ id, value: metadataHash })));
      onWrite(sound.map(({ document }) => document.path));
      this.#noteRemoved(removed.length);
      this.writes += added.length + removed.length;
      return { changes: { before, after: this.#state.root(), added, removed }, sound, stale };
    });
  }

  /** Removes documents; those that do not exist are ignored. Returns the ids of those that were removed. */
  remove(documentIds: readonly Uint8Array[]): {
    readonly gone: readonly Uint8Array[];
    readonly changes: ChunkChanges;
  } {
    return this.#database.transaction(() => {
      this.#state.checkCanon();
      const before = this.#state.root();
      const gone = documentIds.filter((id) => this.#state.documentValue(id) !== null);
      const removed = gone.flatMap((id) => this.#chunkIds(id));
      const vocabulary = new VocabularyChange(this.#database);
      for (const id of gone) deleteDocument(this.#database, id, vocabulary.remove);
      vocabulary.write();
      const changes = gone.map((id) => ({ id, value: null }));
      this.#state.trees.text.update(changes);
      this.#state.trees.metadata.update(changes);
      this.#noteRemoved(removed.length);
      this.writes += removed.length;
      return { gone, changes: { before, after: this.#state.root(), added: [], removed } };
    });
  }

  #noteRemoved(removed: number): void {
    const { model } = this.#state;
    noteRemovedChunks(this.#database, model, removed, () => this.#state.chunkCount(this.#state.root()));
  }

  *#chunkSteps(document: PreparedDocument): Generator<void, ChunkRecord[]> {
    const { id, format, text } = document;
    const parts = yield* chunkSteps(this.#tokenizer!, text, this.#parameters, format);
    const records: ChunkRecord[] = [];
    for (let from = 0; from < parts.length; from += STEP_CHUNKS) {
      const some = parts.slice(from, from + STEP_CHUNKS);
      const hashes = textHashes(
        this.#engine,
        some.map(({ start, end }) => text.subarray(start, end)),
      );
      const named = some.map((part, i) => ({ ...part, textHash: hashes[i]! }));
      const ids = chunkIds(this.#engine, id, named);
      for (const [i, part] of named.entries()) {
        const headings = searchText(breadcrumb(part.headingPath));
        records.push({ ...part, id: ids[i]!, ...signatureOf(searchText(part.text), headings) });
      }
      yield;
    }
    return records;
  }

  /** Returns the texts of a batch that have no vector, without duplicates. */
  async #withoutVector(batch: readonly PartsOfText[]): Promise<PendingText[]> {
    const pending: PendingText[] = [];
    const seen = new Set<string>();
    const breather = new Breather();
    for (const { document, chunks } of batch) {
      for (let from = 0; chunks !== null && from < chunks.length; from += STEP_CHUNKS) {
        this.#database.snapshot(() => {
          for (const { start, end, textHash } of chunks.slice(from, from + STEP_CHUNKS)) {
            const key = toHex(textHash);
            if (seen.has(key)) continue;
            seen.add(key);
            if (hasEmbedding(this.#database, textHash, this.#state.model)) continue;
            pending.push({ textHash, text: document.text.subarray(start, end) });
          }
        });
        await breather.due();
      }
    }
    return pending;
  }

  #hasText(document: PreparedDocument): boolean {
    return this.#state.documentValue(document.id) === toHex(document.value);
  }

  #chunkIds(documentId: Uint8Array): RemovedChunk[] {
    return this.#database
      .all<{ chunkId: Uint8Array }>("SELECT chunkId FROM chunks WHERE documentId = ? ORDER BY sequence", [
        documentId,
      ])
      .map(({ chunkId }) => ({ documentId, id: chunkId }));
  }
}
