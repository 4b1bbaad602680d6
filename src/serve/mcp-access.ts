import { type Library, type Namespaces, type SearchParameters, SelfsameError } from "../index.ts";
import type { LibraryAccess } from "../mcp/index.ts";

/** Lets agents read one namespace through the tools of the MCP server. They can name no other, and no files. */
export class NamespaceAccess implements LibraryAccess {
  readonly version: string;
  readonly log: (line: string) => void;
  readonly rrfK: number;
  readonly folders: readonly string[] = [];
  readonly libraries: LibraryAccess["libraries"];
  readonly #namespaces: Namespaces;
  readonly #name: string;

  constructor(
    namespaces: Namespaces,
    name: string,
    {
      version,
      rrfK = 60,
      log,
    }: { readonly version: string; readonly rrfK?: number; readonly log: (line: string) => void },
  ) {
    this.#namespaces = namespaces;
    this.#name = name;
    this.version = version;
    this.rrfK = rrfK;
    this.log = log;
    this.libraries = { use: (_, work) => this.#use(work), isWritten: () => false };
  }

  searchParameters(asked: SearchParameters): SearchParameters {
    return asked;
  }

  async libraryPath(given: string | null | undefined): Promise<string> {
    if (given === null || given === undefined) return this.#name;
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected no db_path: this client reads the namespace ${this.#name}, got ${JSON.stringify(given)}`,
      "Leave it out; another namespace has another address: /mcp?namespace=NAME",
    );
  }

  exists(name: string): Promise<boolean> {
    return this.#namespaces.has(name);
  }

  /** Documents change through other requests, which may be those of another process. Clients list them again when they want. */
  onDocumentsChanged(): () => void {
    return () => undefined;
  }

  async #use<T>(work: (library: Library) => T | Promise<T>): Promise<T> {
    if (await this.#namespaces.has(this.#name)) return this.#namespaces.use(this.#name, work);
    throw new SelfsameError(
      "FILE_MISSING",
      `expected documents in the namespace ${this.#name}, got none`,
      "Add some: POST /v1/hybrid/ingest",
    );
  }
}
