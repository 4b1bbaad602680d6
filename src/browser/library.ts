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
  type DocumentLines,
  type DocumentPage,
  type DocumentText,
  type ExportPackOptions,
  type FeedbackReport,
  type ImportPackReport,
  type IngestOptions,
  type IngestReport,
  type Library,
  type LibraryCheck,
  type LibraryStats,
  type OutsideChunk,
  type OutsideChunksPage,
  type PackLibrary,
  type PackSource,
  type PulledLibrary,
  type PullReport,
  type RecallFeedback,
  type RecallRequest,
  type RecallResponse,
  type Receipt,
  type ReceiptVerdict,
  type Remote,
  type RemoteTree,
  type RemoveReport,
  type SearchAnswer,
  type SearchParameters,
  SelfsameError,
  serveRemote,
} from "../index.ts";
import type {
  AddGivenFilesOptions,
  AddGivenFilesReport,
  GivenFile,
  LibraryStorage,
} from "../library/browser-entry.ts";
import type { Connection } from "./connection.ts";
import { servePieces } from "./piece-port.ts";
import type { BrowserImportPackOptions, BrowserPullOptions, Opened } from "./protocol.ts";

/** The storage that a browser grants to a site. */
export interface StorageRoom {
  /** True if the browser does not clear the site's data on its own when storage runs low. */
  readonly isPersistent: boolean;
  /** Bytes in use by the site, if the browser reports them. */
  readonly usage: number | null;
  /** Bytes that the site may use, if the browser reports them. */
  readonly quota: number | null;
}

/**
 * A `Library` whose work is done in a Worker, with the same methods and answers. Files come from the user instead of
 * from folders. `diff` is called on the other library (a `BrowserLibrary` is a `RemoteTree`), and there is no
 * `compact`, no `exportTree`, no `registerStore` and no `useCrossEncoder` (the option `crossEncoder` of `open` names one).
 */
