import { SelfsameError } from "../errors/selfsame-error.ts";
import { deviceFiles } from "../files/device-files.ts";
import type { Database } from "../store/database.ts";
import { readSetting, writeSetting } from "./setting.ts";

/** The folder that the paths of a library's files are relative to, as a name relative to the library's own folder. */
const KEY = "filesRoot";
/** How many files are looked for under the old root. */
const SAMPLE = 32;

/**
 * Records the folder that paths are relative to. With another folder, the same files would have other paths: the
 * library's documents would be removed, or stay as duplicates. So another folder is refused while any of the files
 * still exists under the old one. A library that was moved, or whose files were moved, takes the new folder.
 *
 * @throws {SelfsameError} BAD_ARGUMENT
 */
export function keepFilesRoot(database: Database, library: string, root: string): void {
  const files = deviceFiles;
  if (files === null || library === ":memory:") return;
  const known = readSetting(database, KEY, "a root folder");
  // After reading the database: the read detects whether its folder is gone.
  const name = files.nameOfFolder(root, library);
  if (known === name) return;
  const before = known === null ? null : files.folderNamed(known, library);
  if (before !== null && pathsOfFiles(database).some((path) => files.isFile(before, path)))
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected the root ${before}, to which the paths in ${library} are relative, got ${root}`,
      `Use that root (--root ${before}), or index into another library (--db)`,
    );
  writeSetting(database, KEY, name);
}

/** Returns the folder that paths of files are relative to; null if none is recorded. */
export function filesFolderOf(database: Database): string | null {
  if (deviceFiles === null || database.name === ":memory:") return null;
  const known = readSetting(database, KEY, "a root folder");
  return known === null ? null : deviceFiles.folderNamed(known, database.name);
}

function pathsOfFiles(database: Database): string[] {
  const sql = "SELECT path FROM files JOIN documents USING (documentId) ORDER BY path LIMIT ?";
  return database.all<{ path: string }>(sql, [SAMPLE]).map(({ path }) => path);
}
