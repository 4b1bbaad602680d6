import { rmSync } from "node:fs";
import { blake3, fromHex, toHex } from "../engine/digest.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { tagField, taggedHash } from "../identity/tagged-hash.ts";
import type { DocumentInput, PreparedDocument } from "../library/document-input.ts";
import { Library } from "../library/library.ts";
import type { LibraryParts } from "../library/library-parts.ts";
import { openParts } from "../library/open.ts";
import { Embedder } from "../model/embedder.ts";
import { putEmbedding } from "../store/records.ts";
import type { Json } from "../text/canonical-json.ts";
import { idRange } from "../vectors/prefix.ts";
import { type Definition, libraryOptions } from "./definition.ts";

const VECTORS = tagField("vectors");
/** Documents are copied from one shard to another this many at a time. */
const COPIED_AT_ONCE = 256;

/** A document for a shard, with the vectors of its chunks' texts by hash. */
export interface EmbeddedDocument {
  readonly document: DocumentInput;
  readonly vectors: readonly { readonly textHash: Uint8Array; readonly vector: Uint8Array }[];
}

/** The library of a shard while it is made or read: nothing in it is ever embedded here. */
export class ShardLibrary {
  readonly parts: LibraryParts;
  readonly library: Library;
  readonly path: string;

  private constructor(path: string, parts: LibraryParts) {
    this.path = path;
    this.parts = parts;
    this.library = new Library(parts);
  }

  /**
   * @param answersByGraph whether graphs answer, by the vectors of all shards; undefined if no index is needed
   * @param isReader whether it is only read: graphs that are missing are not built
   */
  static async open(
    path: string,
    definition: Definition,
    answersByGraph?: boolean,
    isReader = false,
  ): Promise<ShardLibrary> {
    const missing = new SelfsameError(
      "BAD_CLUSTER_DATA",
      "expected the vector of every text in the object store, got a text without one",
      "Build again: the job that makes it is published again",
    );
    const embedder = () => new Embedder({}, 1, missing);
    const graphs = answersByGraph === undefined ? {} : { answersByGraph };
    const parts = await openParts(path, libraryOptions(definition), { embedder, isReader, ...graphs });
    return new ShardLibrary(path, parts);
  }

  /** Adds documents whose vectors are known. */
  async put(documents: readonly EmbeddedDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const { database, state } = this.parts;
    database.transaction(() => {
      for (const { vectors } of documents)
        for (const { textHash, vector } of vectors) putEmbedding(database, textHash, state.model, vector);
    });
    await this.library.add(documents.map(({ document }) => document));
  }

  async remove(paths: readonly string[]): Promise<void> {
    if (paths.length > 0) await this.library.remove(paths);
  }

  /** Returns whether it has this document with this text and metadata. */
  holds({ id, value, metadataHash }: PreparedDocument): boolean {
    const { state } = this.parts;
    return state.documentValue(id) === toHex(value) && state.metadataHash(id) === toHex(metadataHash);
  }

  /** Returns the vector of a text; null if it is not known. */
  vectorOf(textHash: Uint8Array): Uint8Array | null {
    const { database, state } = this.parts;
    const sql = "SELECT vector FROM embeddings WHERE textHash = ? AND model = ?";
    return database.get<{ vector: Uint8Array }>(sql, [textHash, state.model])?.vector ?? null;
  }

  /** Returns the number of chunks below a prefix; a document without a chunk counts as one. */
  weight(prefix: string): number {
    return this.#weightWithin(...idRange(prefix));
  }

  /** Returns the number of chunks of a document, at least 1; 0 if it does not exist. */
  weightOf(documentId: Uint8Array): number {
    return this.#weightWithin(documentId, documentId);
  }