export class BrowserLibrary
  implements
    RemoteTree,
    PackLibrary,
    Omit<
      Library,
      | "addFiles"
      | "followFiles"
      | "filesFolder"
      | "ingest"
      | "diff"
      | "compact"
      | "exportTree"
      | "pull"
      | "registerStore"
      | "useCrossEncoder"
    >
{
  /** The name that it was opened with. */
  readonly name: string;
  /** The digest of everything that determines results, in hexadecimal. */
  readonly canon: string;
  /** The values that the canon is the digest of, by name. */
  readonly canonParts: CanonParts;
  /** Where it is stored: `opfs` or, with a `reason`, `indexeddb`. */
  readonly storage: LibraryStorage;
  /** The build of the engine that this device runs correctly: `simd`, or a slower one with the same answers. */
  readonly build: Build;
  /** The name of the model that embeds. */
  readonly model: string;
  /** The number of components of a vector. */
  readonly dimension: number;
  readonly #connection: Connection;
  /** Whether the browser must still be asked to keep what is added. */
  #asksToKeep: boolean;
  #closing: Promise<void> | null = null;

  /** @internal Use `open`. */
  constructor(name: string, connection: Connection, opened: Opened, persist: boolean) {
    const { canon, canonParts, storage, build, model, dimension } = opened;
    this.name = name;
    this.canon = canon;
    this.canonParts = canonParts;
    this.storage = storage;
    this.build = build;
    this.model = model;
    this.dimension = dimension;
    this.#asksToKeep = persist && storage.kind !== "memory";
    this.#connection = connection;
  }

  /** Adds documents, or updates those whose paths exist. */
  add(documents: readonly DocumentInput[], options: AddOptions = {}): Promise<AddReport> {
    const { force = false, signal, onProgress } = options;
    return this.#kept(this.#connection.call("add", [documents, { force }], { signal, onProgress }));
  }

  /**
   * Adds files that the user chose (`<input type="file">`, also with `webkitdirectory`) or dropped (`droppedFiles`). A
   * file's path is its path within the chosen folder, or else its name.
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

  /** Adds documents whose chunks were made elsewhere, from a list of records: see `Library.ingest`. */
  ingest(
    records: readonly OutsideChunk[],
    options: Pick<IngestOptions, "signal" | "onProgress"> = {},
  ): Promise<IngestReport> {
    return this.#kept(this.#connection.call("ingest", [records], options));
  }

  /** Returns the chunks that were made elsewhere, by UUID: see `Library.outsideChunks`. */
  outsideChunks(page: OutsideChunksPage = {}): Promise<OutsideChunk[]> {
    return this.#connection.call("outsideChunks", [page]);
  }

  /** Removes documents by path. Paths that do not exist are returned as `missing`. */
  remove(paths: readonly string[]): Promise<RemoveReport> {
    return this.#connection.call("remove", [paths]);
  }

  /**
   * Finds chunks by meaning, by words, or by both. The answer is the same as in Node, bit for bit (except `timings`).
   */
  search(query: string, parameters: SearchParameters = {}): Promise<SearchAnswer> {
    return this.#connection.call("search", [query, parameters]);
  }

  /**
   * Re-runs the search of a receipt, given as text or as an object, and reports where this library's answer differs.
   */
  verifyReceipt(receipt: string | Receipt): Promise<ReceiptVerdict> {
    return this.#connection.call("verifyReceipt", [receipt]);
  }

  /** Recalls memories with reasons, as `Library.recall` does. The answer is the same as in Node, except `used_time_ms`. */
  recall(request: RecallRequest): Promise<RecallResponse> {
    return this.#connection.call("recall", [request]);
  }

  /**
   * Returns the bytes of a pack, piece by piece, as `Library.exportPack` does. The Worker makes a piece when it is asked for.
   *
   * @example
   * const pieces = [];
   * for await (const piece of library.exportPack()) pieces.push(piece);
   * link.href = URL.createObjectURL(new Blob(pieces));
   */
  async *exportPack({
    signal,
    onProgress,
    ...options
  }: ExportPackOptions = {}): AsyncGenerator<Uint8Array, void> {
    const number = await this.#connection.call("exportPack", [options], { signal, onProgress });
    try {
      for (;;) {
        const piece = await this.#connection.call("exportPiece", [number], { signal, onProgress });
        if (piece === null) return;
        yield piece;
      }
    } finally {
      await this.#connection.call("exportEnd", [number]);
    }
  }

  /**
   * Brings a pack into the library, as `Library.importPack` does. A File costs no memory; a stream is asked for piece by
   * piece.
   *
   * @example
   * await library.importPack(input.files[0], { onProgress: ({ step, documents }) => … });
   */
  importPack(
    source: PackSource,
    { signal, onProgress, ...options }: BrowserImportPackOptions = {},
  ): Promise<ImportPackReport> {
    if (source instanceof Uint8Array || source instanceof Blob)
      return this.#kept(
        this.#connection.call("importPack", [{ bytes: source }, options], { signal, onProgress }),
      );
    const { port1, port2 } = new MessageChannel();
    const end = servePieces(port1, source);
    const isRepeatable = typeof source === "function";
    const call = this.#connection.call("importPack", [{ port: port2, isRepeatable }, options], {
      ...{ signal, onProgress },
      transfer: [port2],
    });
    return this.#kept(call.finally(end));
  }

  /** Keeps what a person accepted and rejected of a recall, as `Library.feedback` does. */
  feedback(feedback: RecallFeedback): Promise<FeedbackReport> {
    return this.#connection.call("feedback", [feedback]);
  }

  /** Forgets all feedback. Returns how many events there were. */
  resetFeedback(): Promise<number> {
    return this.#connection.call("resetFeedback", []);
  }

  /** Brings the vectors into memory and builds the graphs that are missing, as the first search by meaning would. */
  prepare(): Promise<void> {
    return this.#connection.call("prepare", []);
  }

  /** Checks the library's consistency, as `Library.check` does: recomputes all derived data and compares it. */
  check({ signal, onFinding, ...options }: CheckOptions = {}): Promise<LibraryCheck> {
    return this.#connection.call("check", [options], { signal, onProgress: onFinding });
  }

  /** Returns every document, by path, or a part of the list. */
  documents(page: DocumentPage = {}): Promise<DocumentInfo[]> {
    return this.#connection.call("documents", [page]);
  }

  /** Returns a document with its text; null if it does not exist. */
  document(path: string): Promise<DocumentText | null> {
    return this.#connection.call("document", [path]);
  }

  /** Returns some lines of a document, both ends included; null if the document does not exist. */
  lines(path: string, from: number, to: number): Promise<DocumentLines | null> {
    return this.#connection.call("lines", [path, from, to]);
  }

  /** Returns the chunks of a document, in order; none if it does not exist. */
  chunks(path: string): Promise<ChunkInfo[]> {
    return this.#connection.call("chunks", [path]);
  }

  /** Returns a chunk by its id, with the document that it belongs to; null if it does not exist. */
  chunk(chunkId: string): Promise<ChunkOfDocument | null> {
    return this.#connection.call("chunk", [chunkId]);
  }

  /** Returns how much the library holds, and its roots. */
  stats(): Promise<LibraryStats> {
    return this.#connection.call("stats", []);
  }

  /** Returns 32 bytes in hexadecimal, the same on every device with the same paths and texts. SPEC §13 */
  root(): Promise<string> {
    return this.#connection.call("root", []);
  }

  /** Like `root`, for times, mime types and metadata, which a copy or a checkout changes. */
  metadataRoot(): Promise<string> {
    return this.#connection.call("metadataRoot", []);
  }

  /** Returns the records of the nodes with these prefixes, for the `diff` or the `pull` of another library. */
  nodes(prefixes: readonly string[], tree: "text" | "metadata" = "text"): Promise<readonly Uint8Array[]> {
    return this.#connection.call("nodes", [prefixes, tree]);
  }

  /**
   * Brings over what another library has, as `Library.pull` does: from an address (whose server must allow this page's
   * origin), from another library of the page, or from any `Remote`.
   *
   * @example
   * await library.pull("https://example.org/notes/", { mode: "mirror", onProgress: ({ documents }) => … });
   */
  pull(
    remote: Remote | PulledLibrary | string | URL,
    { signal, onProgress, ...options }: BrowserPullOptions = {},
  ): Promise<PullReport> {
    if (typeof remote === "string" || remote instanceof URL) {
      const address = new URL(remote, globalThis.location.href).href;
      return this.#kept(this.#connection.call("pull", [{ address }, options], { signal, onProgress }));
    }
    const { port1, port2 } = new MessageChannel();
    const name = remote.name === ":memory:" ? null : remote.name;
    serveRemote(remote, port1);
    const call = this.#connection.call("pull", [{ port: port2, name }, options], {
      ...{ signal, onProgress },
      transfer: [port2],
    });
    return this.#kept(call.finally(() => port1.close()));
  }

  /** Returns the paths of documents by their ids; null for a document that does not exist. */
  paths(documentIds: readonly string[]): Promise<readonly (string | null)[]> {
    return this.#connection.call("paths", [documentIds]);
  }

  /** Returns whether the browser promises to keep this site's data, and the bytes in use and available to the site. */
  async room(): Promise<StorageRoom> {
    const { storage } = navigator;
    const [isPersistent, { usage, quota }] = await Promise.all([storage.persisted(), storage.estimate()]);
    return { isPersistent, usage: usage ?? null, quota: quota ?? null };
  }

  /** Stops all work, closes the library and ends its Worker. */
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

  /**
   * Asks the browser to keep the data once there is some. The browser may ask the user, so nothing waits for the
   * answer.
   */
  #kept<T>(adding: Promise<T>): Promise<T> {
    return adding.then((report) => {
      if (this.#asksToKeep) navigator.storage.persist().catch(() => undefined);
      this.#asksToKeep = false;
      return report;
    });
  }
}
