import { createRequire } from "node:module";
import type { DatabaseLock } from "./database-lock.ts";
import { ByteRangeLock, hasVisibleLocks, type KernelLocks } from "./lock-bytes.node.ts";
import { LockFile } from "./lock-file.node.ts";

/** `auto`: the kernel's byte-range locks where they are available, else a lock file. `file`: always the lock file. */
export type LockKind = "auto" | "file";

/**
 * Returns the lock for an open database file. Processes with kernel locks and with lock files may share a library, so
 * kernel locks are used only where the others can see them: where Linux lists them for this file.
 */
export function lockFor(fd: number, path: string, kind: LockKind): DatabaseLock {
  const kernel = kind === "file" ? null : kernelLocks();
  return kernel !== null && hasVisibleLocks(kernel, fd)
    ? new ByteRangeLock(kernel, fd, path)
    : new LockFile(fd, path);
}

let loaded: KernelLocks | null | undefined;

/** fs-native-extensions, an optional dependency: null if it is not installed, has no binary, or must not be loaded. */
function kernelLocks(): KernelLocks | null {
  if (loaded !== undefined) return loaded;
  try {
    loaded = isNode() ? (createRequire(import.meta.url)("fs-native-extensions") as KernelLocks) : null;
  } catch {
    loaded = null;
  }
  return loaded;
}

/**
 * True in Node itself. The addon calls libuv, which Deno and Bun only imitate: it loads there, and the first missing
 * function ends the process. So the hosts are distinguished by name, before anything is loaded.
 */
function isNode(): boolean {
  const { versions, release } = process;
  const isOther = "Deno" in globalThis || "Bun" in globalThis || "deno" in versions || "bun" in versions;
  return !isOther && release.name === "node" && "uv" in versions;
}
