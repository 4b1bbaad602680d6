import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { TreeFolder } from "./device-files-port.ts";

/** The files that an exported tree has: those of others in the folder are left alone. */
const OURS = /^(?:[0-9a-f]{64}\.(?:pack|nodes)|selfsame-tree\.json)(?:\.part)?$/;

/** Opens a folder for an exported tree, and makes it if it is missing. */
export async function treeFolder(folder: string): Promise<TreeFolder> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw failed(folder, cause);
  }
  return {
    async size(name) {
      const found = await stat(join(folder, name)).catch(() => null);
      return found?.isFile() === true ? found.size : null;
    },
    async put(name, bytes) {
      // Written under another name, synced, then renamed: whoever reads sees the whole file or none.
      const path = join(folder, name);
      const part = `${path}.part`;
      try {
        await rm(part, { force: true });
        const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
        const file = await open(part, flags, 0o644);
        let length = 0;
        try {
          for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
            await file.writeFile(piece);
            length += piece.length;
          }
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(part, path);
        return length;
      } catch (cause) {
        await rm(part, { force: true }).catch(() => undefined);
        throw cause instanceof SelfsameError ? cause : failed(path, cause);
      }
    },
    async prune(kept) {
      const old = (await readdir(folder)).filter((name) => OURS.test(name) && !kept.has(name));
      for (const name of old) await rm(join(folder, name), { force: true });
      return old.length;
    },
  };
}

function failed(path: string, cause: unknown): SelfsameError {
  const isFull = (cause as { code?: unknown }).code === "ENOSPC";
  return new SelfsameError(
    isFull ? "DISK_FULL" : "FILE_MISSING",
    `expected to write ${path}, got ${cause instanceof Error ? cause.message : cause}`,
    isFull ? "Free some space and export again" : "Give a folder that can be written to",
    { cause },
  );
}
