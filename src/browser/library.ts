import {
  type AddOptions,
  type AddReport,
  type Build,
  type CanonParts,
  type CheckOptions,
  type ChunkInfo,
  type ChunkOfDocument,
  type DocumentInfo,
  type DocumentInput,
  type DocumentPage,
  type DocumentText,
  type Library,
  type LibraryCheck,
  type LibraryStats,
  type Receipt,
  type ReceiptVerdict,
  type RemoteTree,
  type RemoveReport,
  type SearchAnswer,
  type SearchParameters,
  SelfsameError,
} from "../index.ts";
import type {
  AddGivenFilesOptions,
  AddGivenFilesReport,
  GivenFile,
  LibraryStorage,
} from "../library/browser-entry.ts";
import type { Connection } from "./connection.ts";
import type { Opened } from "./protocol.ts";

/** What a browser grants to a site. */
export interface StorageRoom {
  /** True where the browser does not clear the site's data by itself when room runs short. */
  readonly isPersistent: boolean;
  /** Bytes in use by the site, if the browser says. */
  readonly usage: number | null;
  /** Bytes that the site may use, if the browser says. */
  readonly quota: number | null;
}

/**
 * A `Library` whose work is done in a Worker, with the same methods and answers. Files come from the person instead of
 * from folders, `diff` is for the other side (a `BrowserLibrary` is a `RemoteTree`), and there is no `compact`.
 */
export class BrowserLibrary
  implements RemoteTree, Omit<Library, "addFiles" | "followFiles" | "diff" | "compact">
{
  /** The name it was opened with. */
  readonly name: string;
  /** The digest of everything that decides results, in hexadecimal. */
  readonly canon: string;
  /** What the canon is the digest of, by name. */
  readonly canonParts: CanonParts;
  /** Where it is kept: `opfs`, or, for a `reason`, `indexeddb`. */
  readonly storage: LibraryStorage;
  /** The build of the engine that this device runs right: `simd`, or a slower one with the same answers. */
  readonly build: Build;
  /** The name of the model that embeds. */
  readonly model: string;
  readonly #connection: Connection;
  /** Whether the browser is still to be asked to keep what is added. */
  #asksToKeep: boolean;
  #closing: Promise<void> | null = null;

  /** @internal Use `open`. */
  constructor(name: string, connection: Connection, opened: Opened, persist: boolean) {
    const { canon, canonParts, storage, build, model } = opened;
    this.name = name;
    this.canon = canon;
    this.canonParts = canonParts;
    this.storage = storage;
    this.build = build;
    this.model = model;
    this.#asksToKeep = persist && storage.kind !== "memory";
    this.#connection = connection;
  }

  /** Adds documents, or updates those whose paths are there. */
  add(documents: readonly DocumentInput[], options: AddOptions = {}): Promise<AddReport> {
    const { force = false, signal, onProgress } = options;
    return this.#kept(this.#connection.call("add", [documents, { force }], { signal, onProgress }));
  }

  /**
   * Adds files that a person chose (`<input type="file">`, also with `webkitdirectory`) or dropped (`droppedFiles`). A
   * file's path is what it has within the folder that was chosen, or else its name.
   */
  addFiles(
    files: Iterable<File | GivenFile>,
    options: AddGivenFilesOptions & Pick<AddOptions, "signal" | "onProgress"> = {},
  ): Promise<AddGivenFilesReport> {
    const { signal, onProgress, ...rest } = options;
    const given = Array.from(files, (each) =>
      each instanceof File ? { path: each.webkitRelativePath || each.name, file: each } : each,
    );
    return this.#kept(this.#connection.call("addFiles", [given, rest], { signal, onProgress }));
  }

  /** Takes documents out by path. Paths that are not there are returned as `missing`. */
  remove(paths: readonly string[]): Promise<RemoveReport> {
    return this.#connection.call("remove", [paths]);
  }

  /** Finds chunks by meaning, by words, or by both: the same answer as in Node, bit by bit (but for `timings`). */
  search(query: string, parameters: SearchParameters = {}): Promise<SearchAnswer> {
    return this.#connection.call("search", [query, parameters]);
  }

  /** Makes the search of a receipt again, its text or itself, and says in what this library's answer differs. */
  verifyReceipt(receipt: string | Receipt): Promise<ReceiptVerdict> {
    return this.#connection.call("verifyReceipt", [receipt]);
  }

  /** Holds the library against itself, as `Library.check` does: all that is derived is made again and compared. */
  check({ signal, onFinding, ...options }: CheckOptions = {}): Promise<LibraryCheck> {
    return this.#connection.call("check", [options], { signal, onProgress: onFinding });
  }

  /** Every document, by path; or a part of the list. */
  documents(page: DocumentPage = {}): Promise<DocumentInfo[]> {
    return this.#connection.call("documents", [page]);
  }

  /** A document with its text; null if it is not there. */
  document(path: string): Promise<DocumentText | null> {
    return this.#connection.call("document", [path]);
  }

  /** The chunks of a document, in order; none if it is not there. */
  chunks(path: string): Promise<ChunkInfo[]> {
    return this.#connection.call("chunks", [path]);
  }

  /** A chunk by its id, with the document that it is of; null if it is not there. */
  chunk(chunkId: string): Promise<ChunkOfDocument | null> {
    return this.#connection.call("chunk", [chunkId]);
  }

  /** How much it holds, and its roots. */
  stats(): Promise<LibraryStats> {
    return this.#connection.call("stats", []);
  }

  /** 32 bytes in hexadecimal, the same on every device with the same paths and texts. SPEC §13 */
  root(): Promise<string> {
    return this.#connection.call("root", []);
  }

  /** The same for times, mime types and metadata, which a copy or a checkout changes. */
  metadataRoot(): Promise<string> {
    return this.#connection.call("metadataRoot", []);
  }

  /** Records of the nodes with these prefixes, for the `diff` of another library. */
  nodes(prefixes: readonly string[]): Promise<readonly Uint8Array[]> {
    return this.#connection.call("nodes", [prefixes]);
  }

  /** The paths of documents by their ids, null where one is not there. */
  paths(documentIds: readonly string[]): Promise<readonly (string | null)[]> {
    return this.#connection.call("paths", [documentIds]);
  }

  /** Whether the browser promises to keep this site's data, how much that is, and how much it may be, in bytes. */
  async room(): Promise<StorageRoom> {
    const { storage } = navigator;
    const [isPersistent, { usage, quota }] = await Promise.all([storage.persisted(), storage.estimate()]);
    return { isPersistent, usage: usage ?? null, quota: quota ?? null };
  }

  /** Ends all work, closes the library and ends its Worker. */
  close(): Promise<void> {
    this.#closing ??= this.#connection
      .call("close", [])
      .finally(() =>
        this.#connection.end(
          new SelfsameError("BAD_ARGUMENT", `expected ${this.name} to be open, got a call after close()`),
        ),
      );
    return this.#closing;
  }

  /** Once there is something to keep, asks the browser to. It may ask the person, so nothing waits for the answer. */
  #kept<T>(adding: Promise<T>): Promise<T> {
    return adding.then((report) => {
      if (this.#asksToKeep) navigator.storage.persist().catch(() => undefined);
      this.#asksToKeep = false;
      return report;
    });
  }
}
