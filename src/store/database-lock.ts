import type { Holder } from "./failure.ts";

/**
 * The lock of one connection on one database file, with SQLite's five levels. `lock` and `unlock` return SQLite result
 * codes and never wait: SQLite does that, up to the connection's timeout. A connection that was refused stays in a
 * queue until it gets the lock or gives up, so that one which writes without pause does not starve the others.
 * https://www.sqlite.org/lockingv3.html
 */
export interface DatabaseLock {
  lock(level: number): number;
  unlock(level: number): number;
  /** True if any connection intends to write. */
  isReserved(): boolean;
  /** True if the level that was last refused is available now. */
  isFree(): boolean;
  /** Leaves the queue: the connection has stopped trying. */
  giveUp(): void;
  /**
   * Throws if the lock, or what was read under it, is no longer valid. Called before every write and after every read.
   */
  confirm(): void;
  /** The process that holds the conflicting lock, if known. */
  holder(): Holder | null;
  close(): void;
}
