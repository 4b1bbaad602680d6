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
/** A folder that is made for a library is for its owner alone. */
const PRIVATE_FOLDER = 0o700;

/**
 * The library that a command reads: `--db`, or the configuration's `db`, or that of the project, as git finds its own.
 */
export function findLibrary(db: string | undefined): string {
  const file = locateLibrary(db);
  const found = lookAt(file);
  // To SQLite an empty file is a new database: reading must not make it one.
  if (found !== undefined && (found.size > 0 || !found.isFile())) return file;
  throw new SelfsameError(
    "FILE_MISSING",
    `expected a library at ${file}, got ${found === undefined ? missing(file, db) : "an empty file"}`,
    db === undefined
      ? "Make one: selfsame index <paths…>"
      : "Check the name, or make one: selfsame index <paths…> --db <file>",
  );
}

/** A folder that is not there is told where its name was typed. */
function missing(file: string, db: string | undefined): string {
  const isLost = db !== undefined && !existsSync(dirname(file));
  return isLost ? `none, since there is no folder ${dirname(file)}` : "none";
}

/** As `findLibrary`; null where none was named and none is there. */
export function findLibraryIfAny(db: string | undefined): string | null {
  try {
    return findLibrary(db);
  } catch (error) {
    if (db === undefined && error instanceof SelfsameError && error.code === "FILE_MISSING") return null;
    throw error;
  }
}

/**
 * Opens a library that need not be there yet, its folder made. If it cannot be opened, a folder that was made for it is
 * taken away again.
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

/** What is at a library's place, undefined for nothing. A folder is refused, and what cannot be looked at. */
function lookAt(file: string): Stats | undefined {
  let found: Stats | undefined;
  try {
    found = statSync(file, { throwIfNoEntry: false });
  } catch (cause) {
    // Links in a circle, a name that is too long, a folder that may not be entered.
    throw new SelfsameError(
      "DATABASE_CANNOT_OPEN",
      `expected a library at ${file}, got ${(cause as Error).message}`,
      "Check the name and who may read there, or name another file: --db <file>",
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
 * The top of the project: the nearest folder from here upward with a configuration or a library, or else with a
 * repository, or else this one.
 */
export function projectFolder(): string {
  const isProject = (each: string) =>
    existsSync(join(each, CONFIG_FILE)) || existsSync(join(each, FOLDER, FILE));
  return upward(isProject) ?? upward((each) => existsSync(join(each, ".git"))) ?? process.cwd();
}

/** Where the library is, or would be. */
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
    // What is not there, or may not be looked at, is told by whoever opens it.
    return false;
  }
}

/** Refuses a library that was found, not named, if it or its folder is a link: a cloned repository could lead anywhere. */
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
 * Makes the folder of a library, and says which folder was the first to be missing. One of our own ignores itself: a library
 * is made by each device, from files.
 */
export function placeFolder(folder: string): string | undefined {
  try {
    const made = mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    // Whatever the umask.
    if (made !== undefined) chmodSync(folder, PRIVATE_FOLDER);
    if (made !== undefined && basename(folder) === FOLDER) writeFileSync(join(folder, GITIGNORE), "*\n");
    return made;
  } catch (cause) {
    throw new SelfsameError(
      "DATABASE_CANNOT_OPEN",
      `expected to make ${folder} for the library, got ${(cause as Error).message}`,
      "Allow writing there, or give another place: --db <file>",
      { cause },
    );
  }
}

/** The empty folders from `folder` up to `top`, which were made for a library; what is not empty stays. */
function takeAway(folder: string, top: string): void {
  try {
    if (basename(folder) === FOLDER) unlinkSync(join(folder, GITIGNORE));
    for (let each = folder; each.startsWith(top); each = dirname(each)) rmdirSync(each);
  } catch {
    // Somebody else has put something there.
  }
}

function upward(test: (folder: string) => boolean): string | null {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (test(folder)) return folder;
    if (folder === dirname(folder)) return null;
  }
}
