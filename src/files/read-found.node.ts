import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import type { FoundFile } from "./found-file.ts";
import { isAbsence } from "./real-path.node.ts";

/** Without waiting for the writer of a pipe that has taken the file's place; where there is no such flag, no such pipe is. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a file that a walk has found; null if it is gone. Between the walk and this call a link out of the root may
 * have taken its place: what was read counts only if it is, after reading, the file that lies where the walk saw one.
 */
export async function readFound({ absolute }: FoundFile): Promise<Uint8Array | null> {
  try {
    const handle = await open(absolute, FLAGS);
    try {
      const opened = await handle.stat({ bigint: true });
      if (!opened.isFile()) throw new Error("it is no longer a file");
      const bytes = new Uint8Array(await handle.readFile());
      const there = await stat(absolute, { bigint: true });
      const isSame = there.ino === opened.ino && there.dev === opened.dev;
      if (!isSame || (await realpath(absolute)) !== absolute) throw new Error("another file replaced it");
      return bytes;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}
