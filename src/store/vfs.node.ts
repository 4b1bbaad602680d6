import * as nodeFs from "node:fs";
import { dirname, resolve } from "node:path";
import { FacadeVFS } from "@journeyapps/wa-sqlite/src/FacadeVFS.js";
import type { Backing, BesideFiles } from "./backing.ts";
import { besideFiles } from "./beside-files.node.ts";
import * as sqlite from "./codes.ts";
import type { Holder } from "./failure.ts";
import { FdFile } from "./fd-file.node.ts";
import {
  type Identity,
  identityAt,
  isAccessible,
  isSame,
  realPath,
  syncFolderOf,
} from "./file-paths.node.ts";
import type { FileSystem } from "./file-system.node.ts";
import { guarded } from "./guarded-files.node.ts";
import { PRIVATE_FILE } from "./library-files.node.ts";
import { type LockKind, lockFor } from "./lock.node.ts";
import { LockWait } from "./lock-wait.node.ts";
import { MainDatabase } from "./main-database.node.ts";
import { clearAway, type OpenFile, openPath, openTemporary } from "./open-file.node.ts";

const SECTOR_BYTES = 4096;
const IS_WINDOWS = process.platform === "win32";

/**
 * SQLite's files on node:fs, with synchronous calls only. It follows os_unix.c where that matters for safety: files and
 * folders are synced when SQLite asks, a short read is filled with zeros, an empty journal counts as none, a full disk
 * is SQLITE_FULL. Files are opened without following links (library-files.node.ts), and pages are sealed (sealed-database.ts).
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
  readonly #wait = new LockWait();

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
      return this.#syncFolderOf(open.path);
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
      const found = identityAt(name, this.#fs);
      if (found === null) return sqlite.IOERR_DELETE_NOENT;
      if (this.#journal !== null && !isSame(found, this.#journal)) return sqlite.IOERR_DELETE_NOENT;
      this.#fs.unlinkSync(name);
      return syncDirectory === 0 ? sqlite.OK : this.#syncFolderOf(name);
    });
  }

  override jAccess(name: string, flags: number, out: DataView): number {
    return this.#attempt(sqlite.IOERR_ACCESS, () => {
      out.setInt32(0, isAccessible(name, flags, this.#fs) ? 1 : 0, true);
      return sqlite.OK;
    });
  }

  /** Resolves links, so that all names of one file share one journal and one lock. */
  override jFullPathname(name: string, out: Uint8Array): number {
    return this.#attempt(sqlite.CANTOPEN, () => {
      const bytes = new TextEncoder().encode(realPath(resolve(name), this.#fs));
      if (bytes.byteLength >= out.byteLength) return sqlite.CANTOPEN;
      out.set(bytes);
      out[bytes.byteLength] = 0;
      return sqlite.OK;
    });
  }

  override jLock(file: number, level: number): number {
    const code = this.#attempt(sqlite.IOERR_LOCK, () => {
      if (this.#file(file).role !== "database") return sqlite.OK;
      return this.#database().lockInPlace(level);
    });
    if (code === sqlite.OK) this.#wait.over();
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

  /** Called by SQLite between its attempts at a lock that another process holds. */
  xSleep(_vfs: number, microseconds: number): number {
    this.#wait.sleep(microseconds / 1000, this.#main?.lock ?? null);
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
    this.#wait.over();
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
    if (isJournal && (flags & sqlite.OPEN_CREATE) !== 0) clearAway(path, this.#fs);
    // Any user who may read the database must be able to roll it back.
    const mode = this.#main?.mode ?? PRIVATE_FILE;
    const opened = openPath(path, flags, mode, this.#fs);
    const file = new FdFile(opened.fd, this.#fs);
    try {
      const found = this.#fs.fstatSync(opened.fd, { bigint: true });
      if (isJournal) this.#journal = found;
      if (isMain) {
        const lock = lockFor(opened.fd, path, this.#lockKind);
        this.#main = new MainDatabase({ path, file, lock, identity: found, fs: this.#fs });
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

  #openTemporary(flags: number): OpenFile & { flags: number } {
    const { path, fd } = openTemporary(dirname(this.#database().path), this.#fs);
    const file = new FdFile(fd, this.#fs);
    return { path, file, role: "temporary", isNewInFolder: false, isDeletedOnClose: IS_WINDOWS, flags };
  }

  #syncFolderOf(path: string): number {
    return this.#attempt(sqlite.IOERR_DIR_FSYNC, () => {
      syncFolderOf(path, this.#fs);
      return sqlite.OK;
    });
  }
}
