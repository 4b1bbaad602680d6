import type { Library, SearchParameters } from "../index.ts";

/** What the tools that only read need: the libraries that a client may read. `Service` has it for files, `serve` for namespaces. */
export interface LibraryAccess {
  readonly version: string;
  /** Takes lines for people. */
  readonly log: (line: string) => void;
  /** The RRF constant k of `search_rifflux`. */
  readonly rrfK: number;
  /** Adds the server's defaults to the parameters of a search. */
  readonly searchParameters: (asked: SearchParameters) => SearchParameters;
  /** The folders that clients may access; none if they may access no files. */
  readonly folders: readonly string[];
  readonly libraries: {
    /** Works with an existing library. */
    use<T>(path: string, work: (library: Library) => T | Promise<T>): Promise<T>;
    /** Whether a write to this library is running or waiting. */
    isWritten(path: string): boolean;
  };
  /** Returns the path of the library that a client names, or of the server's own. */
  libraryPath(given: string | null | undefined): Promise<string>;
  /** Whether there is such a library. */
  exists(path: string): Promise<boolean>;
  /** Calls `listener` when documents were added or removed. Returns a function that stops it. */
  onDocumentsChanged(listener: () => void): () => void;
}
