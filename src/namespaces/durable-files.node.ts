import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fsync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  write,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { lookBeside, openBeside, PRIVATE_FILE } from "../store/library-files.node.ts";

const PIECE_BYTES = 4 << 20;
const written = promisify(write);
const synced = promisify(fsync);

/** The size of a file and the sha256 of its bytes, in hexadecimal. */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Reads a whole file, which must be a regular one. */
export function digestFile(path: string): FileDigest {
  const fd = openBeside(path, constants.O_RDONLY);
  try {
    const hash = createHash("sha256");
    const piece = new Uint8Array(PIECE_BYTES);
    let bytes = 0;
    for (;;) {
      const count = readSync(fd, piece, 0, piece.length, bytes);
      if (count === 0) return { bytes, sha256: hash.digest("hex") };
      hash.update(piece.subarray(0, count));
      bytes += count;
    }
  } finally {
    closeSync(fd);
  }
}

/**
 * Makes a file from what `write` appends. It is on disk when the promise is fulfilled. Bytes are written in another thread while
 * this one hashes them or, if `write` waits for them, does something else.
 */
export async function writeFileDurably(
  path: string,
  write: (append: (bytes: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<FileDigest> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const fd = openBeside(path, O_WRONLY | O_CREAT | O_EXCL);
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    await write(async (data) => {
      const writing = writeAll(fd, data, bytes);
      hash.update(data);
      bytes += data.length;
      await writing;
    });
    await synced(fd);
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    closeSync(fd);
  }
}

async function writeAll(fd: number, data: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < data.length; )
    done += (await written(fd, data, done, data.length - done, position + done)).bytesWritten;
}

/** Copies a regular file to a new one, for its owner alone. File systems that can share the blocks copy nothing. */
export function copyFile(from: string, to: string): void {
  lookBeside(from);
  // Made first, with its mode: a copy would have that of the original.
  closeSync(
    openBeside(to, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, { mode: PRIVATE_FILE }),
  );
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
}

/** Puts a file in the place of another, or of none, at once. */
export function replaceFile(from: string, to: string): void {
  syncPath(from);
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Writes what the system still holds of a file. */
export function syncPath(path: string): void {
  const fd = openBeside(path, constants.O_RDWR);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes new names in a folder durable. Windows has no such call, and NTFS journals its folders. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
