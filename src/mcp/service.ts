import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { OpenOptions } from "../index.ts";
import { Libraries, type LibrariesOptions } from "./libraries.ts";
import { isIn, Roots } from "./roots.ts";

export interface ServiceOptions extends LibrariesOptions {
  /** The server's current folder. */
  readonly folder: string;
  /** The folders that clients reach; default: the current one. */
  readonly roots?: readonly string[];
  /** The library that serves where a client names none. Whoever starts the server may put it anywhere. */
  readonly db?: string;
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
  readonly folder: string;
  readonly roots: Roots;
  readonly libraries: Libraries;
  readonly rrfK: number;
  readonly version: string;
  readonly log: (line: string) => void;
  readonly #db: string | undefined;
  readonly #listeners = new Set<() => void>();

  private constructor(options: ServiceOptions, roots: Roots) {
    this.folder = options.folder;
    this.roots = roots;
    this.libraries = new Libraries(options.open ?? {}, options);
    this.rrfK = options.rrfK ?? 60;
    this.version = options.version;
    this.log = options.log;
    this.#db = options.db === undefined ? undefined : resolve(options.folder, options.db);
  }

  static async start(options: ServiceOptions): Promise<Service> {
    return new Service(options, await Roots.of(options.roots ?? [options.folder], options.folder));
  }

  /** The library that a client means: the one that it names, within the roots, or the server's own. */
  async libraryPath(given: string | null | undefined): Promise<string> {
    if (given !== null && given !== undefined) return (await this.roots.place(given)).path;
    return this.#db === undefined ? (await this.roots.place(this.#ownLibrary())).path : realName(this.#db);
  }

  /**
   * What paths in the server's own library count from: the folder that holds it, as with the commands, or, if that does not
   * hold all roots, the nearest folder that does. It must not depend on what is asked: one file has one path.
   */
  documentsFolder(library: string): string {
    const holder = dirname(library);
    const own = basename(holder) === FOLDER ? dirname(holder) : holder;
    const { folders } = this.roots;
    return folders.every((folder) => isIn(own, folder)) ? own : nearestAbove(folders);
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

  /** As the commands find it, but no further up than the root goes; where there is none, the place for one. */
  #ownLibrary(): string {
    const start = this.roots.holds(this.folder) ? this.folder : this.roots.folders[0]!;
    for (let folder = start; this.roots.holds(folder); folder = dirname(folder)) {
      if (existsSync(join(folder, FOLDER, FILE))) return join(folder, FOLDER, FILE);
      if (folder === dirname(folder)) break;
    }
    return join(start, FOLDER, FILE);
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