  #weightWithin(first: Uint8Array, last: Uint8Array): number {
    const { chunks, empty } = this.parts.database.get<{ chunks: number; empty: number }>(
      `SELECT (SELECT count(*) FROM chunks WHERE documentId BETWEEN ?1 AND ?2) AS chunks,
              (SELECT count(*) FROM documents WHERE documentId BETWEEN ?1 AND ?2
               AND documentId NOT IN (SELECT documentId FROM chunks WHERE documentId BETWEEN ?1 AND ?2)) AS empty`,
      [first, last],
    )!;
    return chunks + empty;
  }

  /** Returns the ids of up to `most` documents below a prefix, in hexadecimal. */
  documentsBelow(prefix: string, most: number): string[] {
    const sql =
      "SELECT documentId FROM documents WHERE documentId BETWEEN ? AND ? ORDER BY documentId LIMIT ?";
    return this.parts.database
      .all<{ documentId: Uint8Array }>(sql, [...idRange(prefix), most])
      .map(({ documentId }) => toHex(documentId));
  }

  /** Yields the documents below a prefix with their vectors, some at a time, without those that are left out. */
  *embeddedBelow(prefix: string, isLeftOut: (id: string) => boolean): Generator<EmbeddedDocument[]> {
    const { database, state } = this.parts;
    const [first, last] = idRange(prefix);
    let after: Uint8Array | null = null;
    for (;;) {
      const rows: StoredDocument[] = database.all<StoredDocument>(
        `SELECT documentId, path, format, modifiedAt, mime, metadata, text FROM documents JOIN texts USING (documentId)
         WHERE documentId BETWEEN ? AND ? AND documentId > ? ORDER BY documentId LIMIT ?`,
        [first, last, after ?? new Uint8Array(0), COPIED_AT_ONCE],
      );
      if (rows.length === 0) return;
      after = rows.at(-1)!.documentId;
      yield rows
        .filter(({ documentId }) => !isLeftOut(toHex(documentId)))
        .map(({ documentId, path, format, modifiedAt, mime, metadata, text }) => ({
          document: {
            ...{ path, text, format, modifiedAt, mime },
            metadata: metadata === null ? null : (JSON.parse(metadata) as Record<string, Json>),
          } as DocumentInput,
          vectors: database.all<{ textHash: Uint8Array; vector: Uint8Array }>(
            `SELECT DISTINCT textHash, vector FROM chunks JOIN embeddings USING (textHash)
             WHERE documentId = ? AND model = ?`,
            [documentId, state.model],
          ),
        }));
    }
  }

  /** Adds the digests of the vectors below a prefix to a set until it has more than `most`. */
  distinctBelow(prefix: string, isLeftOut: (id: string) => boolean, into: Set<string>, most: number): void {
    for (const documents of this.embeddedBelow(prefix, isLeftOut))
      for (const { vectors } of documents)
        for (const { vector } of vectors) {
          into.add(toHex(blake3(this.parts.engine, vector)));
          if (into.size > most) return;
        }
  }

  /** Returns the digest of all texts' vectors, in hexadecimal: a function of the documents and the model. SPEC §29.13 */
  vectorsDigest(): string {
    const { database, engine, state } = this.parts;
    let digest: Uint8Array = new Uint8Array(0);
    let fields: Uint8Array[] = [];
    const close = () => {
      if (fields.length > 0) digest = taggedHash(engine, VECTORS, [digest, ...fields]);
      fields = [];
    };
    database.each(
      `SELECT textHash, vector FROM embeddings WHERE model = ? AND textHash IN (SELECT textHash FROM chunks)
       ORDER BY textHash`,
      [state.model],
      (row) => {
        fields.push(row.blobView(0).slice(), row.blobView(1).slice());
        if (fields.length === 2 * VECTORS_AT_ONCE) close();
      },
    );
    close();
    return digest.length === 0 ? toHex(taggedHash(engine, VECTORS, [])) : toHex(digest);
  }

  close(): Promise<void> {
    return this.library.close();
  }

  /** Closes it and removes its file. */
  async discard(): Promise<void> {
    await this.close();
    rmSync(this.path, { force: true });
  }
}

/** So many texts are hashed at a time. It is part of the digest's definition. */
const VECTORS_AT_ONCE = 1024;

interface StoredDocument {
  readonly documentId: Uint8Array;
  readonly path: string;
  readonly format: string;
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  readonly metadata: string | null;
  readonly text: string;
}

/** Returns the id of a document as bits. */
export function bitsOf(id: Uint8Array): string {
  return Array.from(id, (byte) => byte.toString(2).padStart(8, "0")).join("");
}

/** Returns an id in hexadecimal as bits. */
export function bitsOfHex(id: string): string {
  return bitsOf(fromHex(id));
}
