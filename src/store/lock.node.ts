import { createRequire } from "node:module";
import { ByteRangeLock, type KernelLocks, supportsByteRanges } from "./lock-bytes.node.ts";
import { LockFile } from "./lock-file.node.ts";

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
  /** The process that holds the lock against this one, where that is known. */
  holderPid(): number | null;
  close(): void;
}

/** `auto`: the kernel's byte-range locks where they can be had, else a lock file. `file`: always the lock file. */
export type LockKind = "auto" | "file";

/** The lock for an open database file. */
export function lockFor(fd: number, path: string, kind: LockKind): DatabaseLock {
  const kernel = kind === "file" ? null : kernelLocks();
  return kernel !== null && supportsByteRanges(kernel, fd)
    ? new ByteRangeLock(kernel, fd, path)
    : new LockFile(fd, path);
}

let loaded: KernelLocks | null | undefined;

/** fs-native-extensions, an optional dependency: null where it is not installed or has no binary. */
function kernelLocks(): KernelLocks | null {
  if (loaded !== undefined) return loaded;
  try {
    loaded = createRequire(import.meta.url)("fs-native-extensions") as KernelLocks;
  } catch {
    loaded = null;
  }
  return loaded;
}
