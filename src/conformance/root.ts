import { fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { type Change, MemoryNodes, MerkleTree } from "../identity/root.ts";
import { diffTrees } from "../identity/root-diff.ts";
import { subtreeDigest } from "../identity/subtree.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** An id and a value in hex. The type of the JSON module cannot express that there are exactly two. */
type Row = readonly (string | null)[];

/** test-vectors/root.json */
export interface RootVectors {
  readonly cases: readonly {
    readonly name: string;
    readonly documents: readonly Row[];
    readonly root: string;
    readonly nodes: Readonly<Record<string, string | undefined>> | null;
    /** A bit prefix and its digest. */
    readonly subtrees: readonly Row[];
  }[];
  readonly history: readonly { readonly changes: readonly Row[]; readonly root: string }[];
  readonly differences: readonly {
    readonly name: string;
    readonly here: readonly Row[];
    readonly there: readonly Row[];
    readonly differences: readonly Row[];
  }[];
}

/** SPEC §13 */
export async function checkRoot(engine: Engine, vectors: RootVectors): Promise<Outcome> {
  const tally = new Tally("root");
  for (const { name, documents, root, nodes, subtrees } of vectors.cases) {
    const tree = treeOf(engine, documents);
    const prefixes = Object.keys(nodes ?? {});
    const records = (of: (prefix: string) => string) =>
      prefixes.map((prefix) => `${prefix}:${of(prefix)}`).join(" ");
    tally.record(`set: ${name}`, [
      ["root", root, toHex(tree.root())],
      ["nodes", records((prefix) => nodes![prefix]!), records((prefix) => toHex(tree.node(prefix)))],
      ...subtrees.map(
        ([bits, digest]) =>
          [`subtree ${bits}`, digest!, toHex(subtreeDigest(engine, tree, bits!))] as [string, string, string],
      ),
    ]);
  }
  const growing = new MerkleTree(engine, new MemoryNodes());
  for (const [i, { changes, root }] of vectors.history.entries())
    tally.record(`history: step ${i}`, [["root", root, toHex(growing.update(changes.map(changeOf)))]]);
  for (const { name, here, there, differences } of vectors.differences) {
    const theirs = treeOf(engine, there);
    const ask = async (prefixes: readonly string[]) => prefixes.map((prefix) => theirs.node(prefix));
    const found = await diffTrees(engine, treeOf(engine, here), theirs.root(), ask);
    const rows = found.map((one) => [toHex(one.id), hexOrNull(one.here), hexOrNull(one.there)]);
    tally.record(`difference: ${name}`, [["documents", JSON.stringify(differences), JSON.stringify(rows)]]);
  }
  return tally.outcome();
}

function treeOf(engine: Engine, documents: readonly Row[]): MerkleTree {
  const tree = new MerkleTree(engine, new MemoryNodes());
  tree.update(documents.map(changeOf));
  return tree;
}

function changeOf([id, value]: Row): Change {
  return { id: fromHex(id!), value: value === null || value === undefined ? null : fromHex(value) };
}

function hexOrNull(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : toHex(bytes);
}
