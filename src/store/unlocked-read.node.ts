import { fstatSync } from "node:fs";
import { DatabaseBusyError } from "./failure.ts";

/** File systems record times in steps of up to 10 ms; within one step, a second change would not show. */
const SETTLED_MS = 50;

/**
 * A read transaction without a lock, for a process that cannot create the lock file: the folder is read-only, or the
 * disk is full. Others may still write. So the file must not have changed since the transaction began; this is checked
 * after every read.
 */
export class UnlockedRead {
  readonly #fd: number;
  readonly #path: string;
  readonly #version: string;

  private constructor(fd: number, path: string) {
    this.#fd = fd;
    this.#path = path;
    this.#version = versionOf(fd);
  }

  /** Returns null if the file has just changed and may still be changing. */
  static begin(fd: number, path: string): UnlockedRead | null {
    return isSettled(fd) ? new UnlockedRead(fd, path) : null;
  }

  /** Throws if the file has changed since the transaction began. */
  confirm(): void {
    if (versionOf(this.#fd) === this.#version) return;
    throw new DatabaseBusyError(
      `expected ${this.#path} to stay as it is while it is read without a lock, got a change by another process`,
      "Try again, or make room for the lock file: free some space, or allow writing to the folder",
      null,
    );
  }
}

/** True if the file has not changed very recently. */
export function isSettled(fd: number): boolean {
  return Math.abs(Date.now() - fstatSync(fd).mtimeMs) >= SETTLED_MS;
}

function versionOf(fd: number): string {
  const { mtimeNs, ctimeNs, size } = fstatSync(fd, { bigint: true });
  return `${mtimeNs} ${ctimeNs} ${size}`;
}
