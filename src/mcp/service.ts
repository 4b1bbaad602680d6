import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type OpenOptions, type SearchParameters, SelfsameError } from "../index.ts";
import type { LibraryAccess } from "./access.ts";
import { isLibrary, Libraries, type LibrariesOptions } from "./libraries.ts";
import type { Offer } from "./offer.ts";
import { isIn, type Roots } from "./roots.ts";

/** The settings of the project's selfsame.config.json, for what neither the command line nor a client sets. Paths are absolute. */
export interface Project {
  /** The file itself, and the folder that its paths start at. */
  readonly file: string;
  readonly folder: string;
  readonly paths?: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly model?: string;
  readonly db?: string;
}

export interface ServiceOptions extends Omit<LibrariesOptions, "howToMake"> {
  /** What clients may access. */
  readonly roots: Roots;
  /** The library for clients that name none. It may lie outside of the roots, since the user chose it. */
  readonly db?: string;
  readonly project?: Project | null;
  /** Adds the project's defaults to the parameters of a search; by default there are none. */
  readonly searchParameters?: (asked: SearchParameters) => SearchParameters;
  /** Options for opening libraries. */
  readonly open?: OpenOptions;
  /** The RRF constant k of `search_rifflux`; default 60. */
  readonly rrfK?: number;
  /** The tools beside those that every server has; default none. */
  readonly offer?: Offer;
  readonly version: string;
  /** Takes lines for people. It must not write to standard output, which belongs to the protocol. */
  readonly log: (line: string) => void;
  /** Throws if the server's own library, which nobody named, may not be used. */
  readonly checkFound?: (library: string) => void;
}

const FOLDER = ".selfsame";
const FILE = "library.db";

/** What all clients of one server share, over any transport. */
export class Service implements LibraryAccess {
  readonly roots: Roots;
  readonly libraries: Libraries;
  /** The model for indexing; undefined for the library's own. */
  readonly model: OpenOptions["model"];
  readonly searchParameters: (asked: SearchParameters) => SearchParameters;
  readonly rrfK: number;
  readonly offer: Offer;
  readonly version: string;
  readonly log: (line: string) => void;
  readonly #db: string | undefined;
  readonly #project: Project | null;
  readonly #checkFound: (library: string) => void;
  readonly #listeners = new Set<() => void>();

  constructor(options: ServiceOptions) {
    this.roots = options.roots;
    this.#project = options.project ?? null;
    this.#db = options.db ?? this.#project?.db;
    this.#checkFound = options.checkFound ?? (() => undefined);
    this.model = options.open?.model ?? this.#project?.model;
    const known = this.#project?.model;
    this.libraries = new Libraries(
      { ...(known === undefined ? {} : { knownModels: [known] }), ...options.open },
      {
        ...options,
        howToMake: (path) => this.#howToMake(path),
      },
    );
    this.searchParameters = options.searchParameters ?? ((asked) => asked);
    this.rrfK = options.rrfK ?? 60;
    this.offer = options.offer ?? {};
    this.version = options.version;
    this.log = options.log;
  }

  /** The folders that clients may access. */
  get folders(): readonly string[] {
    return this.roots.folders;
  }

  /** Whether there is a library at this path. */
  exists(path: string): Promise<boolean> {
    return isLibrary(path);
  }

  /** Which files of a folder the project includes. */
  get patterns(): { readonly include?: readonly string[]; readonly exclude?: readonly string[] } {
    const { include, exclude } = this.#project ?? {};
    return { ...(include === undefined ? {} : { include }), ...(exclude === undefined ? {} : { exclude }) };
  }

  /** Returns the project's paths, as far as they lie within the roots; without a project, the current folder. */
  async configuredLocations(): Promise<readonly string[]> {
    const { paths, file } = this.#project ?? {};
    if (paths === undefined) return this.roots.defaults;
    const shared = (await Promise.all(paths.map((path) => this.roots.sharedWith(path)))).flat();
    if (shared.length > 0) return shared;
    throw new SelfsameError(
      "PATH_OUTSIDE_ROOT",
      `expected paths of ${file} in ${this.roots.folders.join(" or ")}, got ${paths.join(", ")}`,
      "Name a path, or start the server with --root <folder> for another folder",
    );
  }

  /** Returns the path of the library that a client names, within the roots, or of the server's own. */
  async libraryPath(given: string | null | undefined): Promise<string> {
    if (given !== null && given !== undefined) return (await this.roots.place(given)).path;
    if (this.#db !== undefined) return realName(this.#db);
    const found = this.#ownLibrary();
    this.#checkFound(found);
    return (await this.roots.place(found)).path;
  }

  /**
   * Returns the folder that paths in the server's own library are relative to. As with the commands, this is the folder that
   * holds the library, or the project's folder if the project names the library. If that does not contain all roots, it is the
   * nearest folder that does. It does not depend on the request, so each file has one path.
   */
  documentsFolder(library: string): string {
    const holder = dirname(library);
    const own = basename(holder) === FOLDER ? dirname(holder) : holder;
    const project = this.#project?.folder ?? own;
    const isNamedThere = this.#db !== undefined && this.#db === this.#project?.db;
    const { folders } = this.roots;
    const holdsAll = (each: string) => folders.every((folder) => isIn(each, folder));
    return (isNamedThere ? [project, own] : [own, project]).find(holdsAll) ?? nearestAbove(folders);
  }

  /** Calls `listener` when documents of the server's own library were added or removed. Returns a function that stops it. */
  onDocumentsChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  documentsChanged(): void {
    for (const listener of this.#listeners) listener();
  }

  close(): Promise<void> {
    return this.libraries.close();
  }

  /** `index` and `reindex` make the server's own library and no other. */
  async #howToMake(path: string): Promise<string> {
    if (path === (await this.libraryPath(null))) return "Make it with the tool index";
    return `Check db_path, leave it out for the server's own library, or make this library: selfsame index <paths…> --db ${path}`;
  }

  /** Finds the library as the commands do, but not above the root. If there is none, returns the place for a new one. */
  #ownLibrary(): string {
    const { home } = this.roots;
    for (let folder = home; this.roots.holds(folder); folder = dirname(folder)) {
      const file = join(folder, FOLDER, FILE);
      if (folder === this.#project?.folder || existsSync(file)) return file;
      if (folder === dirname(folder)) break;
    }
    return join(home, FOLDER, FILE);
  }
}

/** Resolves links, so that a file has one name, even before it exists. */
async function realName(file: string): Promise<string> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  return realpath(file).catch(() => join(folder, basename(file)));
}

function nearestAbove(folders: readonly string[]): string {
  let above = folders[0]!;
  while (!folders.every((folder) => isIn(above, folder)) && above !== dirname(above)) above = dirname(above);
  return above;
}
