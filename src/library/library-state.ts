import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { MerkleTree } from "../identity/root.ts";
import type { Database } from "../store/database.ts";
import { TreeNodes } from "../store/tree-nodes.ts";
import { type CanonParts, canonDigest, modelDigest } from "./canon.ts";
import { checkStoredCanon } from "./stored-canon.ts";

/** The two digests that stand for all of a library's documents, in hexadecimal. SPEC §13 */
export interface Roots {
  /** Of paths and texts. */
  readonly root: string;
  /** Of times, mime types and metadata. */
  readonly metadataRoot: string;
}

/** What a library holds, in numbers. */
export interface LibraryCounts {
  /** How many documents it holds. */
  readonly documents: number;
  /** How many chunks they have. */
  readonly chunks: number;
  /** The length of their canonical texts, in UTF-8. */
  readonly textBytes: number;
  /** Tokens of all chunks. */
  readonly tokens: number;
  /** How many vectors it keeps, one for each distinct text that was embedded. */
  readonly embeddings: number;
  /** How many of them are of texts that no document has now; one that comes back is not embedded again. */
  readonly unusedEmbeddings: number;
}

/**
 * Answers what a library is at this moment: its roots, its counts, its canon. It writes nothing and keeps nothing that a
 * write, by this process or another, could make wrong.
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
  readonly #database: Database;
  #counted: { readonly root: string; readonly chunks: number } | null = null;

  constructor(engine: Engine, database: Database, canon: CanonParts) {
    this.canon = canon;
    this.canonDigest = canonDigest(engine, canon);
    this.model = modelDigest(engine, canon);
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

  /** Both roots, of one moment. */
  roots(): Roots {
    return this.#database.snapshot(() => ({ root: this.root(), metadataRoot: this.metadataRoot() }));
  }

  /** The hash of a document's text, in hexadecimal; null if the document is not there. */
  textHash(documentId: Uint8Array): string | null {
    return this.#leaf(this.trees.text, documentId);
  }

  /** The hash of a document's metadata, in hexadecimal; null if the document is not there. */
  metadataHash(documentId: Uint8Array): string | null {
    return this.#leaf(this.trees.metadata, documentId);
  }

  /**
   * How many chunks the state with this root has, which must be that of the open transaction. It is remembered: SQLite
   * counts rows by reading all of them.
   */
  chunkCount(root: string): number {
    if (this.#counted?.root !== root) {
      const { chunks } = this.#database.get<{ chunks: number }>(
        "SELECT count(chunkId) AS chunks FROM chunks",
      )!;
      this.#counted = { root, chunks };
    }
    return this.#counted.chunks;
  }

  /** All counts, of one moment. */
  counts(): LibraryCounts {
    return this.#database.get<LibraryCounts>(
      `SELECT (SELECT count(documentId) FROM documents) AS documents,
              (SELECT count(chunkId) FROM chunks) AS chunks,
              (SELECT coalesce(sum(textBytes), 0) FROM documents) AS textBytes,
              (SELECT coalesce(sum(tokens), 0) FROM chunks) AS tokens,
              (SELECT count(textHash) FROM embeddings) AS embeddings,
              (SELECT count(*) FROM embeddings
               WHERE model <> ?1 OR textHash NOT IN (SELECT textHash FROM chunks)) AS unusedEmbeddings`,
      [this.model],
    )!;
  }

  /** Throws CANON_MISMATCH if the library no longer has the canon that it was opened with. */
  checkCanon(): void {
    checkStoredCanon(this.#database, this.canon);
  }

  /** In one snapshot: outside of one, each node that is read takes the file's lock and gives it back. */
  #leaf(tree: MerkleTree, documentId: Uint8Array): string | null {
    const value = this.#database.snapshot(() => tree.get(documentId));
    return value === null ? null : toHex(value);
  }
}
