import type { TreeName } from "../../store/tree-nodes.ts";

/** What a library holds, in a few digests, all from the same moment. */
export interface RemoteHead {
  /** The namespace of its documents. */
  readonly namespace: string;
  /** The digest of everything that decides its results, in hexadecimal. */
  readonly canon: string;
  /** The root of its paths and texts, in hexadecimal. */
  readonly root: string;
  /** The root of times, media types and metadata, in hexadecimal. */
  readonly metadataRoot: string;
}

/** How packs are asked for. */
export interface PacksRequest {
  /** Whether the vectors of the texts are needed; if not, the packs may have them all the same. */
  readonly vectors: boolean;
  /** Stops the transfer. */
  readonly signal?: AbortSignal;
}

/**
 * A library somewhere else, as `Library.pull` sees it. Nothing that it answers is trusted: nodes and documents are
 * checked against the digests that announced them, and vectors as those of any pack. SPEC §28.1
 */
export interface Remote {
  /** The name under which what both sides hold in common is remembered; null if it has none that lasts. */
  readonly name: string | null;
  /** Returns what it holds now. */
  head(): Promise<RemoteHead>;
  /** Returns the records of the nodes with these prefixes, in hexadecimal digits, of one of its two trees. */
  nodes(prefixes: readonly string[], tree: TreeName): Promise<readonly Uint8Array[]>;
  /** Returns the paths of documents by their ids; null for one that it does not have. */
  paths(documentIds: readonly string[]): Promise<readonly (string | null)[]>;
  /**
   * Yields packs, each as a stream of bytes, that together have at least the documents below these bit prefixes. Each is
   * read to its end before the next one is asked for.
   */
  packs(prefixes: readonly string[], request: PacksRequest): AsyncIterable<AsyncIterable<Uint8Array>>;
  /** Ends its connection, if it has one. */
  close?(): Promise<void>;
}
