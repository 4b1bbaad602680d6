import { toHex } from "../engine/digest.ts";
import { type LoadOptions, loadEngine } from "../engine/load.ts";
import { SelfsameError } from "../errors.ts";
import type { ChunkChanges } from "../ingest/ingest.ts";
import type { Database } from "../store/database.ts";
import { vectorOf } from "../vectors/vector.ts";
import { VectorIndex } from "../vectors/vector-index.ts";
import type { IndexKind } from "./canon.ts";

/** `auto` answers from the graph above this many distinct vectors. SPEC §14.3 */
const GRAPH_ANSWERS_ABOVE = 65_536;
/** … and keeps it from here on, so that crossing the line costs no search a rebuild. */
const GRAPH_KEPT_FROM = 32_768;
/** With more changes than a twentieth of the vectors, building the graph anew is cheaper than changing it. */
const REBUILD_SHARE = 20;
/** SQLite would hold a larger blob too; pieces keep its copies small. */
const PIECE_BYTES = 8 << 20;

/**
 * The vectors of a library's chunks in memory: derived from the database, so it can always be made again. It belongs to one
 * root; whatever changes the library (this process or another) is caught up with before an answer.
 */
export class SemanticIndex {
  readonly #database: Database;
  readonly #model: Uint8Array;
  readonly #dim: number;
  readonly #kind: IndexKind;
  readonly #options: LoadOptions;
  #index: VectorIndex | null = null;
  #root = "";
  #savedRoot = "";

  constructor(database: Database, model: Uint8Array, dim: number, kind: IndexKind, options: LoadOptions) {
    this.#database = database;
    this.#model = model;
    this.#dim = dim;
    this.#kind = kind;
    this.#options = options;
  }

  /** The index of the library as it is now, whose root is `root`. */
  async current(root: string): Promise<VectorIndex> {
    if (this.#index === null) await this.#load(root);
    else if (this.#root !== root) await this.#catchUp(root);
    this.#root = root;
    const index = this.#index!;
    if (!index.hasGraph && this.#wantsGraph(index)) await index.buildGraph();
    return index;
  }

  /** Whether the graph answers; a function of the set and the canon alone. */
  answersByGraph(index: VectorIndex): boolean {
    return this.#kind === "hnsw" || (this.#kind === "auto" && index.distinct > GRAPH_ANSWERS_ABOVE);
  }

  /** Follows a change that this process has just written; `root` is the new one. */
  apply(changes: ChunkChanges, before: string, root: string): void {
    if (this.#index === null || this.#root !== before) return;
    if (
      this.#index.hasGraph &&
      (changes.added.length + changes.removed.length) * REBUILD_SHARE > this.#index.distinct
    ) {
      this.#index.close();
      this.#index = null;
      return;
    }
    for (const id of changes.removed) this.#index.remove(id);
    for (const id of changes.added) this.#index.add(id, this.#vector(id));
    this.#root = root;
  }

  /** Keeps the graph in the database, if there is one that is not kept yet. */
  save(): void {
    const index = this.#index;
    if (index === null || !index.hasGraph || this.#savedRoot === this.#root) return;
    const bytes = index.serialize();
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM graph");
      for (let at = 0, piece = 0; at < bytes.length; at += PIECE_BYTES, piece++) {
        this.#database.run("INSERT INTO graph (piece, root, totalBytes, bytes) VALUES (?, ?, ?, ?)", [
          piece,
          this.#root,
          bytes.length,
          bytes.subarray(at, at + PIECE_BYTES),
        ]);
      }
    });
    this.#savedRoot = this.#root;
  }

  close(): void {
    this.#index?.close();
    this.#index = null;
  }

  #wantsGraph(index: VectorIndex): boolean {
    return this.#kind === "hnsw" || (this.#kind === "auto" && index.distinct >= GRAPH_KEPT_FROM);
  }

  async #load(root: string): Promise<void> {
    const { engine } = await loadEngine(this.#options);
    const saved = this.#saved(root);
    if (saved !== null) {
      try {
        this.#index = VectorIndex.deserialize(engine, saved);
        this.#savedRoot = root;
        return;
      } catch (error) {
        // A damaged cache is made again, from the vectors themselves.
        if (!(error instanceof SelfsameError && error.code === "BAD_INDEX_BYTES")) throw error;
      }
    }
    const index = VectorIndex.create(engine, { dim: this.#dim, graph: false });
    this.#database.each(
      `SELECT chunkId, vector FROM chunks JOIN embeddings USING (textHash) WHERE model = ?`,
      [this.#model],
      (row) => index.add(row.blobView(0).slice(), vectorOf(row.blobView(1))),
    );
    this.#index = index;
  }

  #saved(root: string): Uint8Array | null {
    const first = this.#database.get<{ root: string; totalBytes: number }>(
      "SELECT root, totalBytes FROM graph WHERE piece = 0",
    );
    if (first === undefined || first.root !== root) return null;
    const bytes = new Uint8Array(first.totalBytes);
    let at = 0;
    this.#database.each("SELECT bytes FROM graph ORDER BY piece", [], (row) => {
      const piece = row.blobView(0);
      if (at + piece.length <= bytes.length) bytes.set(piece, at);
      at += piece.length;
    });
    return at === bytes.length ? bytes : null;
  }

  /** Another process has written: what it added is added; where it took something out, all is read again. */
  async #catchUp(root: string): Promise<void> {
    const index = this.#index!;
    const missing: Uint8Array[] = [];
    let count = 0;
    this.#database.each("SELECT chunkId FROM chunks", [], (row) => {
      const id = row.blobView(0).slice();
      if (!index.has(id)) missing.push(id);
      count++;
    });
    if (index.size + missing.length > count) {
      this.close();
      await this.#load(root);
    } else for (const id of missing) index.add(id, this.#vector(id));
  }

  #vector(chunkId: Uint8Array): Int16Array {
    const row = this.#database.get<{ vector: Uint8Array }>(
      "SELECT vector FROM chunks JOIN embeddings USING (textHash) WHERE chunkId = ? AND model = ?",
      [chunkId, this.#model],
    );
    if (row === undefined) {
      throw new SelfsameError(
        "DATABASE_CORRUPT",
        `expected a vector of chunk ${toHex(chunkId)}, got none`,
        "Run selfsame index --force",
      );
    }
    return vectorOf(row.vector);
  }
}
