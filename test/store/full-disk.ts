import * as nodeFs from "node:fs";
import type { FileSystem } from "#dist/store/file-system.node.js";

export type Call = "writeSync" | "fsyncSync" | "ftruncateSync" | "openSync" | "unlinkSync";

const SECTOR_BYTES = 512;

/** node:fs whose n-th call of one kind, and all later ones, fail for want of space. */
export function fullAt(call: Call, n: number): { fileSystem: FileSystem; calls: () => number } {
  let calls = 0;
  const real = { ...nodeFs } as unknown as Record<string, (...args: unknown[]) => unknown>;
  const fails = (...args: unknown[]) => {
    if (++calls < n) return real[call]!(...args);
    // A full disk takes the first part of a write, in whole sectors: a system reserves space block by block, so a write
    // within one sector happens or does not. The seals of page 1 and of journals depend on that.
    if (call === "writeSync" && calls === n) {
      const [fd, bytes, start, length, position] = args as [number, Uint8Array, number, number, number];
      const end = Math.floor((position + (length >> 1)) / SECTOR_BYTES) * SECTOR_BYTES;
      if (end > position) nodeFs.writeSync(fd, bytes, start, end - position, position);
    }
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  };
  return { fileSystem: { ...real, [call]: fails } as unknown as FileSystem, calls: () => calls };
}
