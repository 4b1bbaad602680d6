import * as nodeFs from "node:fs";
import { readFileSync } from "node:fs";
import type { Database } from "#dist/store/database.js";
import type { FileSystem } from "#dist/store/file-system.node.js";
import { openDatabase } from "#dist/store/open.node.js";

/** What a killed process leaves behind. */
export interface HotImage {
  readonly database: Buffer;
  readonly journal: Buffer;
  /** True if every page had been written, and only the journal remained to be removed. */
  readonly isWritten: boolean;
}

/** Runs `work` on a file and keeps what is on disk before each write to it, sync and removal of a file. */
export async function hotImages(path: string, work: (database: Database) => void): Promise<HotImage[]> {
  const images: HotImage[] = [];
  const keep = (isWritten: boolean) => {
    const journal = `${path}-journal`;
    if (!nodeFs.existsSync(journal)) return;
    const image = { database: readFileSync(path), journal: readFileSync(journal), isWritten };
    // A journal whose first byte is zero is not in use yet.
    if (image.journal.byteLength > 0 && image.journal[0] !== 0) images.push(image);
  };
  const fileSystem = {
    ...nodeFs,
    writeSync: ((...args: Parameters<typeof nodeFs.writeSync>) => {
      keep(false);
      return nodeFs.writeSync(...args);
    }) as typeof nodeFs.writeSync,
    unlinkSync: (name) => {
      keep(true);
      nodeFs.unlinkSync(name);
    },
  } satisfies FileSystem;
  const database = await openDatabase(path, { fileSystem });
  work(database);
  database.close();
  return images;
}
