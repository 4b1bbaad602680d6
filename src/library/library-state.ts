import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { MerkleTree } from "../identity/root.ts";
import { subtreeDigest } from "../identity/subtree.ts";
import type { Database } from "../store/database.ts";
import { TreeNodes } from "../store/tree-nodes.ts";
import { type CanonParts, canonDigest, modelDigest } from "./canon.ts";
import { checkStoredCanon } from "./stored-canon.ts";
import { readDedupe, readVectorSource } from "./vector-source.ts";

/** The two digests that represent all of a library's documents, in hexadecimal. SPEC §13 */
export interface Roots {
  /** The root of paths and texts. */
  readonly root: string;
  /** The root of times, media types and metadata. */
  readonly metadataRoot: string;
}

/** The size of a library. */
export interface LibraryCounts {
  /** The number of documents. */
  readonly documents: number;
  /** The number of chunks. */
  readonly chunks: number;
  /** The total length of the canonical texts, in UTF-8. */
  readonly textBytes: number;
  /** The number of tokens of all chunks. */
  readonly tokens: number;
  /** The number of stored vectors, one for each distinct text that was embedded. */
  readonly embeddings: number;
  /** How many of them belong to texts that no document has now. If such a text comes back, it is not embedded again. */
  readonly unusedEmbeddings: number;
  /** How many vectors came with a pack and were not computed on this device yet. */
  readonly unverifiedEmbeddings: number;
  /** How many chunks were made elsewhere. */
  readonly outsideChunks: number;
  /** How many chunks came with a dense vector of their own. */
  readonly outsideVectors: number;
  /** How many chunks have a sparse vector. */
  readonly sparseVectors: number;
  /** How many chunks are stored but not ranked, because they are near-duplicates of others. */
  readonly duplicates: number;
}

/**
 * Reports a library's current state: its roots, its counts, its canon. It writes nothing, and caches nothing that a
 * write by this or another process could make wrong.
 */
export class LibraryState {
  /** Everything that decides results, by name. */
  readonly canon: CanonParts;
  /** The digest of the canon, in hexadecimal. */
  readonly canonDigest: string;
  /** The name under which embeddings are stored. */
  readonly model: Uint8Array<ArrayBuffer>;
  /** The Merkle trees behind the two roots. */
  readonly trees: { readonly text: MerkleTree; readonly metadata: MerkleTree };
  /** The length of vectors that come from outside; null if the library's model makes its vectors. */
  readonly dimension: number | null;
  /** From which cosine on a chunk is a near-duplicate, in thousandths; null if all chunks are ranked. */
  readonly dedupe: number | null;
  readonly #engine: Engine;
  readonly #database: Database;
  #counted: { readonly root: string; readonly chunks: number } | null = null;

  constructor(engine: Engine, database: Database, canon: CanonParts) {
    this.canon = canon;
    this.canonDigest = canonDigest(engine, canon);
    this.model = modelDigest(engine, canon);
    const source = readVectorSource(canon.vectors, database.name);
    this.dimension = source === "model" ? null : source.dimension;
    this.dedupe = readDedupe(canon.dedupe, database.name);
    this.#engine = engine;
    this.#database = database;
    this.trees = {
      text: new MerkleTree(engine, new TreeNodes(database, "text")),
      metadata: new MerkleTree(engine, new TreeNodes(database, "metadata")),
    };
  }

  /** The root of the texts, in hexadecimal. */
  root(): string {
    return toHex(this.trees.text.root());
  }

  /** The root of the metadata, in hexadecimal. */
  metadataRoot(): string {
    return toHex(this.trees.metadata.root());
  }

  /** The digest of the texts below a bit prefix of document ids, in hexadecimal. SPEC §13.4 */
  subtree(prefix: string): string {
    return toHex(subtreeDigest(this.#engine, this.trees.text, prefix));
  }

  /** Both roots, from the same moment. */
  roots(): Roots {
    return this.#database.snapshot(() => ({ root: this.root(), metadataRoot: this.metadataRoot() }));
  }

  /** The value of a document in the root, in hexadecimal; null if the document does not exist. */
  documentValue(documentId: Uint8Array): string | null {
    return this.#leaf(this.trees.text, documentId);
  }

  /** The hash of a document's metadata, in hexadecimal; null if the document does not exist. */
  metadataHash(documentId: Uint8Array): string | null {
    return this.#leaf(this.trees.metadata, documentId);
  }

  /**
   * Returns the number of ranked chunks of the state with this root, which must be that of the open transaction. The number is
   * cached: SQLite counts rows by reading all of them.
   */
  chunkCount(root: string): number {
    if (this.#counted?.root !== root) {
      const { chunks } = this.#database.get<{ chunks: number }>(
        "SELECT (SELECT count(chunkId) FROM chunks) - (SELECT count(*) FROM unranked) AS chunks",
      )!;
      this.#counted = { root, chunks };
    }
    return this.#counted.chunks;
  }

  /** All counts, from the same moment. */
  counts(): LibraryCounts {
    return this.#database.get<LibraryCounts>(
      `SELECT (SELECT count(documentId) FROM documents) AS documents,
              (SELECT count(chunkId) FROM chunks) AS chunks,
              (SELECT coalesce(sum(textBytes), 0) FROM documents) AS textBytes,
              (SELECT coalesce(sum(tokens), 0) FROM chunks) AS tokens,
              (SELECT count(textHash) FROM embeddings) AS embeddings,
              (SELECT count(*) FROM embeddings
               WHERE model <> ?1 OR textHash NOT IN (SELECT textHash FROM chunks)) AS unusedEmbeddings,
              (SELECT count(*) FROM unverified
               WHERE textHash IN (SELECT textHash FROM embeddings WHERE model = ?1)) AS unverifiedEmbeddings,
              (SELECT count(*) FROM outsideChunks) AS outsideChunks,
              (SELECT count(*) FROM outsideVectors) AS outsideVectors,
              (SELECT count(*) FROM sparseVectors) AS sparseVectors,
              (SELECT count(*) FROM unranked) AS duplicates`,
      [this.model],
    )!;
  }

  /** The digest of the model whose vectors its chunks have; null if they came with the chunks. */
  get vectorOwner(): Uint8Array | null {
    return this.dimension === null ? this.model : null;
  }

  /**
   * Whether the id of a chunk says what its vector is, and that it is ranked. A chunk that came with its vector may come
   * again with another one.
   */
  get idsNameVectors(): boolean {
    return this.dimension === null;
  }

  /** Throws CANON_MISMATCH if the library no longer has the canon that it was opened with. */
  checkCanon(): void {
    checkStoredCanon(this.#database, this.canon);
  }

  /** Reads in one snapshot: without one, each node read would take and release the file's lock. */
  #leaf(tree: MerkleTree, documentId: Uint8Array): string | null {
    const value = this.#database.snapshot(() => tree.get(documentId));
    return value === null ? null : toHex(value);
  }
}
