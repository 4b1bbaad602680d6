import { FacadeVFS } from "@journeyapps/wa-sqlite/src/FacadeVFS.js";
import type { Backing } from "./backing.ts";
import { BlockFile } from "./block-file.ts";
import * as sqlite from "./codes.ts";
import { SealedDatabase } from "./sealed-database.ts";
import type { PageFile, SyncFile, SyncFiles } from "./sync-file.ts";
import type { Turns } from "./turns.ts";

const JOURNAL = "-journal";
const SECTOR_BYTES = 4096;

/** The file that SQLite means. It is looked up again at each call: between turns the handles change. */
interface OpenFile {
  readonly file: () => SyncFile;
  readonly role: "database" | "journal" | "temporary";
}

/**
 * SQLite's files in a browser, with synchronous calls only, similar to wa-sqlite's OPFSCoopSyncVFS. The connection that
 * has a turn (turns.ts) holds the database and its journal alone, so SQLite's own locks are always free. Pages are
 * sealed as in Node. A journal is not deleted but emptied, and an empty one counts as none, as it does for SQLite. No
 * exception leaves the VFS.
 */
export class BrowserVFS extends FacadeVFS implements Backing {
  override mxPathname = 1024;
  readonly #turns: Turns;
  readonly #held: () => SyncFiles | null;
  readonly #open = new Map<number, OpenFile>();
  readonly #pages = new SealedDatabase(() => this.#written(this.#files().database));
  #systemError: Error | null = null;

  /** @param held the files, null while another connection has them */
  constructor(name: string, module: object, turns: Turns, held: () => SyncFiles | null) {
    super(name, module);
    this.#turns = turns;
    this.#held = held;
  }

  override hasAsyncMethod(): boolean {
    return false;
  }

  override jOpen(name: string | null, file: number, flags: number, outFlags: DataView): number {
    return this.#attempt(sqlite.CANTOPEN, () => {
      if ((flags & sqlite.OPEN_MAIN_DB) !== 0) {
        this.#open.set(file, { file: () => this.#files().database, role: "database" });
      } else if (name?.endsWith(JOURNAL)) {
        this.#open.set(file, { file: () => this.#files().journal, role: "journal" });
      } else {
        const temporary = new BlockFile();
        this.#open.set(file, { file: () => temporary, role: "temporary" });
      }
      outFlags.setInt32(0, flags, true);
      return sqlite.OK;
    });
  }

  override jClose(file: number): number {
    this.#open.delete(file);
    return sqlite.OK;
  }

  override jRead(file: number, data: Uint8Array, offset: number): number {
    return this.#attempt(sqlite.IOERR_READ, () => {
      const open = this.#file(file);
      if (open.role === "database") {
        const { code, damage } = this.#pages.read(data, offset);
        this.#systemError = damage ?? this.#systemError;
        return code;
      }
      // SQLite reads the first byte to decide whether a journal must be played back.
      if (open.role === "journal" && offset === 0 && data.byteLength === 1) {
        const damage = this.#pages.checkJournal(open.file());
        this.#systemError = damage ?? this.#systemError;
        if (damage !== null) return sqlite.CORRUPT;
      }
      const target = data.subarray(0, data.byteLength);
      const done = open.file().read(target, { at: offset });
      target.fill(0, done);
      return done < target.byteLength ? sqlite.IOERR_SHORT_READ : sqlite.OK;
    });
  }

  override jWrite(file: number, data: Uint8Array, offset: number): number {
    return this.#attempt(sqlite.IOERR_WRITE, () => {
      const open = this.#file(file);
      const source = data.subarray(0, data.byteLength);
      if (open.role === "database") this.#pages.write(source, offset);
      else if (open.role === "journal") this.#pages.writeJournal(this.#written(open.file()), source, offset);
      else this.#written(open.file()).write(source, { at: offset });
      return sqlite.OK;
    });
  }

  override jTruncate(file: number, size: number): number {
    return this.#attempt(sqlite.IOERR_TRUNCATE, () => {
      const open = this.#file(file);
      open.file().truncate(size);
      if (open.role === "database") this.#pages.truncated();
      return sqlite.OK;
    });
  }

  override jSync(file: number): number {
    return this.#attempt(sqlite.IOERR_FSYNC, () => {
      const open = this.#file(file);
      if (open.role === "database") this.#pages.settle();
      open.file().flush();
      return sqlite.OK;
    });
  }

  override jFileSize(file: number, out: DataView): number {
    return this.#attempt(sqlite.IOERR_FSTAT, () => {
      out.setBigInt64(0, BigInt(this.#file(file).file().getSize()), true);
      return sqlite.OK;
    });
  }

  override jDelete(name: string): number {
    return this.#attempt(sqlite.IOERR_DELETE, () => {
      if (!name.endsWith(JOURNAL)) return sqlite.IOERR_DELETE_NOENT;
      const { journal } = this.#files();
      journal.truncate(0);
      journal.flush();
      return sqlite.OK;
    });
  }

  override jAccess(name: string, _flags: number, out: DataView): number {
    return this.#attempt(sqlite.IOERR_ACCESS, () => {
      const isThere = name.endsWith(JOURNAL) && this.#files().journal.getSize() > 0;
      out.setInt32(0, isThere ? 1 : 0, true);
      return sqlite.OK;
    });
  }

  override jFullPathname(name: string, out: Uint8Array): number {
    const { read, written } = new TextEncoder().encodeInto(name, out.subarray(0, out.byteLength - 1));
    if (read < name.length) return sqlite.CANTOPEN;
    out[written] = 0;
    return sqlite.OK;
  }

  override jLock(): number {
    return sqlite.OK;
  }

  override jUnlock(file: number): number {
    if (this.#open.get(file)?.role === "database") this.#pages.unlocked();
    return sqlite.OK;
  }

  override jCheckReservedLock(_file: number, out: DataView): number {
    out.setInt32(0, 0, true);
    return sqlite.OK;
  }

  override jSectorSize(): number {
    return SECTOR_BYTES;
  }

  override jDeviceCharacteristics(): number {
    return sqlite.IOCAP_UNDELETABLE_WHEN_OPEN;
  }

  takeSystemError(): Error | null {
    const error = this.#systemError;
    this.#systemError = null;
    return error;
  }

  holder(): null {
    return null;
  }

  giveUp(): void {}

  databaseBytes(): number {
    return this.#files().database.getSize();
  }

  abandon(): void {
    this.#open.clear();
    this.#turns.close();
  }

  /** Runs one operation. An exception becomes a result code and is kept for the message. */
  #attempt(code: number, operation: () => number): number {
    try {
      return operation();
    } catch (error) {
      this.#systemError = error as Error;
      return (error as Error).name === "QuotaExceededError" ? sqlite.FULL : code;
    }
  }

  #file(file: number): OpenFile {
    const open = this.#open.get(file);
    if (open === undefined) throw new Error("the file has been closed");
    return open;
  }

  /** Wraps a file so that it throws if not everything could be written. */
  #written(file: SyncFile): PageFile {
    return {
      read: (target, options) => file.read(target, options),
      getSize: () => file.getSize(),
      truncate: (size) => file.truncate(size),
      write: (source, options) => {
        const done = file.write(source, options);
        if (done === source.byteLength) return done;
        // Chromium does not always throw: near the quota it may also write less, and return an error number.
        throw new DOMException(`${source.byteLength} bytes could not be written`, "QuotaExceededError");
      },
    };
  }

  #files(): SyncFiles {
    const held = this.#held();
    if (held === null) throw new Error("the files were touched outside of a turn");
    return held;
  }
}
