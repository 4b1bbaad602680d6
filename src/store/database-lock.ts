import type { Holder } from "./failure.ts";

/**
 * The lock of one connection on one database file, with SQLite's five levels. `lock` and `unlock` return SQLite
 * result codes and never wait: SQLite does that, up to the connection's timeout. A connection that was refused
 * stands in line until it is let in or gives up, so that one which writes without pause starves no other.
 * https://www.sqlite.org/lockingv3.html
 */
export interface DatabaseLock {
  lock(level: number): number;
  unlock(level: number): number;
  /** True if anyone means to write. */
  isReserved(): boolean;
  /** True if the level that was last refused could be had now. */
  isFree(): boolean;
  /** Leaves the line: the connection has stopped trying. */
  giveUp(): void;
  /** Throws if the lock, or what was read under it, is no longer good. Called before every write and after every read. */
  confirm(): void;
  /** The process that holds the lock against this one, where that is known. */
  holder(): Holder | null;
  close(): void;
}
