import { type ChunkParameters, chunkDocument } from "../chunks/chunk.ts";
import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { chunkIds, textHashes } from "../identity/ids.ts";
import { type Change, MerkleTree } from "../identity/root.ts";
import type { Embedder, EmbedTextsOptions } from "../model/embedder.ts";
import { littleEndian } from "../model/model.ts";
import { deleteChunks } from "../store/chunks.ts";
import type { Database } from "../store/database.ts";
import { deleteDocument } from "../store/documents.ts";
import { type ChunkRecord, hasEmbedding, putChunk, putDocument, putEmbedding } from "../store/records.ts";
import { TreeNodes } from "../store/tree-nodes.ts";
import { utf8 } from "../text/canonical.ts";
import type { Tokenizer } from "../text/tokenizer.ts";
import type { PreparedDocument } from "./document-input.ts";
import { Pace } from "./pace.ts";
import { noteRemovedChunks } from "./prune-embeddings.ts";

/** What a batch did to each of its documents. */
export type Verdict = "added" | "updated" | "unchanged";

/** Chunks that are new and gone, for what is derived from them, and the roots between which they lie. */
export interface ChunkChanges {
  readonly before: string;
  readonly after: string;
  readonly added: readonly Uint8Array[];
  readonly removed: readonly Uint8Array[];
}

export interface ChunkedDocument {
  readonly document: PreparedDocument;
  /** null where the text is what it was: only what is known beside it has changed. */
  readonly chunks: readonly ChunkRecord[] | null;
}

/**
 * Canonical text → chunks → embeddings → store. What is slow (chunking, embedding) is done before the transaction, which
 * then holds the database for as long as writing takes: all of a batch is on disk, or none of it. SPEC §14.2
 */
export class Ingest {
  readonly #engine: Engine;
  readonly #database: Database;
  readonly #loadTokenizer: () => Promise<Tokenizer>;
  #tokenizer: Tokenizer | null = null;
  readonly #embedder: Embedder;
  readonly #parameters: ChunkParameters;
  readonly #model: Uint8Array;
  /** Throws if the library is no longer of the canon that chunks are made by; first in each transaction. */
  readonly checkCanon: () => void;
  #counted: { readonly root: string; readonly chunks: number } | null = null;
  readonly #pace = new Pace();
  readonly #trees: { readonly text: MerkleTree; readonly metadata: MerkleTree };

