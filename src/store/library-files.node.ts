// The files of a library: its database, and the files next to it (journal, holder, locks, temporary files). They are
// opened only here. A folder that came from somewhere else, such as a cloned repository, may hold links or pipes under
// these names; none is followed or waited for.

import * as nodeFs from "node:fs";
import { SelfsameError } from "../errors/selfsame-error.ts";

/** The functions of node:fs that opening needs; tests pass in ones that fail. */
export type OpeningFileSystem = Pick<
  typeof nodeFs,
  "closeSync" | "fchmodSync" | "fstatSync" | "lstatSync" | "openSync"
>;

/** Accessible only by the owner: a library holds the text of what it indexes. */
export const PRIVATE_FILE = 0o600;
/** Like PRIVATE_FILE, for a folder that is created for a library. */
export const PRIVATE_FOLDER = 0o700;

const { O_CREAT, O_EXCL } = nodeFs.constants;
// Windows has neither. There we rely on the check before opening, and on the open file being the checked one.
const UNFOLLOWED = (nodeFs.constants.O_NOFOLLOW ?? 0) | (nodeFs.constants.O_NONBLOCK ?? 0);
const ATTEMPTS = 8;

/**
 * Opens a file of a library by its full path. It must be a regular file, not a link. With O_CREAT, a new file gets
 * exactly `mode`, whatever the umask; an existing one keeps its mode.
 *
 * @throws {SelfsameError} DATABASE_CANNOT_OPEN if something else is there; the errors of node:fs otherwise.
 */
export function openBeside(
  path: string,
  flags: number,
  { mode = PRIVATE_FILE, fs = nodeFs }: { mode?: number; fs?: OpeningFileSystem } = {},
): number {
  for (let attempt = 1; ; attempt++) {
    const found = lookBeside(path, fs);
    const isNew = found === undefined && (flags & O_CREAT) !== 0;
    const how = isNew ? flags | O_EXCL : (flags & O_EXCL) !== 0 ? flags : flags & ~O_CREAT;
    try {
      const fd = fs.openSync(path, how | UNFOLLOWED, mode);
      return checked(fd, path, isNew ? mode : null, fs);
    } catch (error) {
      // Between the check and the open, another process created or removed the file: check again.
      const { code } = error as NodeJS.ErrnoException;
      const isRaced =
        (isNew && (flags & O_EXCL) === 0 && code === "EEXIST") ||
        (!isNew && (flags & O_CREAT) !== 0 && code === "ENOENT");
      if (!isRaced || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Returns what exists under the name of a library's file: a regular file, or undefined if there is nothing. */
export function lookBeside(
  path: string,
  fs: Pick<typeof nodeFs, "lstatSync"> = nodeFs,
): nodeFs.Stats | undefined {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw notAFile(path, found);
  return found;
}

function checked(fd: number, path: string, mode: number | null, fs: OpeningFileSystem): number {
  try {
    const opened = fs.fstatSync(fd);
    if (!opened.isFile()) throw notAFile(path, opened);
    if (nodeFs.constants.O_NOFOLLOW === undefined) {
      const found = fs.lstatSync(path);
      if (!found.isFile() || found.ino !== opened.ino) throw notAFile(path, found);
    } else if (mode !== null && (opened.mode & 0o777) !== mode) fs.fchmodSync(fd, mode);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

function notAFile(path: string, found: nodeFs.Stats): SelfsameError {
  return new SelfsameError(
    "DATABASE_CANNOT_OPEN",
    `expected a regular file at ${path}, got ${kindOf(found)}`,
    found.isDirectory()
      ? "Name the library's file, such as notes.db, or move the folder away"
      : "Nothing was read or written through it. Remove it if it is not yours, or use another folder",
  );
}

function kindOf(found: nodeFs.Stats): string {
  if (found.isSymbolicLink()) return "a symbolic link";
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a pipe";
  return found.isSocket() ? "a socket" : "a device";
}
