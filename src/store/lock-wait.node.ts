import type { DatabaseLock } from "./database-lock.ts";

const LOOK_EVERY_MS = 2;
const idle = new Int32Array(new SharedArrayBuffer(4));

/**
 * Waits for a lock that another process holds. SQLite requests a sleep of up to 100 ms between two attempts; we check
 * every 2 ms and return once the lock is free. If the attempt still fails, the time not slept is made up for, since
 * SQLite counts the requested time against the timeout.
 */
export class LockWait {
  #owedMs = 0;

  sleep(ms: number, lock: DatabaseLock | null): void {
    this.#owedMs += ms;
    do {
      const began = performance.now();
      Atomics.wait(idle, 0, 0, Math.min(LOOK_EVERY_MS, this.#owedMs));
      this.#owedMs -= performance.now() - began;
    } while (this.#owedMs > 0 && !mayBeFree(lock));
  }

  /** The lock was taken, or given up. */
  over(): void {
    this.#owedMs = 0;
  }
}

/** True if the lock is free, or its state cannot be read: then the next attempt to take it reports why. */
function mayBeFree(lock: DatabaseLock | null): boolean {
  try {
    return lock === null || lock.isFree();
  } catch {
    return true;
  }
}
