import { randomUUID } from "node:crypto";
import { existsSync, fstatSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as sqlite from "./codes.ts";
import type { DatabaseLock } from "./lock.node.ts";
import { isGone, type ProcessIdentity, thisProcess } from "./process-identity.node.ts";

/** What stands in a lock file: whose it is, and which connection of that process. */
type Claim = ProcessIdentity & { readonly token: string };

/**
 * A lock by the mere existence of `<database>-lock`, for systems without byte-range locks. Every level is
 * exclusive: a reader keeps others out as long as it reads, which here is the length of one statement or snapshot.
 *
 * A second file, `<database>-lock-next`, is held by the first in line; while it is there, nobody else tries.
 *
 * Native SQLite does not look for this file. On Linux the reverse is seen to: kernel locks on the database, by
 * whomever, are respected.
 */
export class LockFile implements DatabaseLock {
  readonly #fd: number;
  readonly #path: string;
  readonly #token = randomUUID();
  readonly #nextPath: string;
  #held = false;
  #isNext = false;

  constructor(fd: number, databasePath: string) {
    this.#fd = fd;
    this.#path = `${databasePath}-lock`;
    this.#nextPath = `${this.#path}-next`;
  }

  lock(_level: number): number {
    if (this.#held) return sqlite.OK;
    try {
      if (!this.#isMyTurn()) return sqlite.BUSY;
      if (!this.#take()) {
        this.#isNext ||= acquire(this.#nextPath, this.#token);
        return sqlite.BUSY;
      }
    } catch (error) {
      return this.#unlockable(error as NodeJS.ErrnoException);
    }
    this.#held = true;
    this.giveUp();
    return sqlite.OK;
  }

  unlock(level: number): number {
    if (!this.#held || level !== sqlite.LOCK_NONE) return sqlite.OK;
    this.#held = false;
    release(this.#path);
    return sqlite.OK;
  }

  isReserved(): boolean {
    return !this.#held && isHeld(this.#path);
  }

  isFree(): boolean {
    return this.#isMyTurn() && !isHeld(this.#path) && !isLockedByKernel(this.#fd);
  }

  giveUp(): void {
    if (this.#isNext) release(this.#nextPath);
    this.#isNext = false;
  }

  holderPid(): number | null {
    if (this.#held) return null;
    const claim = read(this.#path);
    return claim === "none" || claim === "damaged" ? null : claim.pid;
  }

  close(): void {
    this.giveUp();
    this.unlock(sqlite.LOCK_NONE);
  }

  #isMyTurn(): boolean {
    return this.#isNext || !isHeld(this.#nextPath);
  }

  #take(): boolean {
    if (!acquire(this.#path, this.#token)) return false;
    if (!isLockedByKernel(this.#fd)) return true;
    release(this.#path);
    return false;
  }

  /** On a read-only file system nobody writes, and a lock is not needed. */
  #unlockable(error: NodeJS.ErrnoException): number {
    if (error.code === "EROFS") return sqlite.OK;
    if (error.code === "ENOSPC" || error.code === "EDQUOT") return sqlite.FULL;
    return error.code === "EACCES" || error.code === "EPERM" ? sqlite.READONLY_CANTLOCK : sqlite.IOERR_LOCK;
  }
}

/** True if a living process has locked the database by file; the file of a dead one is cleared away. */
export function isHeldByLockFile(databasePath: string): boolean {
  return isHeld(`${databasePath}-lock`);
}

/**
 * Creates the lock file at `path`, complete in one step: the claim is written under a name of its own and linked.
 * If it is there already and its owner is dead, it is cleared away first.
 */
function acquire(path: string, token: string): boolean {
  const claim = claimPath(path, token);
  for (let attempt = 0; attempt < 3; attempt++) {
    writeFileSync(claim, JSON.stringify({ ...thisProcess(), token }));
    try {
      linkSync(claim, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(claim, { force: true });
    }
    if (isHeld(path)) return false;
  }
  return false;
}

function claimPath(path: string, token: string): string {
  return `${path}.${token}`;
}

function release(path: string): void {
  rmSync(path, { force: true });
}

/** True if the lock file is there and its owner may be alive. */
function isHeld(path: string): boolean {
  // Nearly always it is not there, and asking costs a tenth of a failed read.
  if (!existsSync(path)) return false;
  const claim = read(path);
  if (claim === "none") return false;
  return !isDead(claim) || !clear(path);
}

/**
 * Removes the lock file of a dead owner, under a lock of its own. Without that, of two processes that found it
 * dead the slower one could remove the lock that the faster one had taken meanwhile. With it, what is read again
 * inside cannot change: its owner is dead, and nobody else may remove it.
 */
function clear(path: string): boolean {
  const guard = `${path}-clear`;
  try {
    if (!acquire(guard, randomUUID())) return false;
  } catch {
    // Not ours to remove (no permission); its owner is dead all the same.
    return true;
  }
  try {
    const claim = read(path);
    if (claim === "none") return true;
    if (!isDead(claim)) return false;
    // It may have died before it removed the name under which it wrote its claim.
    if (claim !== "damaged") rmSync(claimPath(path, claim.token), { force: true });
    release(path);
    return true;
  } finally {
    release(guard);
  }
}

function isDead(claim: Claim | "damaged"): boolean {
  // A claim is complete before it is linked, so a damaged one was left by a power failure.
  return claim === "damaged" || isGone(claim);
}

function read(path: string): Claim | "none" | "damaged" {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "none";
    throw error;
  }
  try {
    const claim = JSON.parse(text) as Claim;
    return Number.isInteger(claim.pid) && typeof claim.token === "string" ? claim : "damaged";
  } catch {
    return "damaged";
  }
}

const LOCK_BYTES_END = sqlite.SHARED_FIRST + sqlite.SHARED_SIZE;

/** True if Linux lists a lock, anyone's, on SQLite's lock bytes of this file. */
function isLockedByKernel(fd: number): boolean {
  if (process.platform !== "linux") return false;
  let table: string;
  try {
    table = readFileSync("/proc/locks", "utf8");
  } catch {
    return false;
  }
  // 1: OFDLCK ADVISORY  READ -1 fe:00:1311 1073741826 1073742335
  // Devices are not compared, since some file systems show another one here: at worst we wait for nothing.
  const inode = `:${fstatSync(fd).ino} `;
  return table.split("\n").some((line) => {
    if (!line.includes(inode)) return false;
    const [first, last] = line.trim().split(/\s+/).slice(-2);
    return Number(first) < LOCK_BYTES_END && (last === "EOF" || Number(last) >= sqlite.PENDING_BYTE);
  });
}
