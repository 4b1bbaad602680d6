import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type OpenOptions, type SearchParameters, SelfsameError } from "../index.ts";
import { Libraries, type LibrariesOptions } from "./libraries.ts";
import { isIn, type Roots } from "./roots.ts";

/** What the project's selfsame.config.json says, for what neither the command line nor a client does; paths are absolute. */
export interface Project {
  /** The file itself, and the folder that its paths count from. */
  readonly file: string;
  readonly folder: string;
  readonly paths?: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly model?: string;
  readonly db?: string;
}

export interface ServiceOptions extends Omit<LibrariesOptions, "howToMake"> {
  /** What clients reach. */
  readonly roots: Roots;
  /** The library that serves where a client names none. Whoever starts the server may put it anywhere. */
  readonly db?: string;
  readonly project?: Project | null;
  /** How a search is made of what a client asks for; default: as it is asked. */
  readonly searchParameters?: (asked: SearchParameters) => SearchParameters;
  /** How libraries are opened. */
  readonly open?: OpenOptions;
  /** The constant of fusion of `search_rifflux`; default 60. */
  readonly rrfK?: number;
  readonly version: string;
  /** Takes lines for people; never on standard output, which is the protocol's. */
  readonly log: (line: string) => void;
}

const FOLDER = ".selfsame";
const FILE = "library.db";

/** What all clients of one server share, whatever transport they come by. */
export class Service {
  readonly roots: Roots;
  readonly libraries: Libraries;
  /** The model for indexing; undefined for the library's own. */
  readonly model: OpenOptions["model"];
  readonly searchParameters: (asked: SearchParameters) => SearchParameters;
  readonly rrfK: number;
  readonly version: string;
  readonly log: (line: string) => void;
  readonly #db: string | undefined;
  readonly #project: Project | null;
  readonly #listeners = new Set<() => void>();

  constructor(options: ServiceOptions) {
    this.roots = options.roots;
    this.#project = options.project ?? null;
    this.#db = options.db ?? this.#project?.db;
    this.model = options.open?.model ?? this.#project?.model;
    this.libraries = new Libraries(options.open ?? {}, {
      ...options,
      howToMake: (path) => this.#howToMake(path),
    });
    this.searchParameters = options.searchParameters ?? ((asked) => asked);
    this.rrfK = options.rrfK ?? 60;
    this.version = options.version;
    this.log = options.log;
  }

  /** Which files of a folder the project wants. */
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
      "Name a path, or start the server with --root <folder> for another one",
    );
  }

  /** The library that a client means: the one that it names, within the roots, or the server's own. */
  async libraryPath(given: string | null | undefined): Promise<string> {
    if (given !== null && given !== undefined) return (await this.roots.place(given)).path;
    return this.#db === undefined ? (await this.roots.place(this.#ownLibrary())).path : realName(this.#db);
  }

  /**
   * What paths in the server's own library count from: the folder that holds it, or of a library that the project names the
   * project's, as with the commands; if that does not hold all roots, the nearest folder that does. It must not depend on what is
   * asked: one file has one path.
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

  /** `listener` is called when documents of the server's own library have come or gone. */
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
    return `Check db_path, name none for the server's own library, or make this one with the command: selfsame index <paths…> --db ${path}`;
  }

  /** As the commands find it, but no further up than the root goes; where there is none, the place for one. */
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

/** A file's one name, by which it is known to be open, also before it is there. */
async function realName(file: string): Promise<string> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  return realpath(file).catch(() => join(folder, basename(file)));
}

function nearestAbove(folders: readonly string[]): string {
  let above = folders[0]!;
  while (!folders.every((folder) => isIn(above, folder)) && above !== dirname(above)) above = dirname(above);
  return above;
}
