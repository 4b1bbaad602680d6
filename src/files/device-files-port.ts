import type { FoundFile, Walk, WalkOptions } from "./walk.node.ts";
import type { FileWatcher, WatchOptions } from "./watch.node.ts";

/** Files on the device. `#files` resolves to the host's implementation: null in a browser, which has none. */
export interface DeviceFiles {
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
