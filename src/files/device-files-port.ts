import type { SelfsameError } from "../errors/selfsame-error.ts";
import type { FoundFile, SkippedFile } from "./found-file.ts";
import type { AlignOptions, OutsideReader } from "./outside/outside-reader.ts";

/** Files on the device. `#files` resolves to the host's implementation: null in a browser, which has none. */
export interface DeviceFiles {
  walk(paths: readonly string[], options: WalkOptions): Promise<Walk>;
  watch(paths: readonly string[], options: WatchOptions): Promise<FileWatcher>;
  /** The bytes of a file that a walk has found; null if it is not there any more. Rejects if another is in its place. */
  read(file: FoundFile): Promise<Uint8Array | null>;
  /** The folder that a library's paths are relative to, unless another is given. */
  folderOf(library: string): string;
  /** A folder as seen from the one that a library is in, with `/`, so that both can be moved together; and back. */
  nameOfFolder(folder: string, library: string): string;
  folderNamed(name: string, library: string): string;
  isFile(folder: string, path: string): boolean;
  /** Reads chunks and vectors that were made elsewhere. */
  outside(chunks: string, vectors: readonly string[], options: AlignOptions): Promise<OutsideReader>;
  /** Returns whether there is a file or a folder at a path; null if there is nothing. */
  kindOf(path: string): "file" | "folder" | null;
  /** Yields the bytes of a file, and never more than `bytesMax`. @throws {SelfsameError} FILE_MISSING, FILE_TOO_LARGE */
  stream(path: string, bytesMax: number): AsyncIterable<Uint8Array>;
  /** The path from the root of the device. */
  absolute(path: string): string;
  /** The folder of an exported tree. */
  treeFolder(folder: string): Promise<TreeFolder>;
  /** The permission bits of a library's file; null on a system without them. */
  modeOf(library: string): number | null;
}

/** A folder that files are written to, whole or not at all. */
export interface TreeFolder {
  /** Returns the length of a file; null if it is not there. */
  size(name: string): Promise<number | null>;
  /** Writes a file, whole or not at all, and returns its length. */
  put(name: string, bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<number>;
  /** Removes the files of former exports that are not among these. Returns how many. */
  prune(kept: ReadonlySet<string>): Promise<number>;
}

/** What a walk looks at. */
export interface WalkOptions {
  readonly root: string;
  /** Folders of the root outside of which nothing is read; default: the root itself. */
  readonly within?: readonly string[] | undefined;
  /** Larger files are skipped; by path. */
  readonly maxBytes: (path: string) => number;
  /** Of a path relative to the root: whether the caller's include and exclude want it. */
  readonly wants: (path: string) => boolean;
  /** Whether a path that is not there counts as an empty folder, instead of an error. */
  readonly mayBeGone?: boolean;
  /** The library itself: neither it nor what lies beside it while it is used is a document. */
  readonly library?: string;
  /** Stops the walk. */
  readonly signal?: AbortSignal | undefined;
}

/** What a walk has found. */
export interface Walk {
  /** In the order of their paths' UTF-8 bytes. */
  readonly files: readonly FoundFile[];
  /** Only what a person would ask about: ignored and hidden files are not listed. */
  readonly skipped: readonly SkippedFile[];
  /** The folders and files that were walked, relative to the root ("" is the root itself): the scope of removals. */
  readonly scopes: readonly string[];
}

export interface WatchOptions {
  readonly root: string;
  /** Neither it nor what lies beside it is watched. */
  readonly library: string;
  /** Something below the paths may have changed. */
  readonly onChange: () => void;
  /** Changes can no longer be reported. */
  readonly onFailure: (error: SelfsameError) => void;
}

/** Tells of changes below paths until it is closed. */
export interface FileWatcher {
  /**
   * To be called before each scan: watches again where what is to be watched has changed (a .gitignore, a path that went
   * or came), so that no change after the scan goes unseen.
   */
  refresh(): Promise<void>;
  close(): Promise<void>;
}
