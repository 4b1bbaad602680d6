import { extractorOf } from "../files/extract/extract.ts";
import type { FoundFile } from "../files/found-file.ts";
import type { Pauses } from "../files/pauses.ts";
import type { Database } from "../store/database.ts";

/** A file with the name and id of its document. */
export interface NamedFile extends FoundFile {
  readonly id: Uint8Array;
  readonly name: string;
}

/** The time of a scan, and the metadata that all of its files are given, as canonical JSON. */
export interface Scan {
  readonly scannedNs: bigint;
  readonly givenMetadata: string;
}

/**
 * FAT stores times in steps of 2 s, the coarsest in use: a file changed within 2 s after a scan may show the same time.
 */
const CLOCK_GRAIN_NS = 2_000_000_000n;
/** The latest time that a column can hold. */
const TIME_MAX_NS = 2n ** 63n - 1n;
/** The number of paths read at a time. */
const PAGE = 10_000;

/**
 * Returns whether a file need not be read. Size and time decide, if the time is older than the last scan by more than
 * the clock's grain; otherwise only the hash can tell. The time is that of the last change of any kind:
 * archives and `mv` can set any modification time.
 */
export function looksUnchanged(database: Database, file: NamedFile, scan: Scan): boolean {
  const row = database.get<{
    size: number;
    changedNs: number | bigint;
    scannedNs: number | bigint;
    givenMetadata: string;
  }>(
    // Joined: another process may have removed the document just before its file was recorded here.
    `SELECT size, changedNs, scannedNs, givenMetadata FROM files JOIN documents USING (documentId)
     WHERE documentId = ?`,
    [file.id],
  );
  return (
    row !== undefined &&
    row.size === file.size &&
    row.givenMetadata === madeWith(file, scan) &&
    BigInt(row.changedNs) === file.changedNs &&
    file.changedNs + CLOCK_GRAIN_NS < BigInt(row.scannedNs)
  );
}

/**
 * Returns what the document depends on besides its file: the metadata of the run, and the extractor that read it. A
 * newer extractor reads the file again.
 */
function madeWith({ name }: NamedFile, { givenMetadata }: Scan): string {
  const extractor = extractorOf(name);
  return extractor === null ? givenMetadata : `${givenMetadata} ${extractor}`;
}

export function rememberFiles(database: Database, files: readonly NamedFile[], scan: Scan): void {
  database.transaction(() => {
    for (const file of files) {
      const { id, size, changedNs } = file;
      database.run(
        `INSERT INTO files (documentId, size, changedNs, scannedNs, givenMetadata) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (documentId) DO UPDATE SET size = excluded.size, changedNs = excluded.changedNs,
           scannedNs = excluded.scannedNs, givenMetadata = excluded.givenMetadata`,
        [id, size, changedNs < TIME_MAX_NS ? changedNs : TIME_MAX_NS, scan.scannedNs, madeWith(file, scan)],
      );
    }
  });
}

/** Returns the paths of documents that came from files below the scanned folders (or are the scanned files). */
export async function filesWithin(
  database: Database,
  scopes: readonly string[],
  pauses: Pauses,
): Promise<string[]> {
  const within: string[] = [];
  for (let last = ""; ; ) {
    const page = database.all<{ path: string }>(
      "SELECT path FROM files JOIN documents USING (documentId) WHERE path > ? ORDER BY path LIMIT ?",
      [last, PAGE],
    );
    for (const { path } of page) if (isWithin(scopes, path)) within.push(path);
    if (page.length < PAGE) return within;
    last = page.at(-1)!.path;
    await pauses.here();
  }
}

/** Returns whether a path is one of these or is below one; "" is the root. */
export function isWithin(scopes: readonly string[], path: string): boolean {
  return scopes.some((scope) => scope === "" || path === scope || path.startsWith(`${scope}/`));
}
