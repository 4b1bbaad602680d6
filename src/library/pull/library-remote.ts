import { objectArgument } from "../../errors/arguments.ts";
import type { PackLibrary } from "../../packs/pack-options.ts";
import type { TreeName } from "../../store/tree-nodes.ts";
import type { CanonParts } from "../canon.ts";
import type { Roots } from "../library-state.ts";
import type { Remote } from "./remote.ts";

/** What is pulled from: a `Library`, one of a namespace, or a `BrowserLibrary`. */
export interface PulledLibrary extends Pick<PackLibrary, "exportPack"> {
  /** The name that it was opened with. */
  readonly name: string;
  /** The digest of everything that decides results, in hexadecimal. */
  readonly canon: string;
  /** The parts that the canon is the digest of, by name. */
  readonly canonParts: CanonParts;
  /** Returns both roots, from the same moment. */
  stats(): Promise<Roots>;
  /** Returns the records of the nodes with these prefixes. */
  nodes(prefixes: readonly string[], tree?: TreeName): Promise<readonly Uint8Array[]>;
  /** Returns the paths of documents by their ids; null for one that does not exist. */
  paths(documentIds: readonly string[]): Promise<readonly (string | null)[]>;
}

/** Returns a library as `pull` sees it. One in memory has no name that lasts. */
export function libraryRemote(library: PulledLibrary): Remote {
  return {
    name: library.name === ":memory:" ? null : library.name,
    async head() {
      const { root, metadataRoot } = await library.stats();
      return { namespace: library.canonParts.namespace, canon: library.canon, root, metadataRoot };
    },
    nodes: (prefixes, tree) => library.nodes(prefixes, tree),
    paths: (ids) => library.paths(ids),
    async *packs(prefixes, { vectors, signal }) {
      const options = {
        prefixes,
        // Vectors that came with chunks are part of their documents.
        vectors: vectors || library.canonParts.vectors !== "model",
        ...(signal === undefined ? {} : { signal }),
      };
      yield library.exportPack(options);
    },
  };
}

/** Returns what was given to `pull` as a remote. @throws {SelfsameError} BAD_ARGUMENT */
export function remoteOf(given: Remote | PulledLibrary): Remote {
  if (typeof (given as PulledLibrary | null)?.exportPack === "function")
    return libraryRemote(
      objectArgument("the other library", given as PulledLibrary, ["stats", "nodes", "paths"]),
    );
  return objectArgument("the remote", given as Remote, ["head", "nodes", "paths", "packs"]);
}
