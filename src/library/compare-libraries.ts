import { fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { objectArgument, stringArgument } from "../errors/arguments.ts";
import type { MerkleTree } from "../identity/root.ts";
import { diffTrees } from "../identity/root-diff.ts";

/** The part of a library on another device that a comparison needs. A `Library` implements it. */
export interface RemoteTree {
  /** The root of its documents, in hexadecimal. */
  root(): Promise<string>;
  /** Returns the records of the nodes with these prefixes, for `diff`. */
  nodes(prefixes: readonly string[]): Promise<readonly Uint8Array[]>;
  /** Returns the paths of documents; null for one that does not exist. */
  paths(documentIds: readonly string[]): Promise<readonly (string | null)[]>;
}

/** A document that differs between two libraries. */
export interface DocumentDifference {
  /** The id, of namespace and path, in hexadecimal. */
  readonly documentId: string;
  /** Its path; null if the side that has it did not provide it. */
  readonly path: string | null;
  /** The kind of difference: "here" is the library that `diff` was called on, "there" is the other. */
  readonly change: "only here" | "only there" | "different text";
}

/** Returns the documents that differ between the library with this tree and another, by id. */
export async function compareLibraries(
  engine: Engine,
  tree: MerkleTree,
  here: RemoteTree,
  other: RemoteTree,
): Promise<DocumentDifference[]> {
  objectArgument("the other library", other, ["root", "nodes", "paths"]);
  const theirRoot = fromHex(stringArgument("the root of the other library", await other.root()));
  const found = await diffTrees(engine, tree, theirRoot, (prefixes) => other.nodes(prefixes));
  const ids = found.map(({ id }) => toHex(id));
  const [ours, theirs] = [await here.paths(ids), await other.paths(ids)];
  return found.map((each, i) => ({
    documentId: ids[i]!,
    path: ours[i] ?? theirs[i] ?? null,
    change: each.there === null ? "only here" : each.here === null ? "only there" : "different text",
  }));
}
