import { randomUUID } from "node:crypto";
import * as nodeFs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { FacadeVFS } from "@journeyapps/wa-sqlite/src/FacadeVFS.js";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { besideFiles } from "./beside-files.node.ts";
import * as sqlite from "./codes.ts";
import type { Backing, BesideFiles } from "./database.ts";
import type { DatabaseLock } from "./database-lock.ts";
import type { Holder } from "./failure.ts";
import { FdFile } from "./fd-file.node.ts";
import type { FileSystem } from "./file-system.node.ts";
import { guarded } from "./guarded-files.node.ts";
import { lookBeside, openBeside, PRIVATE_FILE } from "./library-files.node.ts";
import { type LockKind, lockFor } from "./lock.node.ts";
import { SealedDatabase } from "./sealed-database.ts";

interface OpenFile {
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

/** The database of a connection, besides its open file. */
interface MainDatabase {
  readonly path: string;
  readonly lock: DatabaseLock;
  readonly pages: SealedDatabase;
  /** Distinguishes the open file from another one that has replaced it at its path. */
  readonly identity: Identity;
  readonly mode: number;
}

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

const LOOK_EVERY_MS = 2;

const SECTOR_BYTES = 4096;
const IS_WINDOWS = process.platform === "win32";
const idle = new Int32Array(new SharedArrayBuffer(4));

/**
 * SQLite's files on node:fs, with synchronous calls only. It follows os_unix.c where that matters for safety: files and
 * folders are synced when SQLite asks, a short read is filled with zeros, an empty journal counts as none, a full disk
 * is SQLITE_FULL. Files are opened without following links (beside.node.ts), and pages are sealed (sealed-database.ts).
 * No exception leaves the VFS: that would unwind SQLite in the middle of its work.
 */
export class NodeVFS extends FacadeVFS implements Backing {
  // The default is 64; Linux's PATH_MAX is 4096.
  override mxPathname = 4096;
  readonly beside: BesideFiles;
  readonly #fs: FileSystem;
  readonly #lockKind: LockKind;
  readonly #files = new Map<number, OpenFile>();
  /** Why files could not be opened. SQLite continues if it could not check a journal, and must be told again. */
  readonly #refused = new Map<number, Error>();
  #main: MainDatabase | null = null;
  /** The journal that this connection opened last: it deletes no other. */
  #journal: Identity | null = null;
  #systemError: Error | null = null;
  #owedMs = 0;

  constructor(name: string, module: object, lockKind: LockKind, fs: FileSystem = nodeFs) {
    super(name, module);
    this.#fs = guarded(fs, () => this.#main?.lock.confirm());
    this.#lockKind = lockKind;
    this.beside = besideFiles(() => this.#database());
  }

  override hasAsyncMethod(): boolean {
    return false;
  }

  override jOpen(name: string | null, file: number, flags: number, outFlags: DataView): number {
    this.#refused.delete(file);
    const code = this.#attempt(sqlite.CANTOPEN, () => {
      const opened = name === null ? this.#openTemporary(flags) : this.#openNamed(name, flags);
      this.#files.set(file, opened);
      outFlags.setInt32(0, opened.flags, true);
      return sqlite.OK;
    });
    if (code !== sqlite.OK) this.#refused.set(file, this.#systemError!);
    return code;
  }

