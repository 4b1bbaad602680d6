import { fromHex, toHex } from "../engine/digest.ts";
import type { Build, Engine } from "../engine/engine.ts";
import type { LoadOptions } from "../engine/load.ts";
import {
  badArgument,
  checkKinds,
  listArgument,
  objectArgument,
  optionsArgument,
  stringArgument,
  textsArgument,
} from "../errors/arguments.ts";
import { documentIds } from "../identity/ids.ts";
import { diffTrees } from "../identity/root-diff.ts";
import type { Embedder } from "../model/embedder.ts";
import type { ModelIdentity } from "../model/manifest.ts";
import type { SearchAnswer } from "../search/answer.ts";
import { compareReceipts, type ReceiptDifference } from "../search/compare-receipts.ts";
import { checkReceipt, parseReceipt, type Receipt } from "../search/receipt.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import type { Database } from "../store/database.ts";
import { type AddOptions, type AddReport, addDocuments } from "./add-documents.ts";
import { ADD_FILES_KINDS, type AddFilesOptions, type AddFilesReport, addFiles } from "./add-files.ts";
import { type CanonParts, canonDigest, modelDigest } from "./canon.ts";
import { type CheckOptions, checkLibrary, type LibraryCheck } from "./check.ts";
import { type CompactReport, compact } from "./compact.ts";
import {
  type ChunkInfo,
  type ChunkOfDocument,
  chunkOf,
  chunksOf,
  type DocumentInfo,
  type DocumentPage,
  type DocumentText,
  documentOf,
  documentsOf,
} from "./contents.ts";
import { copyInput, type DocumentInput, preparePaths } from "./document-input.ts";
import { type FollowFilesOptions, followFiles } from "./follow-files.ts";
import type { Ingest } from "./ingest.ts";
import { Searcher } from "./searcher.ts";
import type { SemanticIndex } from "./semantic-index.ts";

export type { AddOptions, AddReport, ChunkInfo, DocumentInfo };

/** What `Library.remove` did. */
export interface RemoveReport {
  /** How many documents were taken out. */
  readonly removed: number;
  /** Paths that no document has, in canonical form. */
  readonly missing: readonly string[];
}

/** A library in numbers, all of one moment. */
export interface LibraryStats {
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
  /** As `Library.root`. */
  readonly root: string;
  /** As `Library.metadataRoot`. */
  readonly metadataRoot: string;
  /** As `Library.canon`. */
  readonly canon: string;
}

/** A library on another device, as far as a comparison needs it. A `Library` is one itself. */
export interface RemoteTree {
  /** The root of its documents, in hexadecimal. */
  root(): Promise<string>;
  /** Records of the nodes with these prefixes, for `diff`. */
  nodes(prefixes: readonly string[]): Promise<readonly Uint8Array[]>;
  /** The paths of documents, null where one is not there. */
  paths(documentIds: readonly string[]): Promise<readonly (string | null)[]>;
}

/** A document in which two libraries differ. */
export interface DocumentDifference {
  /** Of namespace and path, in hexadecimal. */
  readonly documentId: string;
  /** Its path; null if the side that has it did not tell. */
  readonly path: string | null;
  /** In what: here is the library that was asked, there the other. */
  readonly change: "only here" | "only there" | "different text";
}

/** Whether a library answers as a receipt says. */
export interface ReceiptVerdict {
  /** Same canon, same documents, same results with the same score bits. */
  readonly isSame: boolean;
  /** In what the answers differ, causes before effects; empty if they are the same. */
  readonly differences: readonly ReceiptDifference[];
  /** What this library answers. */
  readonly actual: Receipt;
  /** What it could not do, and did instead, such as without the model's weights; empty if it did what the receipt says. */
  readonly warnings: readonly string[];
}

/** What a library is made of; `open` puts it together. */
export interface LibraryParts {
  readonly engine: Engine;
  readonly database: Database;
  readonly ingest: Ingest;
  readonly embedder: Embedder;
  readonly semantic: SemanticIndex;
  readonly canon: CanonParts;
  /** Of the model that it was made with. */
  readonly identity: ModelIdentity;
  /** Where further engines come from. */
  readonly load: LoadOptions;
}

/**
 * Documents, chunked, embedded and indexed in one SQLite database. Two libraries with the same canon that hold the same
 * documents are the same, whatever their histories: same chunks, same ids, same scores, same root.
 */
export class Library implements RemoteTree {
  readonly #parts: LibraryParts;
  /** Writes wait for each other. */
  #queue: Promise<unknown> = Promise.resolve();

  readonly #searcher: Searcher;

  /** @internal Use `open`. */
  constructor(parts: LibraryParts) {
    this.#parts = parts;
    this.#searcher = new Searcher(parts);
  }

  /** The name it was opened with: a file, or `:memory:`. */
  get name(): string {
    return this.#parts.database.name;
  }

