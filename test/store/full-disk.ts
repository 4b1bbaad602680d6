import * as nodeFs from "node:fs";
import type { FileSystem } from "#dist/store/file-system.node.js";
import { SEAL_BYTES } from "#dist/store/page-seal.js";

export type Call = "writeSync" | "fsyncSync" | "ftruncateSync" | "openSync" | "unlinkSync";

/** node:fs whose n-th call of one kind, and all later ones, fail for want of space. */
export function fullAt(call: Call, n: number): { fileSystem: FileSystem; calls: () => number } {
  let calls = 0;
  const real = { ...nodeFs } as unknown as Record<string, (...args: unknown[]) => unknown>;
  const fails = (...args: unknown[]) => {
    if (++calls < n) return real[call]!(...args);
    // A full disk takes the first part of a write. Only the seal of page 1 is written whole or not at all: it replaces
    // bytes of one sector, for which every file system has the space already. SPEC §14.5
    if (call === "writeSync" && calls === n) {
      const [fd, bytes, start, length, position] = args as [number, Uint8Array, number, number, number];
      if (length !== SEAL_BYTES) nodeFs.writeSync(fd, bytes, start, length >> 1, position);
    }
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  };
  return { fileSystem: { ...real, [call]: fails } as unknown as FileSystem, calls: () => calls };
}
