import type { Build } from "../engine/engine.ts";
import type { FoundFile, Walk, WalkOptions } from "../ingest/walk.node.ts";
import type { FileWatcher, WatchOptions } from "../ingest/watch.node.ts";
import type { ModelFile } from "../model/manifest.ts";
import type { Database } from "../store/database.ts";

/** A thread, seen from the one that started it. Messages are cloned. */
export interface WorkerHandle {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** The thread died, or could not start; it sends nothing more. */
  onFailure(listener: (reason: Error) => void): void;
  stop(): void;
}

/** Files on the device. */
export interface FileAccess {
  walk(paths: readonly string[], options: WalkOptions): Promise<Walk>;
  watch(paths: readonly string[], options: WatchOptions): Promise<FileWatcher>;
  /** The bytes of a file that a walk has found; null if it is not there any more. Rejects if another is in its place. */
  read(file: FoundFile): Promise<Uint8Array | null>;
  /** The folder that a library's paths count from, unless another is given. */
  folderOf(library: string): string;
  /** A folder as seen from the one that a library is in, with `/`, so that both can be moved together; and back. */
  nameOfFolder(folder: string, library: string): string;
  folderNamed(name: string, library: string): string;
  isFile(folder: string, path: string): boolean;
}

/**
 * All that differs between hosts before a library is opened: where the package's files are, and how bytes are read.
 * `import … from "#platform"` finds node.ts or browser.ts by the conditions in package.json, so that nothing of Node
 * is reachable from a browser's bundle.
 */
export interface Platform {
  /** Where the package keeps the wasm of a build. */
  engineUrl(build: Build): URL;
  /** Where the package keeps the manifest of a model. */
  manifestUrl(model: string): URL;
  /** The folder of an installed npm package, as a URL that ends in `/`; null where packages are not found by name. */
  packageUrl(name: string): Promise<URL | null>;
  /** All bytes behind a URL; a SelfsameError FILE_MISSING if there are none. */
  readUrl(url: URL): Promise<Uint8Array<ArrayBuffer>>;
  /** A file of a model; a browser keeps it, and does not ask the server again. */
  readModelFile(url: URL, file: ModelFile): Promise<Uint8Array<ArrayBuffer>>;
  /** A database by name: a file in Node, ":memory:" anywhere. */
  openDatabase(name: string, options: { readonly timeoutMs?: number }): Promise<Database>;
  /** The files of the device; null in a browser. */
  readonly files: FileAccess | null;
  /** Starts src/model/worker.ts in a thread of its own. */
  startEmbedWorker(): WorkerHandle;
  /** Starts src/vectors/pairs-worker.ts in a thread of its own. */
  startPairsWorker(): WorkerHandle;
  /** In such a thread: answers each message of the one that started it. */
  serve(answer: (request: unknown) => Promise<unknown>): void;
  /** How many threads are worth starting. */
  readonly threads: number;
}