  /** The digest of everything that decides results, in hexadecimal. */
  get canon(): string {
    return canonDigest(this.#parts.engine, this.#parts.canon);
  }

  /** What the canon is the digest of, by name. */
  get canonParts(): CanonParts {
    return this.#parts.canon;
  }

  /** The name of the model that embeds. */
  get model(): string {
    return this.#parts.identity.name;
  }

  /** The build of the engine that computes. */
  get build(): Build {
    return this.#parts.engine.build;
  }

  /**
   * Adds documents, or updates those whose paths are there. Unchanged ones cost a hash; a text that was embedded before,
   * under any path, is not embedded again.
   *
   * @example
   * await library.add([{ path: "ties.md", text: "# Ties\n…", modifiedAt: Date.now() }]);
   */
  async add(documents: readonly DocumentInput[], options: AddOptions = {}): Promise<AddReport> {
    // Now, before anything is awaited: the caller may go on with its objects meanwhile.
    const inputs = listArgument("documents", documents).map(copyInput);
    const given = checkKinds(optionsArgument(options), {
      ...{ signal: "signal", onProgress: "function", onDocument: "function", force: "flag" },
    });
    return this.#exclusive(() => addDocuments(this.#parts, inputs, given));
  }

  /**
   * Brings the library up to date with the files below `paths`: new and changed ones are added, those that are gone are
   * taken out, unchanged ones are not read. In Node, Deno and Bun.
   *
   * @example
   * const { added, updated, removed } = await library.addFiles(["docs", "README.md"]);
   */
  async addFiles(paths: readonly string[], options: AddFilesOptions = {}): Promise<AddFilesReport> {
    const given = checkKinds(optionsArgument(options), ADD_FILES_KINDS);
    return addFiles(this, this.#parts, textsArgument("paths", paths), given);
  }

  /**
   * Keeps the library up to date with the files below `paths` while they change, until `signal` stops it. In Node, Deno
   * and Bun.
   *
   * @example
   * await library.followFiles(["docs"], { signal, onEvent: (event) => console.log(event.type) });
   */
  async followFiles(paths: readonly string[], options: FollowFilesOptions): Promise<void> {
    const given = checkKinds(optionsArgument(options), { ...ADD_FILES_KINDS, onEvent: "function" });
    if (given.signal === undefined) throw badArgument("signal", "an AbortSignal", undefined);
    return followFiles(this, textsArgument("paths", paths), given);
  }

  /**
   * Finds chunks by meaning, by words, or by both. The same query on the same documents gives the same answer on every
   * device, bit by bit (but for `timings`).
   *
   * @example
   * const { results, receipt } = await library.search("how are ties broken?", { topK: 5 });
   */
  search(query: string, parameters: SearchParameters = {}): Promise<SearchAnswer> {
    return this.#searcher.search(query, parameters);
  }

  /**
   * Makes the search of a receipt again, its text or itself, and says in what this library's answer differs.
   *
   * @example
   * const { isSame, differences } = await library.verifyReceipt(await readFile("receipt.json", "utf8"));
   */
  async verifyReceipt(receipt: string | Receipt): Promise<ReceiptVerdict> {
    const { engine } = this.#parts;
    const expected =
      typeof receipt === "string" ? parseReceipt(engine, receipt) : checkReceipt(engine, receipt);
    const { receipt: actual, warnings } = await this.#searcher.rerun(expected);
    const differences = compareReceipts(expected, actual);
    return { isSame: differences.length === 0, differences, actual, warnings };
  }

  /** Takes documents out by path. Paths that are not there are returned as `missing`. */
  async remove(paths: readonly string[]): Promise<RemoveReport> {
    const given = textsArgument("paths", paths);
    return this.#exclusive(async () => {
      const { engine, ingest, semantic, canon } = this.#parts;
      const canonical = preparePaths(engine, given);
      const ids = documentIds(engine, canonical, canon.namespace);
      const { gone, changes } = ingest.remove(ids);
      semantic.apply(changes);
      const kept = new Set(gone.map(toHex));
      return { removed: gone.length, missing: canonical.filter((_, i) => !kept.has(toHex(ids[i]!))) };
    });
  }

