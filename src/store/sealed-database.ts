import * as sqlite from "./codes.ts";
import { beginsHeader, checkJournal, writeSealedHeader } from "./journal-seal.ts";
import { PAGE_BYTES, SEAL_BYTES, SEAL_OFFSET, type Seal, sealOf, sealPage } from "./page-seal.ts";
import type { PageFile } from "./sync-file.ts";

/** The result of a read: SQLite's code, and what is wrong with the file if SQLite cannot know it. */
export interface PageRead {
  readonly code: number;
  readonly damage: Error | null;
}

const OK: PageRead = { code: sqlite.OK, damage: null };
const SHORT: PageRead = { code: sqlite.IOERR_SHORT_READ, damage: null };
/** An empty file counts as one transaction, so that no seal has the number 0. */
const FIRST_TRANSACTION = 1;
const PAGE_BYTES_MIN = 512;
/** The bytes that SQLite reads each time it takes a lock, to see whether another connection has written. */
const CHANGE_COUNTER = { offset: 24, length: 16 };

/**
 * The pages of one database as one connection reads and writes them, with their seals.
 *
 * Page 1 says whether the file is complete. Before the first page of a transaction is written, the seal of page 1 is
 * marked open. When SQLite syncs the file, which is the last step before it removes the journal, the mark is removed
 * and the transaction number grows by one. Pages carry the number of the transaction that wrote them.
 *
 *   state of page 1      | journal                   | what a reader does
 *   closed, T            | none, or not yet in use   | reads
 *   open, T              | of transaction T          | SQLite writes the old pages back, then as above
 *   open, T              | lost, ignored or damaged  | DATABASE_CORRUPT
 *   closed, T + 1        | of transaction T          | SQLite writes the old pages back: the commit was not complete
 *
 * A page that is newer than page 1 is damage, too. A rollback counts as a transaction. The mark costs two small writes
 * per transaction and no sync: after a loss of power it may be missing, but then the journal is there. SPEC §14.5
 */
export class SealedDatabase {
  readonly #file: () => PageFile;
  /** Another program's database, or a library of version 0.1: read without seals. */
  #isForeign = false;
  /** The last complete transaction, according to page 1. */
  #transaction = FIRST_TRANSACTION;
  /** The transaction to which the journal in use rolls back. */
  #undone: number | null = null;
  #journalBytes = 0;
  /** What page 1 says about the journal; null while this connection has not written. */
  #marked: number | null = null;
  /** The end of the file; null if it is not known. */
  #end: number | null = null;

  constructor(file: () => PageFile) {
    this.#file = file;
  }

