import { FacadeVFS } from "@journeyapps/wa-sqlite/src/FacadeVFS.js";
import { BlockFile } from "./block-file.ts";
import * as sqlite from "./codes.ts";
import type { Backing } from "./database.ts";
import { PageSeal } from "./page-seal.ts";
import { readPage } from "./read-page.ts";
import type { SyncFile, SyncFiles } from "./sync-file.ts";
import type { Turns } from "./turns.ts";

const JOURNAL = "-journal";
const SECTOR_BYTES = 4096;

/** Which file SQLite means, found anew at each call: between turns the handles change. */
interface OpenFile {
  readonly file: () => SyncFile;
  readonly seal: PageSeal | null;
}

/**
 * SQLite's files in a browser, all calls synchronous, in the manner of wa-sqlite's OPFSCoopSyncVFS: whoever has a turn
 * (turns.ts) holds the database and its journal alone, so SQLite's own locks are always free. Pages are sealed as in Node.
 * A journal is not deleted but emptied, and an empty one counts as none, as it does for SQLite. No exception leaves it.
 */
export class BrowserVFS extends FacadeVFS implements Backing {
  override mxPathname = 1024;
  readonly #turns: Turns;
  readonly #held: () => SyncFiles | null;
  readonly #open = new Map<number, OpenFile>();
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
        this.#open.set(file, { file: () => this.#files().database, seal: new PageSeal() });
      } else if (name?.endsWith(JOURNAL)) {
        this.#open.set(file, { file: () => this.#files().journal, seal: null });
      } else {
        const temporary = new BlockFile();
        this.#open.set(file, { file: () => temporary, seal: null });
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
      const { code, damage } = readPage(data, offset, open.seal, (target) =>
        open.file().read(target, { at: offset }),
      );
      this.#systemError = damage ?? this.#systemError;
      return code;
    });
  }

  override jWrite(file: number, data: Uint8Array, offset: number): number {
    return this.#attempt(sqlite.IOERR_WRITE, () => {
      const open = this.#file(file);
      const source = data.subarray(0, data.byteLength);
      open.seal?.renew(source, offset);
      const done = open.file().write(source, { at: offset });
      if (done === source.byteLength) return sqlite.OK;
      // Chromium throws only sometimes: near the quota it also writes less, and says an error's number for how much.
      throw new DOMException(`${source.byteLength} bytes could not be written`, "QuotaExceededError");
    });
  }

  override jTruncate(file: number, size: number): number {
    return this.#attempt(sqlite.IOERR_TRUNCATE, () => {
      this.#file(file).file().truncate(size);
      return sqlite.OK;
    });
  }

  override jSync(file: number): number {
    return this.#attempt(sqlite.IOERR_FSYNC, () => {
      this.#file(file).file().flush();
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

  override jUnlock(): number {
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

  abandon(): void {
    this.#open.clear();
    this.#turns.close();
  }

  /** Runs one operation; what it throws becomes a result code, and is kept for the message. */
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

  #files(): SyncFiles {
    const held = this.#held();
    if (held === null) throw new Error("the files were touched outside of a turn");
    return held;
  }
}