  /** Every document, by path; or a part of the list. */
  documents(page: DocumentPage = {}): DocumentInfo[] {
    return documentsOf(this.#parts.database, optionsArgument(page));
  }

  /** A document with its text; null if it is not there. */
  document(path: string): DocumentText | null {
    return documentOf(this.#parts.database, this.#documentId(path));
  }

  /** The chunks of a document, in order; none if it is not there. */
  chunks(path: string): ChunkInfo[] {
    return chunksOf(this.#parts.database, this.#documentId(path));
  }

  /** A chunk by its id, with the document that it is of; null if it is not there. */
  chunk(chunkId: string): ChunkOfDocument | null {
    return chunkOf(this.#parts.database, stringArgument("chunkId", chunkId));
  }

  /** How much it holds, and its roots. */
  stats(): LibraryStats {
    const { engine, database, canon } = this.#parts;
    return database.snapshot(() => {
      const counts = database.get<Omit<LibraryStats, "root" | "metadataRoot" | "canon">>(
        `SELECT (SELECT count(documentId) FROM documents) AS documents,
                (SELECT count(chunkId) FROM chunks) AS chunks,
                (SELECT coalesce(sum(textBytes), 0) FROM documents) AS textBytes,
                (SELECT coalesce(sum(tokens), 0) FROM chunks) AS tokens,
                (SELECT count(textHash) FROM embeddings) AS embeddings,
                (SELECT count(*) FROM embeddings
                 WHERE model <> ?1 OR textHash NOT IN (SELECT textHash FROM chunks)) AS unusedEmbeddings`,
        [modelDigest(engine, canon)],
      )!;
      return { ...counts, root: this.#root(), metadataRoot: this.#metadataRoot(), canon: this.canon };
    });
  }

  /** 32 bytes in hexadecimal, the same on every device with the same paths and texts. SPEC §13 */
  async root(): Promise<string> {
    return this.#root();
  }

  /** The same for times, mime types and metadata, which a copy or a checkout changes. */
  async metadataRoot(): Promise<string> {
    return this.#metadataRoot();
  }

  /** Records of the nodes with these prefixes, for the `diff` of another library. */
  async nodes(prefixes: readonly string[]): Promise<readonly Uint8Array[]> {
    const given = textsArgument("prefixes", prefixes);
    return given.map((prefix) => this.#parts.ingest.trees.text.node(prefix));
  }

  /** The paths of documents by their ids, null where one is not there. */
  async paths(ids: readonly string[]): Promise<readonly (string | null)[]> {
    const sql = "SELECT path FROM documents WHERE documentId = unhex(?)";
    const given = textsArgument("ids", ids);
    return given.map((id) => this.#parts.database.get<{ path: string }>(sql, [id])?.path ?? null);
  }

  /**
   * The documents in which this library and another differ, by id. Only nodes of the two trees that are not the same are
   * asked for, about log₁₆ of the number of documents for each difference.
   *
   * @example
   * for (const { path, change } of await library.diff(other)) console.log(change, path);
   */
  async diff(other: RemoteTree): Promise<DocumentDifference[]> {
    objectArgument("the other library", other, ["root", "nodes", "paths"]);
    const { engine, ingest } = this.#parts;
    const theirRoot = fromHex(stringArgument("the root of the other library", await other.root()));
    const found = await diffTrees(engine, ingest.trees.text, theirRoot, (prefixes) => other.nodes(prefixes));
    const ids = found.map(({ id }) => toHex(id));
    const [ours, theirs] = [await this.paths(ids), await other.paths(ids)];
    return found.map(({ here, there }, i) => ({
      documentId: ids[i]!,
      path: ours[i] ?? theirs[i] ?? null,
      change: there === null ? "only here" : here === null ? "only there" : "different text",
    }));
  }

  /**
   * Checks the library against its own texts: hashes, roots, chunks, words and graph are derived again and compared, all
   * of them, and so are vectors, a random sample or all. Nothing is written, and it says what to do about each problem.
   *
   * @example
   * const { isSound, findings } = await library.check({ full: true });
   */
  async check(options: CheckOptions = {}): Promise<LibraryCheck> {
    const given = checkKinds(optionsArgument(options), {
      ...{ embeddings: "count", full: "flag", signal: "signal", onFinding: "function" },
    });
    return checkLibrary(this.#parts, given);
  }

  /**
   * Shrinks the file to what its documents need: vectors of removed texts go, the word index is built again, and nothing of
   * removed text stays in the file. It takes about as long as copying the file, and as much space beside it.
   *
   * @example
   * const { bytesBefore, bytesAfter } = await library.compact();
   */
  async compact(): Promise<CompactReport> {
    return this.#exclusive(async () => compact(this.#parts));
  }

  /** Ends all work and closes the file. */
  async close(): Promise<void> {
    await this.#queue;
    const { database, embedder, semantic } = this.#parts;
    if (!database.isOpen) return;
    await semantic.close();
    embedder.close();
    database.close();
  }

  #documentId(path: string): Uint8Array {
    const { engine, canon } = this.#parts;
    return documentIds(engine, preparePaths(engine, [path]), canon.namespace)[0]!;
  }

  #root(): string {
    return this.#parts.ingest.root();
  }

  #metadataRoot(): string {
    return toHex(this.#parts.ingest.trees.metadata.root());
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(work);
    this.#queue = run.catch(() => undefined);
    return run;
  }
}
