import { rmSync } from "node:fs";
import { isHeld, writeHint } from "./claim-file.node.ts";
import * as sqlite from "./codes.ts";
import type { DatabaseLock } from "./database-lock.ts";
import type { Holder } from "./failure.ts";
import { holderOf, lockFileOf } from "./lock-file.node.ts";
import { listedLocks } from "./proc-locks.node.ts";

/** The functions of fs-native-extensions that lock ranges of bytes of an open file. */
export type KernelLocks = Pick<
  typeof import("fs-native-extensions"),
  "tryLock" | "tryUpgradeLock" | "tryDowngradeLock" | "unlock"
>;

const { PENDING_BYTE, RESERVED_BYTE, SHARED_FIRST, SHARED_SIZE } = sqlite;
const { READER_QUEUE_BYTE, WRITER_QUEUE_BYTE } = sqlite;

/**
 * True if byte ranges of this file can be locked, and processes without kernel locks can see those locks. macOS has
 * only whole-file locks here, some network drives have none, Windows has no list of locks, and some file systems list a
 * lock under another inode number.
 */
export function hasVisibleLocks(kernel: KernelLocks, fd: number): boolean {
  try {
    // A refusal means that another process holds a lock, which is listed as well.
    const isLocked = kernel.tryLock(fd, PENDING_BYTE, 1, { shared: true });
    try {
      return listedLocks(fd).length > 0;
    } finally {
      if (isLocked) kernel.unlock(fd, PENDING_BYTE, 1);
    }
  } catch {
    return false;
  }
}

/**
 * Kernel locks, as SQLite's os_unix.c and os_win.c take them. On Linux these are open-file-description locks: they
 * belong to this connection's descriptor, so two connections of one process exclude each other, and closing another
 * descriptor of the file loses nothing. The kernel frees them when the process dies.
 *
 * With SQLite's locks alone, a process that writes one transaction after the other starves the rest: they check every
 * 100 ms for a gap of less than 1 ms. So a refused reader keeps a shared lock on one extra byte, a refused writer an
 * exclusive lock on another, and no connection starts to write while readers are queued, or out of turn.
 *
 * A writer names itself in a claim next to the database. That is a hint for messages, never a lock.
 */
export class ByteRangeLock implements DatabaseLock {
  readonly #kernel: KernelLocks;
  readonly #fd: number;
  readonly #lockFile: string;
  readonly #holderPath: string;
  #level = sqlite.LOCK_NONE;
  // A rollback of a hot journal goes from SHARED to EXCLUSIVE without taking either of these two.
  #hasReserved = false;
  #hasPending = false;
  #isReaderInLine = false;
  #isWriterInLine = false;
  #refused = sqlite.LOCK_NONE;
  #isNamed = false;

  constructor(kernel: KernelLocks, fd: number, path: string) {
    this.#kernel = kernel;
    this.#fd = fd;
    this.#lockFile = lockFileOf(path);
    this.#holderPath = `${path}-holder`;
  }

