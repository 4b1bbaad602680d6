import { randomUUID } from "node:crypto";
import * as nodeFs from "node:fs";
import { join } from "node:path";
import * as sqlite from "./codes.ts";
import type { FdFile } from "./fd-file.node.ts";
import { isForbidden, isMissing } from "./file-paths.node.ts";
import type { FileSystem } from "./file-system.node.ts";
import { lookBeside, openBeside } from "./library-files.node.ts";

/** A file of a connection. */
export interface OpenFile {
  readonly path: string;
  readonly file: FdFile;
  readonly role: "database" | "journal" | "temporary";
  /** Set until the directory entry of a new file is on disk: without it, a journal could vanish in a loss of power. */
  isNewInFolder: boolean;
  /**
   * Whether closing deletes the file. Where the system keeps an open file without a name, a temporary file has no name.
   */
  isDeletedOnClose: boolean;
}

/** Opens a file as SQLite's flags say. `flags` of the result are those that were granted. */
export function openPath(
  path: string,
  flags: number,
  mode: number,
  fs: FileSystem,
): { fd: number; flags: number; mayBeNew: boolean } {
  const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = nodeFs.constants;
  const mayBeNew = (flags & sqlite.OPEN_CREATE) !== 0;
  const readOnly = () => openBeside(path, O_RDONLY, { fs });
  if ((flags & sqlite.OPEN_READWRITE) === 0) return { fd: readOnly(), flags, mayBeNew: false };
  const exclusive = (flags & sqlite.OPEN_EXCLUSIVE) !== 0 ? O_EXCL : 0;
  try {
    const how = O_RDWR | (mayBeNew ? O_CREAT : 0) | exclusive;
    return { fd: openBeside(path, how, { mode, fs }), flags, mayBeNew };
  } catch (error) {
    // A file that may not be written can still be read; SQLite then refuses to write.
    if (!isForbidden(error)) throw error;
    const granted = (flags & ~(sqlite.OPEN_READWRITE | sqlite.OPEN_CREATE)) | sqlite.OPEN_READONLY;
    try {
      return { fd: readOnly(), flags: granted, mayBeNew: false };
    } catch (another) {
      // The file does not exist and may not be created: that is the actual error.
      throw isMissing(another) ? error : another;
    }
  }
}

/**
 * Opens a new file in the library's own folder: it holds a copy of the library's texts. It has no name afterwards, where
 * the system keeps an open file without one.
 */
export function openTemporary(folder: string, fs: FileSystem): { path: string; fd: number } {
  const path = join(folder, `.selfsame-${randomUUID()}.tmp`);
  const { O_RDWR, O_CREAT, O_EXCL } = nodeFs.constants;
  const fd = openBeside(path, O_RDWR | O_CREAT | O_EXCL, { fs });
  if (process.platform !== "win32") fs.unlinkSync(path);
  return { path, fd };
}

/**
 * Removes a journal that is not in use, which SQLite would overwrite. If it belongs to a process whose library was moved
 * away, both would write into one file.
 */
export function clearAway(path: string, fs: FileSystem): void {
  if (lookBeside(path, fs) !== undefined) fs.unlinkSync(path);
}