  constructor(
    engine: Engine,
    database: Database,
    loadTokenizer: () => Promise<Tokenizer>,
    embedder: Embedder,
    parameters: ChunkParameters,
    model: Uint8Array,
    checkCanon: () => void,
  ) {
    this.#engine = engine;
    this.#database = database;
    this.#loadTokenizer = loadTokenizer;
    this.#embedder = embedder;
    this.#parameters = parameters;
    this.#model = model;
    this.checkCanon = checkCanon;
    this.#trees = {
      text: new MerkleTree(engine, new TreeNodes(database, "text")),
      metadata: new MerkleTree(engine, new TreeNodes(database, "metadata")),
    };
  }

  get trees(): { readonly text: MerkleTree; readonly metadata: MerkleTree } {
    return this.#trees;
  }

  get database(): Database {
    return this.#database;
  }

  /** The root of the texts, in hexadecimal. */
  root(): string {
    return toHex(this.#trees.text.root());
  }

  /** Of the state with this root, which must be that of the open transaction: SQLite counts by going through them all. */
  chunkCount(root: string): number {
    if (this.#counted?.root !== root) {
      const { chunks } = this.#database.get<{ chunks: number }>(
        "SELECT count(chunkId) AS chunks FROM chunks",
      )!;
      this.#counted = { root, chunks };
    }
    return this.#counted.chunks;
  }

  /** What adding a document would do to it. `force` counts an equal text as changed: it is chunked anew. */
  verdict(document: PreparedDocument, force: boolean): Verdict {
    return this.#database.snapshot(() => {
      const known = this.#knownTextHash(document);
      if (known === null) return "added";
      if (force || known !== toHex(document.textHash)) return "updated";
      const metadata = this.#trees.metadata.get(document.id);
      return metadata !== null && toHex(metadata) === toHex(document.metadataHash) ? "unchanged" : "updated";
    });
  }

  /** Loads what `chunk` needs, once. Whoever only searches does without: it is a tenth of a second. */
  async prepare(): Promise<void> {
    this.#tokenizer ??= await this.#loadTokenizer();
  }

  /** Chunks a document (after `prepare`), unless its text is what it was. */
  chunk(document: PreparedDocument, force: boolean): ChunkedDocument {
    if (!force && this.#knownTextHash(document) === toHex(document.textHash))
      return { document, chunks: null };
    const parts = chunkDocument(this.#tokenizer!, document.path, document.text, this.#parameters);
    const hashes = textHashes(
      this.#engine,
      parts.map((part) => document.text.subarray(part.start, part.end)),
    );
    const named = parts.map((part, i) => ({ ...part, textHash: hashes[i]! }));
    const ids = chunkIds(this.#engine, document.id, named);
    return { document, chunks: named.map((part, i) => ({ ...part, id: ids[i]! })) };
  }

  /**
   * Embeds the texts of a batch that have no vector yet and keeps the vectors, each once. Returns how many. Where it is
   * stopped, those that are kept stay, and `embeddedOf` tells which documents have all of theirs.
   */
  async embed(batch: readonly ChunkedDocument[], options: EmbedTextsOptions = {}): Promise<number> {
    const chunks = this.#database.snapshot(() => this.#withoutVector(batch));
    for (let done = 0; done < chunks.length; ) {
      const part = chunks.slice(done, done + this.#pace.part(chunks.length - done));
      const before = done;
      await this.#embedPart(part, {
        ...options,
        expected: chunks.length,
        onProgress: (more) => options.onProgress?.(before + more),
      });
      done += part.length;
    }
    return chunks.length;
  }

  /** The documents of a batch whose texts all have a vector. */
  embeddedOf(batch: readonly ChunkedDocument[]): ChunkedDocument[] {
    return this.#database.snapshot(() => batch.filter((each) => this.#withoutVector([each]).length === 0));
  }

  async #embedPart(chunks: readonly ChunkRecord[], options: EmbedTextsOptions): Promise<void> {
    const texts = chunks.map(({ text }) => utf8(text));
    const began = performance.now();
    const vectors = await this.#database.idle(() => this.#embedder.embedMany(texts, options));
    this.#pace.note(texts.length, performance.now() - began);
    this.#database.transaction(() => {
      for (const [i, { textHash }] of chunks.entries()) {
        putEmbedding(this.#database, textHash, this.#model, littleEndian(vectors[i]!));
      }
    });
  }

  /**
   * Writes a batch whose texts all have their vectors. A document that came without chunks, because its text was what it
   * was, is `stale` and not written if another process has changed that text since: it must be chunked after all.
   *
   * @param onWrite called in the transaction with the paths that it writes
   */
  write(
    batch: readonly ChunkedDocument[],
    onWrite: (paths: readonly string[]) => void = () => undefined,
  ): { changes: ChunkChanges; sound: ChunkedDocument[]; stale: PreparedDocument[] } {
    return this.#database.transaction(() => {
      this.checkCanon();
      const before = this.root();
      const added: Uint8Array[] = [];
      const removed: Uint8Array[] = [];
      const isStale = ({ document, chunks }: ChunkedDocument) =>
        chunks === null && this.#knownTextHash(document) !== toHex(document.textHash);
      const stale = batch.filter(isStale).map(({ document }) => document);
      const sound = batch.filter((each) => !isStale(each));
      for (const { document, chunks } of sound) {
        putDocument(this.#database, document);
        if (chunks === null) continue;
        for (const id of this.#chunkIds(document.id)) removed.push(id);
        deleteChunks(this.#database, document.id);
        for (const chunk of chunks) {
          putChunk(this.#database, document.id, chunk);
          added.push(chunk.id);
        }
      }
      this.#update(
        sound.map(({ document: { id, textHash } }) => ({ id, value: textHash })),
        sound.map(({ document: { id, metadataHash } }) => ({ id, value: metadataHash })),
      );
      onWrite(sound.map(({ document }) => document.path));
      this.#noteRemoved(removed.length);
      return { changes: { before, after: this.root(), added, removed }, sound, stale };
    });
  }

  /** Takes documents out; those that are not there are passed over. Returns the ids of those that were. */
  remove(documentIds: readonly Uint8Array[]): {
    readonly gone: readonly Uint8Array[];
    readonly changes: ChunkChanges;
  } {
    return this.#database.transaction(() => {
      this.checkCanon();
      const before = this.root();
      const gone = documentIds.filter((id) => this.#trees.text.get(id) !== null);
      const removed = gone.flatMap((id) => this.#chunkIds(id));
      for (const id of gone) deleteDocument(this.#database, id);
      const changes = gone.map((id) => ({ id, value: null }));
      this.#update(changes, changes);
      this.#noteRemoved(removed.length);
      return { gone, changes: { before, after: this.root(), added: [], removed } };
    });
  }

  #noteRemoved(removed: number): void {
    noteRemovedChunks(this.#database, this.#model, removed, () => this.chunkCount(this.root()));
  }

  /** One chunk for each text of the batch that has no vector. */
  #withoutVector(batch: readonly ChunkedDocument[]): ChunkRecord[] {
    const missing = new Map<string, ChunkRecord>();
    for (const chunk of batch.flatMap(({ chunks }) => chunks ?? [])) {
      const key = toHex(chunk.textHash);
      if (!missing.has(key) && !hasEmbedding(this.#database, chunk.textHash, this.#model))
        missing.set(key, chunk);
    }
    return [...missing.values()];
  }

  #update(text: readonly Change[], metadata: readonly Change[]): void {
    this.#trees.text.update(text);
    this.#trees.metadata.update(metadata);
  }

  #knownTextHash(document: PreparedDocument): string | null {
    // Of several reads one snapshot: outside of one, each takes the file's lock and gives it back.
    const value = this.#database.snapshot(() => this.#trees.text.get(document.id));
    return value === null ? null : toHex(value);
  }

  #chunkIds(documentId: Uint8Array): Uint8Array[] {
    return this.#database
      .all<{ chunkId: Uint8Array }>("SELECT chunkId FROM chunks WHERE documentId = ? ORDER BY sequence", [
        documentId,
      ])
      .map(({ chunkId }) => chunkId);
  }
}
