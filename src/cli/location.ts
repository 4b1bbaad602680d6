import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SelfsameError } from "../errors.ts";
import { CONFIG_FILE, findConfig } from "./config.ts";

const FOLDER = ".selfsame";
const FILE = "library.db";

/**
 * The library that a command works on: `--db`, or the configuration's `db`, or that of the project, as git finds its own.
 */
export function findLibrary(db: string | undefined): string {
  const file = locateLibrary(db);
  if (existsSync(file)) return file;
  throw new SelfsameError(
    "FILE_MISSING",
    `expected a library at ${file}, got none`,
    db === undefined
      ? "Make one: selfsame index <paths…>"
      : "Check the name, or make one: selfsame index <paths…> --db <file>",
  );
}

/** As `findLibrary`; where there is none, the place for a new one, its folder made. */
export function findOrPlaceLibrary(db: string | undefined): string {
  const file = locateLibrary(db);
  if (existsSync(file)) return file;
  try {
    placeFolder(dirname(file));
  } catch (cause) {
    throw new SelfsameError(
      "DATABASE_CANNOT_OPEN",
      `expected to make ${dirname(file)} for the library, got ${(cause as Error).message}`,
      "Allow writing there, or give another place: --db <file>",
      { cause },
    );
  }
  return file;
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
  return db === undefined ? (findConfig()?.db ?? join(projectFolder(), FOLDER, FILE)) : resolve(db);
}

/** Makes the folder of a library. One of our own ignores itself: a library is made by each device, from files. */
export function placeFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  if (basename(folder) === FOLDER) writeFileSync(join(folder, ".gitignore"), "*\n");
}

function upward(test: (folder: string) => boolean): string | null {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (test(folder)) return folder;
    if (folder === dirname(folder)) return null;
  }
}
