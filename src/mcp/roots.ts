import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { SelfsameError } from "../index.ts";

/** A place within the roots, by its real path. */
export interface Place {
  readonly path: string;
  readonly exists: boolean;
}

/**
 * The folders that clients reach. Paths are judged by what they really are, links and `..` resolved, and a path that leads
 * out is refused with the same words whether something is there or not.
 */
export class Roots {
  /** Real and absolute. */
  readonly folders: readonly string[];
  /** What relative paths count from. */
  readonly #current: string;

  private constructor(folders: readonly string[], current: string) {
    this.folders = folders;
    this.#current = current;
  }

  static async of(folders: readonly string[], current: string): Promise<Roots> {
    return new Roots(
      await Promise.all(folders.map((folder) => rootFolder(resolve(current, folder)))),
      current,
    );
  }

  holds(real: string): boolean {
    return this.folders.some((root) => isIn(root, real));
  }

  /** @throws {SelfsameError} PATH_OUTSIDE_ROOT */
  async place(path: string): Promise<Place> {
    const rest: string[] = [];
    for (let at = resolve(this.#current, path); ; at = dirname(at)) {
      const found = await realpath(at).catch((error: NodeJS.ErrnoException) => error);
      if (typeof found === "string") {
        const real = join(found, ...rest);
        if (!this.holds(real)) throw this.#outside(path);
        return { path: real, exists: rest.length === 0 };
      }
      // What is not there yet lies where its folder lies; a link to nothing, or one that cannot be followed, lies nowhere.
      const isNothing = found.code === "ENOENT" || found.code === "ENOTDIR";
      if (!isNothing || (await isLink(at)) || at === dirname(at)) throw this.#outside(path);
      rest.unshift(basename(at));
    }
  }

  /** As `place`, of what must be there. @throws {SelfsameError} FILE_MISSING */
  async existing(path: string): Promise<string> {
    const place = await this.place(path);
    if (place.exists) return place.path;
    throw new SelfsameError(
      "FILE_MISSING",
      `expected a file or folder at ${path}, got none`,
      `Check the path; relative ones count from ${this.#current}`,
    );
  }

  #outside(path: string): SelfsameError {
    return new SelfsameError(
      "PATH_OUTSIDE_ROOT",
      `expected a path in ${this.folders.join(" or ")}, got ${JSON.stringify(path)}`,
      "Name a path in there, or start the server with --root <folder> for another one",
    );
  }
}

/** Whether a path is a folder or lies in it; both absolute. */
export function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function rootFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => null);
  if (real !== null && (await stat(real)).isDirectory()) return real;
  throw new SelfsameError("FILE_MISSING", `expected a folder at ${folder}, got none`, "Check --root");
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isSymbolicLink() === true;
}