  override jClose(file: number): number {
    return this.#attempt(sqlite.OK, () => {
      const open = this.#files.get(file);
      this.#refused.delete(file);
      if (open === undefined) return sqlite.OK;
      this.#files.delete(file);
      if (open.role === "database") {
        this.#main?.lock.close();
        this.#main = null;
      }
      open.file.close();
      if (open.isDeletedOnClose) this.#fs.unlinkSync(open.path);
      return sqlite.OK;
    });
  }

  override jRead(file: number, data: Uint8Array, offset: number): number {
    return this.#attempt(sqlite.IOERR_READ, () => {
      const { role, file: source } = this.#file(file);
      if (role === "database") {
        const { code, damage } = this.#database().pages.read(data, offset);
        this.#systemError = damage ?? this.#systemError;
        return code;
      }
      // SQLite reads the first byte to decide whether a journal must be played back.
      if (role === "journal" && offset === 0 && data.byteLength === 1) {
        const damage = this.#database().pages.checkJournal(source);
        this.#systemError = damage ?? this.#systemError;
        if (damage !== null) return sqlite.CORRUPT;
      }
      // `data` only looks like a Uint8Array; its subarray is one.
      const target = data.subarray(0, data.byteLength);
      const done = source.read(target, { at: offset });
      target.fill(0, done);
      return done < target.byteLength ? sqlite.IOERR_SHORT_READ : sqlite.OK;
    });
  }

  override jWrite(file: number, data: Uint8Array, offset: number): number {
    return this.#attempt(sqlite.IOERR_WRITE, () => {
      const { role, file: target } = this.#file(file);
      const source = data.subarray(0, data.byteLength);
      if (role === "database") this.#database().pages.write(source, offset);
      else if (role === "journal") this.#database().pages.writeJournal(target, source, offset);
      else target.write(source, { at: offset });
      return sqlite.OK;
    });
  }

  override jTruncate(file: number, size: number): number {
    return this.#attempt(sqlite.IOERR_TRUNCATE, () => {
      const open = this.#file(file);
      open.file.truncate(size);
      if (open.role === "database") this.#database().pages.truncated();
      return sqlite.OK;
    });
  }

  override jSync(file: number, flags: number): number {
    return this.#attempt(sqlite.IOERR_FSYNC, () => {
      const open = this.#file(file);
      if (open.role === "database") this.#database().pages.settle();
      if ((flags & sqlite.SYNC_DATAONLY) !== 0) this.#fs.fdatasyncSync(open.file.fd);
      else open.file.flush();
      if (!open.isNewInFolder) return sqlite.OK;
      open.isNewInFolder = false;
      return this.#syncFolder(open.path);
    });
  }

  override jFileSize(file: number, out: DataView): number {
    return this.#attempt(sqlite.IOERR_FSTAT, () => {
      out.setBigInt64(0, BigInt(this.#file(file).file.getSize()), true);
      return sqlite.OK;
    });
  }

  override jDelete(name: string, syncDirectory: number): number {
    return this.#attempt(sqlite.IOERR_DELETE, () => {
      // After a library was moved, another may have taken its place, with a journal of the same name.
      const found = this.#identityAt(name);
      if (found === null) return sqlite.IOERR_DELETE_NOENT;
      if (this.#journal !== null && !isSame(found, this.#journal)) return sqlite.IOERR_DELETE_NOENT;
      this.#fs.unlinkSync(name);
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
    const code = this.#attempt(sqlite.IOERR_LOCK, () => {
      if (this.#file(file).role !== "database") return sqlite.OK;
      const { lock } = this.#database();
      const code = lock.lock(level);
      if (code !== sqlite.OK || this.#isInPlace()) return code;
      if (level === sqlite.LOCK_SHARED) lock.unlock(sqlite.LOCK_NONE);
      throw this.#movedAway();
    });
    if (code === sqlite.OK) this.#owedMs = 0;
    return code;
  }

  override jUnlock(file: number, level: number): number {
    return this.#attempt(sqlite.IOERR_UNLOCK, () => {
      if (this.#file(file).role !== "database") return sqlite.OK;
      const { lock, pages } = this.#database();
      pages.unlocked();
      return lock.unlock(level);
    });
  }

  override jCheckReservedLock(file: number, out: DataView): number {
    return this.#attempt(sqlite.IOERR_LOCK, () => {
      const isMain = this.#file(file).role === "database";
      out.setInt32(0, isMain && this.#database().lock.isReserved() ? 1 : 0, true);
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
   * Called by SQLite between its attempts at a lock that another process holds. SQLite requests a sleep of up to 100
   * ms; we check every 2 ms and return once the lock is free. If the attempt still fails, the time not slept is made up
   * for, since SQLite counts the requested time against the timeout.
   */
  xSleep(_vfs: number, microseconds: number): number {
    this.#owedMs += microseconds / 1000;
    const lock = this.#main?.lock ?? null;
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
    return this.#main?.lock.holder() ?? null;
  }

  giveUp(): void {
    this.#owedMs = 0;
    this.#main?.lock.giveUp();
  }

  databaseBytes(): number {
    for (const { role, file } of this.#files.values()) if (role === "database") return file.getSize();
    return 0;
  }

  abandon(): void {
    for (const file of [...this.#files.keys()]) this.jClose(file);
  }

  /** Runs one operation. An exception becomes a result code and is kept for the message. */
  #attempt(code: number, operation: () => number): number {
    try {
      return operation();
    } catch (error) {
      this.#systemError = error as Error;
      const reason = (error as NodeJS.ErrnoException).code;
      if (reason === "DATABASE_MOVED") return sqlite.READONLY_DBMOVED;
      return reason === "ENOSPC" || reason === "EDQUOT" ? sqlite.FULL : code;
    }
  }

  /** True if the lock is free, or its state cannot be read: then the next attempt to take it reports why. */
  #attemptFree(lock: DatabaseLock | null): boolean {
    try {
      return lock === null || lock.isFree();
    } catch {
      return true;
    }
  }

  #file(file: number): OpenFile {
    const open = this.#files.get(file);
    if (open === undefined) throw this.#refused.get(file) ?? new Error("the file has been closed");
    return open;
  }

  #database(): MainDatabase {
    if (this.#main === null) throw new Error("the database has been closed");
    return this.#main;
  }

  #openNamed(path: string, flags: number): OpenFile & { flags: number } {
    const isMain = (flags & sqlite.OPEN_MAIN_DB) !== 0;
    const isJournal = (flags & sqlite.OPEN_MAIN_JOURNAL) !== 0;
    if (isJournal && (flags & sqlite.OPEN_CREATE) !== 0) this.#clearAway(path);
    const opened = this.#openPath(path, flags);
    const file = new FdFile(opened.fd, this.#fs);
    try {
      const found = this.#fs.fstatSync(opened.fd, { bigint: true });
      if (isJournal) this.#journal = found;
      if (isMain) {
        const lock = lockFor(opened.fd, path, this.#lockKind);
        const pages = new SealedDatabase(() => file);
        this.#main = { path, lock, pages, identity: found, mode: Number(found.mode) & 0o666 };
      }
    } catch (error) {
      file.close();
      throw error;
    }
    const role = isMain ? "database" : isJournal ? "journal" : "temporary";
    const isDeletedOnClose = (flags & sqlite.OPEN_DELETEONCLOSE) !== 0;
    const isNewInFolder = opened.mayBeNew && !isDeletedOnClose;
    return { path, file, role, isNewInFolder, isDeletedOnClose, flags: opened.flags };
  }

  /** Opens a file without a name, in the library's own folder: it holds a copy of the library's texts. */
  #openTemporary(flags: number): OpenFile & { flags: number } {
    const path = join(dirname(this.#database().path), `.selfsame-${randomUUID()}.tmp`);
    const { O_RDWR, O_CREAT, O_EXCL } = nodeFs.constants;
    const fd = openBeside(path, O_RDWR | O_CREAT | O_EXCL, { fs: this.#fs });
    if (!IS_WINDOWS) this.#fs.unlinkSync(path);
    const file = new FdFile(fd, this.#fs);
    return { path, file, role: "temporary", isNewInFolder: false, isDeletedOnClose: IS_WINDOWS, flags };
  }

  /**
   * Removes a journal that is not in use, which SQLite would overwrite. If it belongs to a process whose library was
   * moved away, both would write into one file.
   */
  #clearAway(path: string): void {
    if (lookBeside(path, this.#fs) !== undefined) this.#fs.unlinkSync(path);
  }

  #openPath(path: string, flags: number): { fd: number; flags: number; mayBeNew: boolean } {
    const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = nodeFs.constants;
    const mayBeNew = (flags & sqlite.OPEN_CREATE) !== 0;
    const readOnly = () => openBeside(path, O_RDONLY, { fs: this.#fs });
    if ((flags & sqlite.OPEN_READWRITE) === 0) return { fd: readOnly(), flags, mayBeNew: false };
    const exclusive = (flags & sqlite.OPEN_EXCLUSIVE) !== 0 ? O_EXCL : 0;
    // Any user who may read the database must be able to roll it back.
    const mode = this.#main?.mode ?? PRIVATE_FILE;
    try {
      const how = O_RDWR | (mayBeNew ? O_CREAT : 0) | exclusive;
      return { fd: openBeside(path, how, { mode, fs: this.#fs }), flags, mayBeNew };
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

  /** True if the path still leads to the open file. */
  #isInPlace(): boolean {
    const { path, identity } = this.#database();
    const found = this.#identityAt(path);
    return found !== null && isSame(found, identity);
  }

  #identityAt(path: string): Identity | null {
    try {
      return this.#fs.lstatSync(path, { bigint: true });
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  #movedAway(): SelfsameError {
    return new SelfsameError(
      "DATABASE_MOVED",
      `expected ${this.#database().path} to be the file that was opened, got none or another: it was moved, deleted or replaced`,
      "Nothing was written. Open the library again where it is now",
    );
  }

  #isAccessible(name: string, flags: number): boolean {
    // We never write one. Another program's cannot be read without shared memory.
    if (name.endsWith("-wal")) return false;
    try {
      if (flags !== sqlite.ACCESS_EXISTS) {
        this.#fs.accessSync(name, nodeFs.constants.R_OK | nodeFs.constants.W_OK);
        return true;
      }
      const stats = this.#fs.lstatSync(name, { throwIfNoEntry: false });
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

function isSame(one: Identity, other: Identity): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
}

function isForbidden(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "EACCES" || code === "EPERM" || code === "EROFS";
}
