import { fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { objectArgument, stringArgument } from "../errors/arguments.ts";
import type { MerkleTree } from "../identity/root.ts";
import { diffTrees } from "../identity/root-diff.ts";

/** A library on another device, as far as a comparison needs it. A `Library` is one itself. */
export interface RemoteTree {
  /** The root of its documents, in hexadecimal. */
  root(): Promise<string>;
  /** Records of the nodes with these prefixes, for `diff`. */
  nodes(prefixes: readonly string[]): Promise<readonly Uint8Array[]>;
  /** The paths of documents, null where one is not there. */
  paths(documentIds: readonly string[]): Promise<readonly (string | null)[]>;
}

/** A document in which two libraries differ. */
export interface DocumentDifference {
  /** Of namespace and path, in hexadecimal. */
  readonly documentId: string;
  /** Its path; null if the side that has it did not tell. */
  readonly path: string | null;
  /** In what: here is the library that was asked, there the other. */
  readonly change: "only here" | "only there" | "different text";
}

/** Returns the documents in which the library with this tree and another differ, by id. */
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
