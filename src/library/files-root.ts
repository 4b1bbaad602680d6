import { SelfsameError } from "../errors/selfsame-error.ts";
import { deviceFiles } from "../files/device-files.ts";
import type { Database } from "../store/database.ts";
import { readSetting, writeSetting } from "./setting.ts";

/** The folder that the paths of a library's files count from, as a name relative to the library's own folder. */
const KEY = "filesRoot";
/** So many files are looked for where they were. */
const SAMPLE = 32;

/**
 * Notes the folder that paths count from. With another one the same files would have other paths: those that the library has
 * would be taken out, or stay beside their likes. So while any of them is still there, another folder is refused; a library
 * that was moved, or whose files were, takes the new one.
 *
 * @throws {SelfsameError} BAD_ARGUMENT
 */
export function keepFilesRoot(database: Database, library: string, root: string): void {
  const files = deviceFiles;
  if (files === null || library === ":memory:") return;
  const known = readSetting(database, KEY, "a root folder");
  // After the database was read: its folder may be gone, which is then known.
  const name = files.nameOfFolder(root, library);
  if (known === name) return;
  const before = known === null ? null : files.folderNamed(known, library);
  if (before !== null && pathsOfFiles(database).some((path) => files.isFile(before, path)))
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected paths to count from ${before}, as those that ${library} has, got ${root}`,
      `Name that folder (--root ${before}), or index into another library (--db)`,
    );
  writeSetting(database, KEY, name);
}

function pathsOfFiles(database: Database): string[] {
  const sql = "SELECT path FROM files JOIN documents USING (documentId) ORDER BY path LIMIT ?";
  return database.all<{ path: string }>(sql, [SAMPLE]).map(({ path }) => path);
}
