import { SelfsameError } from "../errors/selfsame-error.ts";
import { findClaim, HeldClaim, isHeld } from "./claim-file.node.ts";
import * as sqlite from "./codes.ts";
import type { DatabaseLock } from "./database-lock.ts";
import type { Holder } from "./failure.ts";
import { type ListedLock, listedLocks } from "./proc-locks.node.ts";
import { isSamePlace, lifeOf, thisProcess } from "./process-identity.node.ts";
import { isSettled, UnlockedRead } from "./unlocked-read.node.ts";

/**
 * A lock by the existence of `<database>-lock`, a claim, for hosts and file systems without byte-range locks. Every
 * level is exclusive: a reader keeps others out while it reads, which here is one statement or snapshot.
 *
 * The claim is checked before every write and after every read. If a process was suspended for so long that another
 * took over the lock, it writes nothing more, and returns nothing that it read since.
 *
 * A second claim, `<database>-lock-next`, belongs to the first in the queue; while it exists, nobody else tries.
 *
 * A process that cannot create the file can still read (UnlockedRead). Kernel locks on the database are respected.
 */
export class LockFile implements DatabaseLock {
  readonly #fd: number;
  readonly #database: string;
  readonly #path: string;
  readonly #nextPath: string;
  #held: HeldClaim | null = null;
  #next: HeldClaim | null = null;
  #unlocked: UnlockedRead | null = null;
  #isLost = false;
  /** Set while it waits to read without a lock. */
  #mustSettle = false;

  constructor(fd: number, databasePath: string) {
    this.#fd = fd;
    this.#database = databasePath;
    this.#path = lockFileOf(databasePath);
    this.#nextPath = `${this.#path}-next`;
  }

  lock(level: number): number {
    if (this.#held !== null) return this.#raise();
    if (this.#unlocked !== null && level <= sqlite.LOCK_SHARED) return sqlite.OK;
    try {
      if (!this.#isMyTurn()) return sqlite.BUSY;
      if (!this.#take()) {
        this.#next ??= HeldClaim.take(this.#nextPath);
        return sqlite.BUSY;
      }
    } catch (error) {
      return this.#lockWithoutFile(level, error as NodeJS.ErrnoException);
    }
    this.giveUp();
    // The lock was acquired after the first reads, which are still valid if nobody has written until now.
    this.#unlocked?.confirm();
    this.#unlocked = null;
    this.#mustSettle = false;
    return sqlite.OK;
  }

  unlock(level: number): number {
    if (level !== sqlite.LOCK_NONE) return sqlite.OK;
    this.#unlocked = null;
    this.#isLost = false;
    const held = this.#held;
    this.#held = null;
    held?.release();
    return sqlite.OK;
  }

  confirm(): void {
    this.#unlocked?.confirm();
    if (this.#held === null) return;
    this.#isLost ||= !this.#held.isOurs();
    if (this.#isLost) throw lockLost(this.#database, this.#path);
    this.#held.touch();
  }

  isReserved(): boolean {
    return this.#held === null && (isHeld(this.#path) || listedLocks(this.#fd).some(isWriters));
  }

  isFree(): boolean {
    this.#next?.touch();
    if (this.#mustSettle && !isSettled(this.#fd)) return false;
    return this.#isMyTurn() && !isHeld(this.#path) && listedLocks(this.#fd).length === 0;
  }

  giveUp(): void {
    const next = this.#next;
    this.#next = null;
    next?.release();
  }

  holder(): Holder | null {
    return this.#held === null ? holderOf(this.#path) : null;
  }

  close(): void {
    this.giveUp();
    this.unlock(sqlite.LOCK_NONE);
  }

  #isMyTurn(): boolean {
    return this.#next !== null || !isHeld(this.#nextPath);
  }

  /**
   * Takes the claim, then checks for kernel locks. ByteRangeLock uses the opposite order, so at least one sees the
   * other.
   */
  #take(): boolean {
    const claim = HeldClaim.take(this.#path);
    if (claim === null) return false;
    try {
      if (listedLocks(this.#fd).length === 0) this.#held = claim;
    } finally {
      if (this.#held === null) claim.release();
    }
    return this.#held !== null;
  }

  /** Checks the kernel's locks again: Linux may omit one from the list if another ends while the list is read. */
  #raise(): number {
    this.confirm();
    return listedLocks(this.#fd).length === 0 ? sqlite.OK : sqlite.BUSY;
  }

  #lockWithoutFile(level: number, error: NodeJS.ErrnoException): number {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    if (level > sqlite.LOCK_SHARED) return refusal;
    if (isHeld(this.#path) || listedLocks(this.#fd).some(isCommitting)) return sqlite.BUSY;
    this.#unlocked = UnlockedRead.begin(this.#fd, this.#database);
    this.#mustSettle = this.#unlocked === null;
    return this.#mustSettle ? sqlite.BUSY : sqlite.OK;
  }
}

export function lockFileOf(databasePath: string): string {
  return `${databasePath}-lock`;
}

/** Returns the owner of the claim at `path`; null if there is none, it does not say, or the owner has ended. */
export function holderOf(path: string): Holder | null {
  try {
    const claim = findClaim(path)?.claim ?? null;
    if (claim === null || lifeOf(claim) === "ended") return null;
    return { pid: claim.pid, host: claim.host, isHere: isSamePlace(claim), file: path };
  } catch {
    return null;
  }
}

/**
 * Returns the code for SQLite if the lock file cannot be created for lack of space or permission; null for other
 * reasons.
 */
function refusalOf({ code }: NodeJS.ErrnoException): number | null {
  if (code === "ENOSPC" || code === "EDQUOT") return sqlite.FULL;
  return code === "EACCES" || code === "EPERM" || code === "EROFS" ? sqlite.READONLY_CANTLOCK : null;
}

/** True for the lock of a writer, which may have a journal. */
function isWriters({ isExclusive }: ListedLock): boolean {
  return isExclusive;
}

/** True for the lock of a writer that may be changing the database itself: any but RESERVED. */
function isCommitting({ isExclusive, first, last }: ListedLock): boolean {
  return isExclusive && !(first === sqlite.RESERVED_BYTE && last === sqlite.RESERVED_BYTE);
}

function lockLost(database: string, path: string): SelfsameError {
  const holder = holderOf(path);
  const taker = holder === null ? "it is gone" : `process ${holder.pid} on ${holder.host} took it over`;
  return new SelfsameError(
    "DATABASE_LOCK_LOST",
    `expected process ${thisProcess().pid} to hold ${path} until its work on ${database} ends, got: ${taker}, since this process showed no sign of life`,
    "Nothing was written after that, and the transaction was undone. Run it again",
  );
}
