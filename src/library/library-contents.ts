import type { Build } from "../engine/engine.ts";
import { badArgument, optionsArgument, stringArgument, textsArgument } from "../errors/arguments.ts";
import { documentId } from "../identity/ids.ts";
import type { TreeName } from "../store/tree-nodes.ts";
import { canonicalPath } from "../text/path.ts";
import type { CanonParts } from "./canon.ts";
import {
  type ChunkInfo,
  type ChunkOfDocument,
  chunkOf,
  chunksOf,
  type DocumentInfo,
  type DocumentLines,
  type DocumentPage,
  type DocumentText,
  documentOf,
  documentsOf,
  linesIn,
  pathsOf,
} from "./contents.ts";
import { filesFolderOf } from "./files-root.ts";
import type { LibraryParts } from "./library-parts.ts";
import type { LibraryCounts } from "./library-state.ts";
import type { OutsideChunk } from "./outside/outside-record.ts";
import { type OutsideChunksPage, storedChunks } from "./outside/stored-chunks.ts";
import type { IndexStatus } from "./semantic-index.ts";

/** The size of a library and its roots, all from the same moment. */
export interface LibraryStats extends LibraryCounts {
  /** Same as `Library.root`. */
  readonly root: string;
  /** Same as `Library.metadataRoot`. */
  readonly metadataRoot: string;
  /** Same as `Library.canon`. */
  readonly canon: string;
  /** The index of the vectors in this process. */
  readonly index: IndexStatus;
}

/** The half of `Library` that says what it is and what it holds. */
export class LibraryContents {
  readonly #parts: LibraryParts;

  /** @internal Use `open`. */
  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  /** The name that it was opened with: a file, or `:memory:`. */
  get name(): string {
    return this.#parts.database.name;
  }

  /** The digest of everything that decides results, in hexadecimal. */
  get canon(): string {
    return this.#parts.state.canonDigest;
  }

  /** The parts that the canon is the digest of, by name. */
  get canonParts(): CanonParts {
    return this.#parts.state.canon;
  }

  /** The name of the embedding model. */
  get model(): string {
    return this.#parts.identity.name;
  }

  /** The number of components of a vector. */
  get dimension(): number {
    return this.#parts.state.dimension ?? this.#parts.identity.hidden;
  }

  /** The build of the engine in use. */
  get build(): Build {
    return this.#parts.engine.build;
  }

  /** Returns every document, by path, or a part of the list. */
  async documents(page: DocumentPage = {}): Promise<DocumentInfo[]> {
    return documentsOf(this.#parts.database, optionsArgument(page));
  }

  /** Returns a document with its text; null if it does not exist. */
  async document(path: string): Promise<DocumentText | null> {
    return documentOf(this.#parts.database, this.#documentId(path));
  }

  /**
   * Returns some lines of a document, both ends included and cut to what there is; null if the document does not exist.
   *
   * @example
   * const { lines } = (await library.lines("docs/ties.md", 10, 30))!;
   */
  async lines(path: string, from: number, to: number): Promise<DocumentLines | null> {
    return linesIn(documentOf(this.#parts.database, this.#documentId(path)), from, to);
  }

  /**
   * Returns the folder that the paths of files are relative to; null if the library has no files, or their folder is not
   * known. In Node, Deno and Bun.
   */
  async filesFolder(): Promise<string | null> {
    return filesFolderOf(this.#parts.database);
  }

  /** Returns the chunks of a document, in order; none if it does not exist. */
  async chunks(path: string): Promise<ChunkInfo[]> {
    return chunksOf(this.#parts.database, this.#documentId(path));
  }

  /** Returns a chunk by its id, with its document; null if it does not exist. */
  async chunk(chunkId: string): Promise<ChunkOfDocument | null> {
    return chunkOf(this.#parts.database, stringArgument("chunkId", chunkId));
  }

  /** Returns the size of the library, and its roots. */
  async stats(): Promise<LibraryStats> {
    const { database, state, semantic } = this.#parts;
    return database.snapshot(() => ({
      ...state.counts(),
      ...state.roots(),
      canon: this.canon,
      index: semantic.status,
    }));
  }

  /** Returns the root: 32 bytes in hexadecimal, the same on every device with the same paths and texts. SPEC §13 */
  async root(): Promise<string> {
    return this.#parts.state.root();
  }

  /** Returns the same for times, media types and metadata, which a copy or a checkout changes. */
  async metadataRoot(): Promise<string> {
    return this.#parts.state.metadataRoot();
  }

  /** Returns the records of the nodes with these prefixes, for the `diff` or the `pull` of another library. */
  async nodes(prefixes: readonly string[], tree: TreeName = "text"): Promise<readonly Uint8Array[]> {
    const given = textsArgument("prefixes", prefixes);
    if (tree !== "text" && tree !== "metadata") throw badArgument("tree", '"text" or "metadata"', tree);
    const { database, state } = this.#parts;
    return database.snapshot(() => given.map((prefix) => state.trees[tree].node(prefix)));
  }

  /** Returns the paths of documents by their ids; null for one that does not exist. */
  async paths(ids: readonly string[]): Promise<readonly (string | null)[]> {
    return pathsOf(this.#parts.database, textsArgument("ids", ids));
  }

  /**
   * Returns the chunks that were made elsewhere, by UUID, page by page, with everything that came with them: an ingest of
   * them gives the same root.
   *
   * @example
   * const first = await library.outsideChunks({ limit: 1000 });
   * const next = await library.outsideChunks({ after: first.at(-1)!.uuid });
   */
  async outsideChunks(page: OutsideChunksPage = {}): Promise<OutsideChunk[]> {
    return storedChunks(this.#parts.database, optionsArgument(page, { after: true, limit: true }));
  }

  #documentId(path: string): Uint8Array {
    const { engine, state } = this.#parts;
    return documentId(
      engine,
      canonicalPath(engine, stringArgument("path of a document", path)),
      state.canon.namespace,
    );
  }
}
