import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SelfsameError } from "../errors/index.ts";
import { CONFIG_FILE, findConfig } from "./config.ts";

const FOLDER = ".selfsame";
const FILE = "library.db";
const GITIGNORE = ".gitignore";
/** A folder created for a library is accessible to its owner only. */
const PRIVATE_FOLDER = 0o700;

/**
 * Returns the library that a command reads: `--db`, or the configuration's `db`, or the project's, which is found as
 * git finds a repository.
 */
export function findLibrary(db: string | undefined): string {
  const file = locateLibrary(db);
  const found = lookAt(file);
  // SQLite treats an empty file as a new database. Reading must not turn it into one.
  if (found !== undefined && (found.size > 0 || !found.isFile())) return file;
  throw new SelfsameError(
    "FILE_MISSING",
    `expected a library at ${file}, got ${found === undefined ? missing(file, db) : "an empty file"}`,
    db === undefined
      ? "Create one: selfsame index <paths…>"
      : "Check the name, or create one: selfsame index <paths…> --db <file>",
  );
}

/** Says what was found instead of a library. If the name was typed and its folder does not exist, it says so. */
function missing(file: string, db: string | undefined): string {
  const isLost = db !== undefined && !existsSync(dirname(file));
  return isLost ? `none: there is no folder ${dirname(file)}` : "none";
}

/** Like `findLibrary`, but returns null if no library was named and none exists. */
export function findLibraryIfAny(db: string | undefined): string | null {
  try {
    return findLibrary(db);
  } catch (error) {
    if (db === undefined && error instanceof SelfsameError && error.code === "FILE_MISSING") return null;
    throw error;
  }
}

/**
 * Opens a library that may not exist yet, after creating its folder. If it cannot be opened, a folder created for it is
 * removed again.
 */
export async function openOrMake<T>(file: string, open: (file: string) => Promise<T>): Promise<T> {
  lookAt(file);
  const folder = dirname(file);
  const made = placeFolder(folder);
  try {
    return await open(file);
  } catch (error) {
    if (made !== undefined && !existsSync(file)) takeAway(folder, made);
    throw error;
  }
}

/**
 * Returns what exists at a library's path; undefined if nothing does. Refuses a folder and anything that cannot be
 * inspected.
 */
function lookAt(file: string): Stats | undefined {
  let found: Stats | undefined;
  try {
    found = statSync(file, { throwIfNoEntry: false });
  } catch (cause) {
    // Circular links, a name that is too long, a folder without search permission.
    throw new SelfsameError(
      "DATABASE_CANNOT_OPEN",
      `expected a library at ${file}, got ${(cause as Error).message}`,
      "Check the name and its permissions, or name another file: --db <file>",
      { cause },
    );
  }
  if (found?.isDirectory() !== true) return found;
  throw new SelfsameError(
    "DATABASE_CANNOT_OPEN",
    `expected a file at ${file}, got a folder`,
    "Name the library's file: --db <file>",
  );
}

/**
 * Returns the top folder of the project: the nearest folder, from the current one upward, with a configuration or a
 * library; otherwise the nearest with a repository; otherwise the current folder.
 */
export function projectFolder(): string {
  const isProject = (each: string) =>
    existsSync(join(each, CONFIG_FILE)) || existsSync(join(each, FOLDER, FILE));
  return upward(isProject) ?? upward((each) => existsSync(join(each, ".git"))) ?? process.cwd();
}

/** Returns where the library is or would be. */
export function locateLibrary(db: string | undefined): string {
  if (db !== undefined) return resolve(db);
  const found = findConfig()?.db ?? join(projectFolder(), FOLDER, FILE);
  refuseLinks(found);
  return found;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    // If it does not exist or cannot be inspected, whoever opens it reports that.
    return false;
  }
}

/**
 * Refuses a library that was found rather than named, if it or its folder is a symbolic link: in a cloned repository,
 * it could point anywhere.
 */
export function refuseLinks(library: string): void {
  for (const path of [dirname(library), library]) {
    if (!isLink(path)) continue;
    throw new SelfsameError(
      "DATABASE_CANNOT_OPEN",
      `expected the library of this project at ${library}, got a symbolic link at ${path}`,
      "If the link is yours, name the library: --db <file>; if not, remove it",
    );
  }
}

/**
 * Creates the folder of a library and returns the first folder that was missing. A `.selfsame` folder ignores itself in
 * git, because each device builds its library from files.
 */
export function placeFolder(folder: string): string | undefined {
  try {
    const made = mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    // Regardless of the umask.
    if (made !== undefined) chmodSync(folder, PRIVATE_FOLDER);
    if (made !== undefined && basename(folder) === FOLDER) writeFileSync(join(folder, GITIGNORE), "*\n");
    return made;
  } catch (cause) {
    throw new SelfsameError(
      "DATABASE_CANNOT_OPEN",
      `expected to create ${folder} for the library, got ${(cause as Error).message}`,
      "Make that folder writable, or name another file: --db <file>",
      { cause },
    );
  }
}

/**
 * Removes the empty folders from `folder` up to `top`, which were created for a library. Folders that are not empty
 * stay.
 */
function takeAway(folder: string, top: string): void {
  try {
    if (basename(folder) === FOLDER) unlinkSync(join(folder, GITIGNORE));
    for (let each = folder; each.startsWith(top); each = dirname(each)) rmdirSync(each);
  } catch {
    // Something else has been put there.
  }
}

function upward(test: (folder: string) => boolean): string | null {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (test(folder)) return folder;
    if (folder === dirname(folder)) return null;
  }
}