  lock(level: number): number {
    if (this.#level >= level) return sqlite.OK;
    const isLocked =
      level === sqlite.LOCK_SHARED
        ? this.#lockShared()
        : level === sqlite.LOCK_RESERVED
          ? this.#lockReserved()
          : this.#lockExclusive();
    this.#refused = isLocked ? sqlite.LOCK_NONE : level;
    return isLocked ? sqlite.OK : sqlite.BUSY;
  }

  unlock(level: number): number {
    if (this.#level <= level) return sqlite.OK;
    // Done before the lock is released: afterwards the file may already name a process that waited for the lock.
    if (this.#level >= sqlite.LOCK_RESERVED) this.#untell();
    if (level === sqlite.LOCK_SHARED) {
      if (this.#level === sqlite.LOCK_EXCLUSIVE) {
        if (!this.#kernel.tryDowngradeLock(this.#fd, SHARED_FIRST, SHARED_SIZE)) return sqlite.IOERR_UNLOCK;
      }
    } else {
      this.#kernel.unlock(this.#fd, SHARED_FIRST, SHARED_SIZE);
    }
    if (this.#hasPending) this.#kernel.unlock(this.#fd, PENDING_BYTE, 1);
    if (this.#hasReserved) this.#kernel.unlock(this.#fd, RESERVED_BYTE, 1);
    this.#hasPending = false;
    this.#hasReserved = false;
    this.#level = level;
    // It starts again from the first level; `isFree` must not try for more, or it would keep a lock that nobody frees.
    if (level === sqlite.LOCK_NONE && this.#refused === sqlite.LOCK_EXCLUSIVE)
      this.#refused = sqlite.LOCK_SHARED;
    return sqlite.OK;
  }

  isReserved(): boolean {
    if (this.#level >= sqlite.LOCK_RESERVED) return true;
    if (!this.#kernel.tryLock(this.#fd, RESERVED_BYTE, 1, { shared: true })) return true;
    this.#kernel.unlock(this.#fd, RESERVED_BYTE, 1);
    return false;
  }

  isFree(): boolean {
    let isFree = true;
    if (this.#refused === sqlite.LOCK_SHARED) {
      isFree = this.#takeShared();
      if (isFree) this.#kernel.unlock(this.#fd, SHARED_FIRST, SHARED_SIZE);
    } else if (this.#refused === sqlite.LOCK_RESERVED) {
      isFree = this.#isMyTurn() && !this.isReserved();
    } else if (this.#refused === sqlite.LOCK_EXCLUSIVE) {
      isFree = this.#takeExclusive();
      if (isFree) this.#kernel.tryDowngradeLock(this.#fd, SHARED_FIRST, SHARED_SIZE);
    }
    return isFree;
  }

  giveUp(): void {
    this.#leaveReaders();
    this.#leaveWriters();
  }

  /** The kernel never takes a lock away from a living process. */
  confirm(): void {}

  holder(): Holder | null {
    return this.#isNamed ? null : (holderOf(this.#lockFile) ?? holderOf(this.#holderPath));
  }

  close(): void {
    this.giveUp();
    this.unlock(sqlite.LOCK_NONE);
  }

  #lockShared(): boolean {
    if (!this.#takeShared()) {
      this.#isReaderInLine ||= this.#kernel.tryLock(this.#fd, READER_QUEUE_BYTE, 1, { shared: true });
      return false;
    }
    this.#leaveReaders();
    this.#level = sqlite.LOCK_SHARED;
    return true;
  }

  #takeShared(): boolean {
    // A connection that waits to commit holds PENDING: no new readers until it has had its turn.
    if (!this.#kernel.tryLock(this.#fd, PENDING_BYTE, 1, { shared: true })) return false;
    const isLocked = this.#kernel.tryLock(this.#fd, SHARED_FIRST, SHARED_SIZE, { shared: true });
    this.#kernel.unlock(this.#fd, PENDING_BYTE, 1);
    if (!isLocked) return false;
    // A process without kernel locks uses the lock file. It takes that, then checks for our locks. We do it in the
    // opposite order, so at least one sees the other.
    if (!isHeld(this.#lockFile)) return true;
    this.#kernel.unlock(this.#fd, SHARED_FIRST, SHARED_SIZE);
    return false;
  }

  #lockReserved(): boolean {
    if (!this.#isMyTurn()) return false;
    if (!this.#kernel.tryLock(this.#fd, RESERVED_BYTE, 1)) return false;
    this.#hasReserved = true;
    this.#leaveWriters();
    this.#level = sqlite.LOCK_RESERVED;
    this.#tell();
    return true;
  }

  /** True if no reader is queued, and either this connection is the queued writer or there is none. */
  #isMyTurn(): boolean {
    if (!this.#kernel.tryLock(this.#fd, READER_QUEUE_BYTE, 1)) return false;
    this.#kernel.unlock(this.#fd, READER_QUEUE_BYTE, 1);
    this.#isWriterInLine ||= this.#kernel.tryLock(this.#fd, WRITER_QUEUE_BYTE, 1);
    return this.#isWriterInLine;
  }

  #lockExclusive(): boolean {
    if (this.#level === sqlite.LOCK_RESERVED) {
      if (!this.#kernel.tryLock(this.#fd, PENDING_BYTE, 1)) return false;
      this.#hasPending = true;
      this.#level = sqlite.LOCK_PENDING;
    }
    if (!this.#takeExclusive()) return false;
    this.#level = sqlite.LOCK_EXCLUSIVE;
    this.#tell();
    return true;
  }

  #takeExclusive(): boolean {
    if (this.#kernel.tryUpgradeLock(this.#fd, SHARED_FIRST, SHARED_SIZE)) {
      // It may have missed our shared lock (LockFile.#raise), but it cannot miss that the file exists.
      if (!isHeld(this.#lockFile)) return true;
      this.#kernel.tryDowngradeLock(this.#fd, SHARED_FIRST, SHARED_SIZE);
      return false;
    }
    // Windows gives up the shared lock for the attempt; it can be taken again while PENDING keeps others out.
    this.#kernel.tryLock(this.#fd, SHARED_FIRST, SHARED_SIZE, { shared: true });
    return false;
  }

  #leaveReaders(): void {
    if (this.#isReaderInLine) this.#kernel.unlock(this.#fd, READER_QUEUE_BYTE, 1);
    this.#isReaderInLine = false;
  }

  #leaveWriters(): void {
    if (this.#isWriterInLine) this.#kernel.unlock(this.#fd, WRITER_QUEUE_BYTE, 1);
    this.#isWriterInLine = false;
  }

  #tell(): void {
    if (this.#isNamed) return;
    this.#isNamed = true;
    try {
      writeHint(this.#holderPath);
    } catch {
      // Ignored: only messages become less specific.
    }
  }

  #untell(): void {
    if (!this.#isNamed) return;
    this.#isNamed = false;
    try {
      rmSync(this.#holderPath, { force: true });
    } catch {
      // As above.
    }
  }
}
