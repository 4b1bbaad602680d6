import { readFileSync, rmSync, writeFileSync } from "node:fs";
import * as sqlite from "./codes.ts";
import type { DatabaseLock } from "./lock.node.ts";
import { isHeldByLockFile } from "./lock-file.node.ts";
import { isGone, type ProcessIdentity, thisProcess } from "./process-identity.node.ts";

/** The functions of fs-native-extensions that lock ranges of bytes of an open file. */
export type KernelLocks = Pick<
  typeof import("fs-native-extensions"),
  "tryLock" | "tryUpgradeLock" | "tryDowngradeLock" | "unlock"
>;

const { PENDING_BYTE, RESERVED_BYTE, SHARED_FIRST, SHARED_SIZE } = sqlite;
const { READER_QUEUE_BYTE, WRITER_QUEUE_BYTE } = sqlite;

/** True if byte ranges can be locked on this file: macOS has only whole-file locks here, some network drives none. */
export function supportsByteRanges(kernel: KernelLocks, fd: number): boolean {
  try {
    if (kernel.tryLock(fd, PENDING_BYTE, 1, { shared: true })) kernel.unlock(fd, PENDING_BYTE, 1);
    return true;
  } catch {
    return false;
  }
}

/**
 * Locks by the kernel, as SQLite's os_unix.c and os_win.c take them. On Linux these are open-file-description
 * locks: they belong to this connection's descriptor, so two connections of one process exclude each other, and
 * closing another descriptor of the file loses nothing. The kernel frees them when the process dies.
 *
 * SQLite alone lets a process that writes one transaction after the other starve the rest: they look every 100 ms
 * for a gap of less than one. So a refused reader keeps a shared lock on one byte more, a refused writer an
 * exclusive one on another, and nobody begins to write while readers stand in line, or out of turn.
 *
 * Who holds the write lock stands in a small file beside the database; it is a hint for messages, never a lock.
 */
export class ByteRangeLock implements DatabaseLock {
  readonly #kernel: KernelLocks;
  readonly #fd: number;
  readonly #path: string;
  readonly #holderPath: string;
  #level = sqlite.LOCK_NONE;
  // A rollback of a hot journal goes from SHARED to EXCLUSIVE with neither of these two.
  #hasReserved = false;
  #hasPending = false;
  #isReaderInLine = false;
  #isWriterInLine = false;
  #refused = sqlite.LOCK_NONE;
  #told = false;

  constructor(kernel: KernelLocks, fd: number, path: string) {
    this.#kernel = kernel;
    this.#fd = fd;
    this.#path = path;
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
    // Before the lock goes, else it would tell of a process that waited for it.
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

  holderPid(): number | null {
    if (this.#told) return null;
    try {
      const holder = JSON.parse(readFileSync(this.#holderPath, "utf8")) as ProcessIdentity;
      return isGone(holder) ? null : holder.pid;
    } catch {
      return null;
    }
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
    // Whoever waits to commit holds PENDING: no new readers until it has had its turn.
    if (!this.#kernel.tryLock(this.#fd, PENDING_BYTE, 1, { shared: true })) return false;
    const isLocked = this.#kernel.tryLock(this.#fd, SHARED_FIRST, SHARED_SIZE, { shared: true });
    this.#kernel.unlock(this.#fd, PENDING_BYTE, 1);
    if (!isLocked) return false;
    // A process without kernel locks locks by file. It takes its lock, then looks for ours; we do it the other way
    // round, so at least one sees the other.
    if (!isHeldByLockFile(this.#path)) return true;
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

  /** True if no reader stands in line, and this connection is the writer in line or there is none. */
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
    if (this.#kernel.tryUpgradeLock(this.#fd, SHARED_FIRST, SHARED_SIZE)) return true;
    // Windows gives the shared lock up for the attempt; it is free to be had again while PENDING keeps others out.
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
    if (this.#told) return;
    this.#told = true;
    try {
      writeFileSync(this.#holderPath, JSON.stringify(thisProcess()));
    } catch {
      // Only a message would be poorer.
    }
  }

  #untell(): void {
    if (!this.#told) return;
    this.#told = false;
    try {
      rmSync(this.#holderPath, { force: true });
    } catch {
      // As above.
    }
  }
}