  /** Reads for SQLite and checks the pages that it reads. */
  read(data: Uint8Array, offset: number): PageRead {
    // `data` only looks like a Uint8Array; its subarray is one.
    const target = data.subarray(0, data.byteLength);
    const done = this.#file().read(target, { at: offset });
    if (done < target.byteLength) target.fill(0, done);
    const read = done < target.byteLength ? SHORT : OK;
    const isFirst = offset === 0 && target.byteLength >= PAGE_BYTES_MIN;
    const isCounter = offset === CHANGE_COUNTER.offset && target.byteLength === CHANGE_COUNTER.length;
    if (isFirst) return this.#checkFirst(target, done) ?? read;
    if (isCounter) return this.#checkStillFirst() ?? read;
    if (done === 0 || this.#isForeign || !isPage(target, offset)) return read;
    // A page that is only partly there was truncated.
    if (read === SHORT) return notSealed(offset / PAGE_BYTES + 1);
    return this.#checkPage(target, offset) ?? read;
  }

  /** Writes for SQLite. A page is sealed in SQLite's own buffer, whose last bytes SQLite leaves to us. */
  write(source: Uint8Array, offset: number): void {
    if (!this.#isForeign && isPage(source, offset)) {
      this.#markOpen();
      this.#fillUpTo(offset);
      if (offset === 0) sealPage(source, 1, this.#openSeal());
      else sealPage(source, offset / PAGE_BYTES + 1, closed(this.#returnsTo() + 1));
      this.#end = Math.max(this.#end!, offset + PAGE_BYTES);
    }
    this.#file().write(source, { at: offset });
  }

  /** Called after the file was truncated or extended. */
  truncated(): void {
    this.#end = null;
  }

  /** Called before the file is synced: what was written is complete once it is on disk. */
  settle(): void {
    if (this.#marked === null && this.#undone === null) return;
    const page = new Uint8Array(PAGE_BYTES);
    const seal = this.#readFirst(page);
    if (seal?.isOpen !== true) return;
    this.#transaction = this.#returnsTo() + 1;
    this.#writeFirstSeal(page, { ...closed(this.#transaction), journalBytes: seal.journalBytes });
    this.#marked = null;
  }

  /** Called when SQLite lowers its lock: the transaction is over. */
  unlocked(): void {
    this.#undone = null;
    this.#journalBytes = 0;
    this.#marked = null;
    this.#end = null;
  }

  /** Writes a part of the journal for SQLite. Headers are sealed. */
  writeJournal(journal: PageFile, source: Uint8Array, offset: number): void {
    if (!beginsHeader(source)) {
      journal.write(source, { at: offset });
      return;
    }
    this.#undone ??= this.#transaction;
    this.#journalBytes = writeSealedHeader(journal, source, offset, this.#undone);
  }

  /** Checks the journal before SQLite plays it back. Returns what is wrong with it. */
  checkJournal(journal: PageFile): Error | null {
    try {
      const state = checkJournal(journal, this.#readFirst(new Uint8Array(PAGE_BYTES)));
      this.#undone = state?.transaction ?? null;
      this.#journalBytes = state?.bytes ?? 0;
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  /** Handles SQLite reading page 1 as a whole: that decides what the file is. */
  #checkFirst(target: Uint8Array, done: number): PageRead | null {
    const page = target.byteLength === PAGE_BYTES ? target : new Uint8Array(PAGE_BYTES);
    const size = page === target ? done : this.#file().read(page, { at: 0 });
    const seal = size === PAGE_BYTES ? sealOf(page, 1) : null;
    this.#isForeign = size > 0 && seal === null && isForeign(page, size);
    return this.#isForeign ? null : this.#judge(seal, size);
  }

  /** Handles SQLite checking whether page 1, which it has in memory, has changed. */
  #checkStillFirst(): PageRead | null {
    if (this.#isForeign) return null;
    const page = new Uint8Array(PAGE_BYTES);
    const size = this.#file().read(page, { at: 0 });
    return this.#judge(sealOf(page, 1), size);
  }

  #judge(seal: Seal | null, size: number): PageRead | null {
    if (this.#marked !== null) return null;
    this.#transaction = seal?.transaction ?? FIRST_TRANSACTION;
    if (size === 0) return null;
    if (seal === null) return notSealed(1);
    return seal.isOpen ? damaged("a transaction was cut short, and its rollback journal is lost") : null;
  }

  #checkPage(target: Uint8Array, offset: number): PageRead | null {
    const number = offset / PAGE_BYTES + 1;
    const seal = sealOf(target, number);
    if (seal === null) return notSealed(number);
    const last = this.#marked === null ? this.#transaction : this.#returnsTo() + 1;
    return seal.transaction <= last ? null : damaged(`page ${number} is newer than the last commit`);
  }

  #returnsTo(): number {
    return this.#undone ?? this.#transaction;
  }

  #openSeal(): Seal {
    return { transaction: this.#returnsTo(), isOpen: true, journalBytes: this.#journalBytes };
  }

  /** Marks page 1, and again whenever the journal has grown. A damaged page 1 is left to the journal. */
  #markOpen(): void {
    if (this.#marked === this.#journalBytes) return;
    const page = new Uint8Array(PAGE_BYTES);
    if (this.#readFirst(page) !== null) this.#writeFirstSeal(page, this.#openSeal());
    this.#marked = this.#journalBytes;
  }

  /** Seals pages that SQLite skips when the file grows: it does not write free pages, but may read them. */
  #fillUpTo(offset: number): void {
    this.#end ??= this.#file().getSize();
    for (; this.#end < offset; this.#end += PAGE_BYTES) {
      // The page with the lock bytes is never written or read.
      if (this.#end === sqlite.PENDING_BYTE) continue;
      const page = new Uint8Array(PAGE_BYTES);
      sealPage(page, this.#end / PAGE_BYTES + 1, closed(this.#returnsTo() + 1));
      this.#file().write(page, { at: this.#end });
    }
  }

  #readFirst(page: Uint8Array): Seal | null {
    return this.#file().read(page, { at: 0 }) === PAGE_BYTES ? sealOf(page, 1) : null;
  }

  /** The bytes lie in one sector, so a loss of power cannot tear them. */
  #writeFirstSeal(page: Uint8Array, seal: Seal): void {
    sealPage(page, 1, seal);
    this.#file().write(page.subarray(SEAL_OFFSET), { at: SEAL_OFFSET });
  }
}

function isPage(bytes: Uint8Array, offset: number): boolean {
  return bytes.byteLength === PAGE_BYTES && offset % PAGE_BYTES === 0;
}

function closed(transaction: number): Seal {
  return { transaction, isOpen: false, journalBytes: 0 };
}

const MAGIC = new TextEncoder().encode("SQLite format 3\0");
/** The application id of a library, in SQLite's header: "Self". https://www.sqlite.org/magic.html */
export const APPLICATION_ID = 0x53656c66;

/**
 * True if a file without our seal is not a damaged library: not a database at all, which SQLite will report; another
 * program's; or a library of version 0.1. The last two differ from ours in two places, so that no single damage looks
 * like them. https://www.sqlite.org/fileformat2.html#the_database_header
 */
function isForeign(page: Uint8Array, size: number): boolean {
  if (MAGIC.some((byte, at) => page[at] !== byte)) return true;
  if (size < PAGE_BYTES_MIN || page[20] === SEAL_BYTES) return false;
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  return view.getUint32(68) !== APPLICATION_ID || (page[20] === 8 && view.getUint32(60) === 1);
}

function notSealed(page: number): PageRead {
  return damaged(`page ${page} does not match its checksum: damaged, or written by another program`);
}

function damaged(what: string): PageRead {
  return { code: sqlite.CORRUPT, damage: new Error(what) };
}
