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
  /** What a client means that names no path: the current folder, or all roots, if it lies outside of them. */
  readonly defaults: readonly string[];
  /** What relative paths count from: the first of these from which they lead into a root. */
  readonly #bases: readonly string[];

  private constructor(folders: readonly string[], current: string) {
    this.folders = folders;
    const isInside = this.holds(current);
    this.defaults = isInside ? [current] : folders;
    // A client cannot know where an agent started the server (often in `/`); what it can know are the roots.
    this.#bases = isInside ? [current] : [current, ...folders];
  }

  /** `current` is what the names of the folders count from, and the paths of clients if it lies in one of them. */
  static async of(folders: readonly string[], current: string): Promise<Roots> {
    const real = await realpath(current);
    return new Roots(await Promise.all(folders.map((folder) => rootFolder(resolve(current, folder)))), real);
  }

  /** Where the project of the server is looked for, from there upward. */
  get home(): string {
    return this.defaults[0]!;
  }

  holds(real: string): boolean {
    return this.folders.some((root) => isIn(root, real));
  }

  /** @throws {SelfsameError} PATH_OUTSIDE_ROOT */
  async place(path: string): Promise<Place> {
    let free: Place | null = null;
    for (const base of this.#bases) {
      const at = resolve(base, path);
      const place = await this.#placeAt(at);
      if (place?.exists) return place;
      free ??= place;
      // By its name it is in a root: what it really is decides, and no other folder is asked.
      if (this.holds(at) && base === this.#bases[0]) break;
    }
    if (free === null) throw this.#outside(path);
    return free;
  }

  /** As `place`, of what must be there. @throws {SelfsameError} FILE_MISSING */
  async existing(path: string): Promise<string> {
    const place = await this.place(path);
    if (place.exists) return place.path;
    throw new SelfsameError(
      "FILE_MISSING",
      `expected a file or folder at ${path}, got none`,
      `Check the path; relative ones count from ${this.#bases.join(" or ")}`,
    );
  }

  /** What the roots share with a file or folder, which may hold them. @throws {SelfsameError} FILE_MISSING */
  async sharedWith(path: string): Promise<readonly string[]> {
    const real = await realpath(path).catch(() => null);
    if (real === null || this.holds(real)) return [await this.existing(path)];
    return this.folders.filter((folder) => isIn(real, folder));
  }

  /** Null of what lies outside. */
  async #placeAt(path: string): Promise<Place | null> {
    const rest: string[] = [];
    for (let at = path; ; at = dirname(at)) {
      const found = await realpath(at).catch((error: NodeJS.ErrnoException) => error);
      if (typeof found === "string") {
        const real = join(found, ...rest);
        return this.holds(real) ? { path: real, exists: rest.length === 0 } : null;
      }
      // What is not there yet lies where its folder lies; a link to nothing, or one that cannot be followed, lies nowhere.
      const isNothing = found.code === "ENOENT" || found.code === "ENOTDIR";
      if (!isNothing || (await isLink(at)) || at === dirname(at)) return null;
      rest.unshift(basename(at));
    }
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
