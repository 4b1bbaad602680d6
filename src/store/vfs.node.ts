import { randomUUID } from "node:crypto";
import * as nodeFs from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { FacadeVFS } from "@journeyapps/wa-sqlite/src/FacadeVFS.js";
import * as sqlite from "./codes.ts";
import type { Backing } from "./database.ts";
import type { Holder } from "./failure.ts";
import { guarded } from "./guarded-files.node.ts";
import { type DatabaseLock, type LockKind, lockFor } from "./lock.node.ts";
import { PageSeal } from "./page-seal.ts";
import { readPage } from "./read-page.ts";

/** The functions of node:fs that the VFS calls; tests hand in ones that fail. */
export type FileSystem = Pick<
  typeof nodeFs,
  | "accessSync"
  | "closeSync"
  | "fdatasyncSync"
  | "fstatSync"
  | "fsyncSync"
  | "ftruncateSync"
  | "openSync"
  | "readSync"
  | "realpathSync"
  | "statSync"
  | "unlinkSync"
  | "writeSync"
>;

interface OpenFile {
  readonly path: string;
  readonly fd: number;
  readonly lock: DatabaseLock | null;
  readonly deleteOnClose: boolean;
  /** Set until the entry of a new file in its folder is on disk: without it, a journal could vanish with the power. */
  isNewInFolder: boolean;
  /** null for journals. */
  readonly seal: PageSeal | null;
}

const LOOK_EVERY_MS = 2;

const SECTOR_BYTES = 4096;
const IS_WINDOWS = process.platform === "win32";
const idle = new Int32Array(new SharedArrayBuffer(4));

/**
 * SQLite's files on node:fs, all calls synchronous. It follows os_unix.c where that matters for safety: files and
 * folders are synced when SQLite asks, a short read is filled with zeros, an empty journal counts as none, a full
 * disk is SQLITE_FULL. Pages of the database are sealed (page-seal.ts). No exception leaves it: that would unwind SQLite in the middle of its work.
 */
export class NodeVFS extends FacadeVFS implements Backing {
  // The default is 64; Linux's PATH_MAX is 4096.
  override mxPathname = 4096;
  readonly #fs: FileSystem;
  readonly #lockKind: LockKind;
  readonly #files = new Map<number, OpenFile>();
  #systemError: Error | null = null;
  #owedMs = 0;

  constructor(name: string, module: object, lockKind: LockKind, fs: FileSystem = nodeFs) {
    super(name, module);
    this.#fs = guarded(fs, () => this.#mainLock()?.confirm());
    this.#lockKind = lockKind;
  }

  override hasAsyncMethod(): boolean {
    return false;
  }

