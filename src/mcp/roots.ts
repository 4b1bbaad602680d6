import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { SelfsameError } from "../index.ts";

/** A path within the roots, with links resolved. */
export interface Place {
  readonly path: string;
  readonly exists: boolean;
}

/**
 * The folders that clients may access. Links and `..` are resolved before a path is checked. A path that leads out is refused
 * with the same words whether it exists or not.
 */
export class Roots {
  /** Absolute, with links resolved. */
  readonly folders: readonly string[];
  /** The default locations: the current folder, or all roots if it lies outside of them. */
  readonly defaults: readonly string[];
  /** Relative paths are resolved against the first of these that leads into a root. */
  readonly #bases: readonly string[];

  private constructor(folders: readonly string[], current: string) {
    this.folders = folders;
    const isInside = this.holds(current);
    this.defaults = isInside ? [current] : folders;
    // A client cannot know where an agent started the server (often in `/`), but it can know the roots.
    this.#bases = isInside ? [current] : [current, ...folders];
  }

  /** Folders are resolved against `current`; paths of clients are, too, if `current` lies in one of the folders. */
  static async of(folders: readonly string[], current: string): Promise<Roots> {
    const real = await realpath(current);
    return new Roots(await Promise.all(folders.map((folder) => rootFolder(resolve(current, folder)))), real);
  }

  /** The folder from which the server's project is searched, upward. */
  get home(): string {
    return this.defaults[0]!;
  }

  holds(real: string): boolean {
    return this.folders.some((root) => isIn(root, real));
  }

  /** Resolves a path, which need not exist. @throws {SelfsameError} PATH_OUTSIDE_ROOT */
  async place(path: string): Promise<Place> {
    let free: Place | null = null;
    for (const base of this.#bases) {
      const at = resolve(base, path);
      const place = await this.#placeAt(at);
      if (place?.exists) return place;
      free ??= place;
      // Its name lies in a root, so no other folder is tried, even if a link leads out.
      if (this.holds(at) && base === this.#bases[0]) break;
    }
    if (free === null) throw this.#outside(path);
    return free;
  }

  /** Resolves a path that must exist. @throws {SelfsameError} FILE_MISSING, PATH_OUTSIDE_ROOT */
  async existing(path: string): Promise<string> {
    const place = await this.place(path);
    if (place.exists) return place.path;
    throw new SelfsameError(
      "FILE_MISSING",
      `expected a file or folder at ${path}, got none`,
      `Check the path; relative paths start at ${this.#bases.join(" or ")}`,
    );
  }

  /** Returns what a file or folder has in common with the roots; it may contain them. @throws {SelfsameError} FILE_MISSING */
  async sharedWith(path: string): Promise<readonly string[]> {
    const real = await realpath(path).catch(() => null);
    if (real === null || this.holds(real)) return [await this.existing(path)];
    return this.folders.filter((folder) => isIn(real, folder));
  }

  /** Returns null for a path outside of the roots. */
  async #placeAt(path: string): Promise<Place | null> {
    const rest: string[] = [];
    for (let at = path; ; at = dirname(at)) {
      const found = await realpath(at).catch((error: NodeJS.ErrnoException) => error);
      if (typeof found === "string") {
        const real = join(found, ...rest);
        return this.holds(real) ? { path: real, exists: rest.length === 0 } : null;
      }
      // A missing file lies where its folder lies. A link that cannot be followed lies nowhere.
      const isNothing = found.code === "ENOENT" || found.code === "ENOTDIR";
      if (!isNothing || (await isLink(at)) || at === dirname(at)) return null;
      rest.unshift(basename(at));
    }
  }

  #outside(path: string): SelfsameError {
    return new SelfsameError(
      "PATH_OUTSIDE_ROOT",
      `expected a path in ${this.folders.join(" or ")}, got ${JSON.stringify(path)}`,
      "Name a path inside, or start the server with --root <folder> for another folder",
    );
  }
}

/** Whether a path is the folder or lies in it; both absolute. */
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
