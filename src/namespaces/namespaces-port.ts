import type { Library } from "../library/library.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import type { NewLibrary } from "./connection.ts";
import type { NamespaceAnswer, NamespaceSearchOptions } from "./namespace-answer.ts";
import type { NamespaceStats } from "./namespace-stats.ts";
import type { NamespacesOptions } from "./namespaces-options.ts";
import type { Snapshot } from "./snapshot-metadata.ts";

/**
 * A folder of namespaces. Each namespace is a library: own file, own root, own ids. All share one loaded model, and at
 * most `maxActive` are open at a time. SPEC §22.1
 */
export interface Namespaces {
  /** The folder, without links. */
  readonly folder: string;

  /**
   * Opens a namespace, or creates it, and returns its library. The library can be used at any time: if it was closed
   * because others were needed, its next call opens it again. Its `close` closes it until then.
   *
   * @example
   * const notes = await namespaces.get("notes");
   * await notes.add([{ path: "ties.md", text }]);
   * const papers = await namespaces.get("papers", { vectors: { name: "Qwen3-4B", dimension: 2560 } });
   *
   * @param create what it is made with if it does not exist, instead of the options of `openNamespaces`. If it exists and
   *   was made with another source of vectors, threshold or index, that is the error CANON_MISMATCH
   */
  get(name: string, create?: NewLibrary): Promise<Library>;

  /** Works with a namespace, which stays open until the work is done. `create` is that of `get`. */
  use<T>(name: string, work: (library: Library) => T | Promise<T>, create?: NewLibrary): Promise<T>;

  /** Returns whether a namespace exists, without opening it. */
  has(name: string): Promise<boolean>;

  /** Returns the names of all namespaces, sorted. */
  list(): Promise<string[]>;

  /**
   * Searches a namespace. The answer is the one of `Library.search`, with the steps that it took. Unlike `get`, it does
   * not create a missing namespace: that is the error FILE_MISSING.
   *
   * @example
   * const { results, degraded } = await namespaces.search("notes", "how are ties broken?", {}, { timeoutMs: 200 });
   */
  search(
    name: string,
    query: string,
    parameters?: SearchParameters,
    options?: NamespaceSearchOptions,
  ): Promise<NamespaceAnswer>;

  /**
   * Writes a snapshot of a namespace: a portable copy, from which it can be restored on an empty machine. It becomes the
   * current one; the one before it is kept, older ones are deleted. SPEC §22.2
   */
  snapshot(name: string): Promise<Snapshot>;

  /**
   * Restores a namespace from a snapshot, which replaces its library. `folder` is that of a snapshot, or one with a file
   * `current`. Every digest is checked before anything is changed: a damaged snapshot is the error BAD_SNAPSHOT.
   * SPEC §22.3
   */
  restore(name: string, folder: string): Promise<Snapshot>;

  /** Deletes a namespace with its snapshots. Waits until nobody uses it. Returns false if there was none. */
  drop(name: string): Promise<boolean>;

  /** Returns the state of every namespace, by name. */
  stats(): Promise<Record<string, NamespaceStats>>;

  /** Closes all namespaces, each when the work on it is done. */
  close(): Promise<void>;
}

/** Opens a folder of namespaces. `#namespaces` resolves to the host's implementation; null where there are no folders. */
export type OpenFolder = ((folder: string, options: NamespacesOptions) => Promise<Namespaces>) | null;