  override jOpen(name: string | null, file: number, flags: number, outFlags: DataView): number {
    return this.#attempt(sqlite.CANTOPEN, () => {
      const path = name ?? join(tmpdir(), `selfsame-${randomUUID()}.tmp`);
      // A device or a pipe would take the first writes, or wait for ever.
      const there = this.#fs.statSync(path, { throwIfNoEntry: false });
      if (there !== undefined && !there.isFile() && !there.isDirectory())
        throw new Error(`${path} is no file`);
      const opened = this.#openPath(path, flags | (name === null ? sqlite.OPEN_DELETEONCLOSE : 0));
      try {
        const isMain = (flags & sqlite.OPEN_MAIN_DB) !== 0;
        const lock = isMain ? lockFor(opened.fd, path, this.#lockKind) : null;
        this.#files.set(file, { ...opened, path, lock, seal: isMain ? new PageSeal() : null });
      } catch (error) {
        this.#fs.closeSync(opened.fd);
        throw error;
      }
      outFlags.setInt32(0, opened.flags, true);
      return sqlite.OK;
    });
  }

  override jClose(file: number): number {
    return this.#attempt(sqlite.OK, () => {
      const open = this.#files.get(file);
      if (open === undefined) return sqlite.OK;
      this.#files.delete(file);
      open.lock?.close();
      this.#fs.closeSync(open.fd);
      if (open.deleteOnClose) this.#fs.unlinkSync(open.path);
      return sqlite.OK;
    });
  }

  override jRead(file: number, data: Uint8Array, offset: number): number {
    return this.#attempt(sqlite.IOERR_READ, () => {
      const open = this.#file(file);
      const { code, damage } = readPage(data, offset, open.seal, (target) =>
        this.#fill(target, open.fd, offset),
      );
      this.#systemError = damage ?? this.#systemError;
      return code;
    });
  }

  /** Reads until the target is full or the file ends; returns how many bytes. */
  #fill(target: Uint8Array, fd: number, offset: number): number {
    let done = 0;
    while (done < target.byteLength) {
      const count = this.#fs.readSync(fd, target, done, target.byteLength - done, offset + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  override jWrite(file: number, data: Uint8Array, offset: number): number {
    return this.#attempt(sqlite.IOERR_WRITE, () => {
      const open = this.#file(file);
      const source = data.subarray(0, data.byteLength);
      open.seal?.renew(source, offset);
      let done = 0;
      while (done < source.byteLength) {
        done += this.#fs.writeSync(open.fd, source, done, source.byteLength - done, offset + done);
      }
      return sqlite.OK;
    });
  }

  override jTruncate(file: number, size: number): number {
    return this.#attempt(sqlite.IOERR_TRUNCATE, () => {
      this.#fs.ftruncateSync(this.#file(file).fd, size);
      return sqlite.OK;
    });
  }

  override jSync(file: number, flags: number): number {
    return this.#attempt(sqlite.IOERR_FSYNC, () => {
      const open = this.#file(file);
      if ((flags & sqlite.SYNC_DATAONLY) !== 0) this.#fs.fdatasyncSync(open.fd);
      else this.#fs.fsyncSync(open.fd);
      if (!open.isNewInFolder) return sqlite.OK;
      open.isNewInFolder = false;
      return this.#syncFolder(open.path);
    });
  }

  override jFileSize(file: number, out: DataView): number {
    return this.#attempt(sqlite.IOERR_FSTAT, () => {
      out.setBigInt64(0, BigInt(this.#fs.fstatSync(this.#file(file).fd).size), true);
      return sqlite.OK;
    });
  }

  override jDelete(name: string, syncDirectory: number): number {
    return this.#attempt(sqlite.IOERR_DELETE, () => {
      try {
        this.#fs.unlinkSync(name);
      } catch (error) {
        if (isMissing(error)) return sqlite.IOERR_DELETE_NOENT;
        throw error;
      }
      return syncDirectory === 0 ? sqlite.OK : this.#syncFolder(name);
    });
  }

  override jAccess(name: string, flags: number, out: DataView): number {
    return this.#attempt(sqlite.IOERR_ACCESS, () => {
      out.setInt32(0, this.#isAccessible(name, flags) ? 1 : 0, true);
      return sqlite.OK;
    });
  }

  /** Resolves links, so that all names of one file share one journal and one lock. */
  override jFullPathname(name: string, out: Uint8Array): number {
    return this.#attempt(sqlite.CANTOPEN, () => {
      const bytes = new TextEncoder().encode(this.#realPath(resolve(name)));
      if (bytes.byteLength >= out.byteLength) return sqlite.CANTOPEN;
      out.set(bytes);
      out[bytes.byteLength] = 0;
      return sqlite.OK;
    });
  }

  override jLock(file: number, level: number): number {
    const code = this.#attempt(sqlite.IOERR_LOCK, () => this.#file(file).lock?.lock(level) ?? sqlite.OK);
    if (code === sqlite.OK) this.#owedMs = 0;
    return code;
  }

  override jUnlock(file: number, level: number): number {
    return this.#attempt(sqlite.IOERR_UNLOCK, () => this.#file(file).lock?.unlock(level) ?? sqlite.OK);
  }

  override jCheckReservedLock(file: number, out: DataView): number {
    return this.#attempt(sqlite.IOERR_LOCK, () => {
      out.setInt32(0, this.#file(file).lock?.isReserved() ? 1 : 0, true);
      return sqlite.OK;
    });
  }

  override jSectorSize(): number {
    return SECTOR_BYTES;
  }

  override jDeviceCharacteristics(): number {
    return sqlite.IOCAP_POWERSAFE_OVERWRITE | (IS_WINDOWS ? sqlite.IOCAP_UNDELETABLE_WHEN_OPEN : 0);
  }

  /**
   * Called by SQLite between its attempts at a lock that another process holds. It asks for up to 100 ms; we look
   * every 2 ms and return once the lock is free. What is slept less than asked is made up for if the attempt fails
   * all the same, since SQLite counts what it asks for against the timeout.
   */
  xSleep(_vfs: number, microseconds: number): number {
    this.#owedMs += microseconds / 1000;
    const lock = this.#mainLock();
    do {
      const began = performance.now();
      Atomics.wait(idle, 0, 0, Math.min(LOOK_EVERY_MS, this.#owedMs));
      this.#owedMs -= performance.now() - began;
    } while (this.#owedMs > 0 && !this.#attemptFree(lock));
    return microseconds;
  }

  takeSystemError(): Error | null {
    const error = this.#systemError;
    this.#systemError = null;
    return error;
  }

  holder(): Holder | null {
    return this.#mainLock()?.holder() ?? null;
  }

  giveUp(): void {
    this.#owedMs = 0;
    this.#mainLock()?.giveUp();
  }

  abandon(): void {
    for (const file of [...this.#files.keys()]) this.jClose(file);
  }

  /** Runs one operation; what it throws becomes a result code, and is kept for the message. */
  #attempt(code: number, operation: () => number): number {
    try {
      return operation();
    } catch (error) {
      this.#systemError = error as Error;
      const reason = (error as NodeJS.ErrnoException).code;
      return reason === "ENOSPC" || reason === "EDQUOT" ? sqlite.FULL : code;
    }
  }

  /** True if the lock is free, or cannot be asked: then the next attempt at it says why. */
  #attemptFree(lock: DatabaseLock | null): boolean {
    try {
      return lock === null || lock.isFree();
    } catch {
      return true;
    }
  }

  #mainLock(): DatabaseLock | null {
    for (const { lock } of this.#files.values()) if (lock !== null) return lock;
    return null;
  }

  #file(file: number): OpenFile {
    const open = this.#files.get(file);
    if (open === undefined) throw new Error("the file has been closed");
    return open;
  }

  #openPath(path: string, flags: number): Omit<OpenFile, "path" | "lock" | "seal"> & { flags: number } {
    const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = nodeFs.constants;
    const deleteOnClose = (flags & sqlite.OPEN_DELETEONCLOSE) !== 0;
    const mayCreate = (flags & sqlite.OPEN_CREATE) !== 0;
    if ((flags & sqlite.OPEN_READWRITE) === 0) {
      return { fd: this.#fs.openSync(path, O_RDONLY), flags, deleteOnClose, isNewInFolder: false };
    }
    const exclusive = (flags & sqlite.OPEN_EXCLUSIVE) !== 0 ? O_EXCL : 0;
    try {
      const fd = this.#fs.openSync(path, O_RDWR | (mayCreate ? O_CREAT : 0) | exclusive, 0o644);
      return { fd, flags, deleteOnClose, isNewInFolder: mayCreate && !deleteOnClose };
    } catch (error) {
      // A file that may not be written can still be read; SQLite then refuses to write.
      if (!isForbidden(error)) throw error;
      const readOnly = (flags & ~(sqlite.OPEN_READWRITE | sqlite.OPEN_CREATE)) | sqlite.OPEN_READONLY;
      try {
        return {
          fd: this.#fs.openSync(path, O_RDONLY),
          flags: readOnly,
          deleteOnClose,
          isNewInFolder: false,
        };
      } catch (another) {
        // One that is not there yet and may not be made: that is what was wrong.
        throw isMissing(another) ? error : another;
      }
    }
  }

  #isAccessible(name: string, flags: number): boolean {
    try {
      if (flags !== sqlite.ACCESS_EXISTS) {
        this.#fs.accessSync(name, nodeFs.constants.R_OK | nodeFs.constants.W_OK);
        return true;
      }
      const stats = this.#fs.statSync(name, { throwIfNoEntry: false });
      return stats !== undefined && (!stats.isFile() || stats.size > 0);
    } catch (error) {
      if (isMissing(error) || isForbidden(error)) return false;
      throw error;
    }
  }

  #realPath(path: string): string {
    try {
      return this.#fs.realpathSync(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
      return join(this.#fs.realpathSync(dirname(path)), basename(path));
    }
  }

  #syncFolder(path: string): number {
    // Windows has no such call, and NTFS journals its folders.
    if (IS_WINDOWS) return sqlite.OK;
    return this.#attempt(sqlite.IOERR_DIR_FSYNC, () => {
      const fd = this.#fs.openSync(dirname(path), nodeFs.constants.O_RDONLY);
      try {
        this.#fs.fsyncSync(fd);
      } finally {
        this.#fs.closeSync(fd);
      }
      return sqlite.OK;
    });
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
}

function isForbidden(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "EACCES" || code === "EPERM" || code === "EROFS";
}
