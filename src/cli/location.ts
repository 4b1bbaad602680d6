import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SelfsameError } from "../index.ts";

const FOLDER = ".selfsame";
const FILE = "library.db";

/** The library that a command works on: `--db`, or the one of the folder above that has one, as git finds its own. */
export function findLibrary(db: string | undefined): string {
  if (db !== undefined) {
    if (existsSync(db)) return resolve(db);
    throw noLibrary(resolve(db));
  }
  const folder = upward((each) => existsSync(join(each, FOLDER, FILE)));
  if (folder === null) throw noLibrary(join(process.cwd(), FOLDER, FILE));
  return join(folder, FOLDER, FILE);
}

/** As `findLibrary`; where there is none, the place for a new one: at the top of the project, or right here. */
export function findOrPlaceLibrary(db: string | undefined): string {
  if (db !== undefined) return resolve(db);
  const holder = upward((each) => existsSync(join(each, FOLDER, FILE)));
  const folder = join(holder ?? upward((each) => existsSync(join(each, ".git"))) ?? process.cwd(), FOLDER);
  mkdirSync(folder, { recursive: true });
  return join(folder, FILE);
}

function upward(test: (folder: string) => boolean): string | null {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (test(folder)) return folder;
    if (folder === dirname(folder)) return null;
  }
}

function noLibrary(path: string): SelfsameError {
  return new SelfsameError(
    "FILE_MISSING",
    `expected a library at ${path}, got none`,
    "Make one: selfsame index <paths…>",
  );
}
