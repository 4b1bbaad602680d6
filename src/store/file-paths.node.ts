import * as nodeFs from "node:fs";
import { basename, dirname, join } from "node:path";
import * as sqlite from "./codes.ts";
import type { FileSystem } from "./file-system.node.ts";

/** Distinguishes a file from another one that has replaced it at its path. */
export interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export function isSame(one: Identity, other: Identity): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

/** Returns which file a path leads to; null if there is none. */
export function identityAt(path: string, fs: FileSystem): Identity | null {
  try {
    return fs.lstatSync(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Answers SQLite's question whether a file exists, or may be read and written. An empty one counts as none. */
export function isAccessible(path: string, flags: number, fs: FileSystem): boolean {
  // We never write one. Another program's cannot be read without shared memory.
  if (path.endsWith("-wal")) return false;
  try {
    if (flags !== sqlite.ACCESS_EXISTS) {
      fs.accessSync(path, nodeFs.constants.R_OK | nodeFs.constants.W_OK);
      return true;
    }
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && (!stats.isFile() || stats.size > 0);
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return false;
    throw error;
  }
}

/** Resolves the links of a path whose last part may not exist. */
export function realPath(path: string, fs: FileSystem): string {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return join(fs.realpathSync(dirname(path)), basename(path));
  }
}

/** Makes a new or renamed entry of a file's folder durable. Windows has no such call, and NTFS journals its folders. */
export function syncFolderOf(
  path: string,
  fs: Pick<FileSystem, "openSync" | "fsyncSync" | "closeSync"> = nodeFs,
): void {
  if (process.platform === "win32") return;
  const folder = fs.openSync(dirname(path), nodeFs.constants.O_RDONLY);
  try {
    fs.fsyncSync(folder);
  } finally {
    fs.closeSync(folder);
  }
}

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
}

export function isForbidden(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "EACCES" || code === "EPERM" || code === "EROFS";
}
