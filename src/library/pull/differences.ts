import { toHex } from "../../engine/digest.ts";
import type { Engine } from "../../engine/engine.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import type { MerkleTree } from "../../identity/root.ts";
import { type AskNodes, diffTrees } from "../../identity/root-diff.ts";
import { compareBytes } from "../../identity/tree-node.ts";
import type { TreeName } from "../../store/tree-nodes.ts";

/** What a set of documents has for an id: its values in the two trees. */
export interface Values {
  readonly text: Uint8Array;
  readonly metadata: Uint8Array;
}

/** A document that two sets do not have in common: null on the side that lacks it. */
export interface DocumentChange {
  readonly id: Uint8Array;
  readonly here: Values | null;
  readonly there: Values | null;
}

/** Both trees of a library, or of what it has in common with another. */
export type Trees = { readonly [tree in TreeName]: MerkleTree };

/** The two roots of the other side. */
export type Digests = { readonly [tree in TreeName]: Uint8Array };

/** No more nodes are requested than a tree of this many documents has. */
const NODES_MAX = 4_000_000;

/**
 * Returns the documents in which two libraries differ, in texts or in metadata, by id ascending. Every node is checked
 * against the digest that announced it. SPEC §28.2
 *
 * @throws {SelfsameError} BAD_REMOTE
 */
export async function documentChanges(
  engine: Engine,
  here: Trees,
  there: Digests,
  ask: (prefixes: readonly string[], tree: TreeName) => Promise<readonly Uint8Array[]>,
): Promise<DocumentChange[]> {
  let nodes = 0;
  const bounded =
    (tree: TreeName): AskNodes =>
    async (prefixes) => {
      nodes += prefixes.length;
      if (nodes > NODES_MAX) throw badRemote(`at most ${NODES_MAX} nodes that differ`, "more");
      return ask(prefixes, tree);
    };
  const texts = await diffTrees(engine, here.text, there.text, bounded("text"));
  const others = await diffTrees(engine, here.metadata, there.metadata, bounded("metadata"));
  const metadata = new Map(others.map((each) => [toHex(each.id), each]));
  const changes: DocumentChange[] = [];
  for (const { id, here: ours, there: theirs } of texts) {
    const other = metadata.get(toHex(id));
    metadata.delete(toHex(id));
    const same = other === undefined ? here.metadata.get(id) : null;
    changes.push({
      id,
      here: valuesOf(id, ours, other === undefined ? same : other.here),
      there: valuesOf(id, theirs, other === undefined ? same : other.there),
    });
  }
  for (const { id, here: ours, there: theirs } of metadata.values()) {
    const text = here.text.get(id);
    changes.push({ id, here: valuesOf(id, text, ours), there: valuesOf(id, text, theirs) });
  }
  return changes.sort((a, b) => compareBytes(a.id, b.id));
}

/** A document has a value in both trees, or in none. */
function valuesOf(id: Uint8Array, text: Uint8Array | null, metadata: Uint8Array | null): Values | null {
  if (text === null && metadata === null) return null;
  if (text !== null && metadata !== null) return { text, metadata };
  throw badRemote(`the document ${toHex(id)} in both trees`, "it in one of them");
}

export function isSame(a: Values | null, b: Values | null): boolean {
  if (a === null || b === null) return a === b;
  return compareBytes(a.text, b.text) === 0 && compareBytes(a.metadata, b.metadata) === 0;
}

/** Returns the error of an answer that cannot be true. */
export function badRemote(expected: string, got: string): SelfsameError {
  return new SelfsameError(
    "BAD_REMOTE",
    `expected ${expected}, got ${got}`,
    "The other library may have changed meanwhile: pull again. If it stays so, the other side is faulty",
  );
}

/** Returns the error of a write to this library between the comparison and the end of a pull. */
export function changedHere(what: string): SelfsameError {
  return new SelfsameError(
    "DATABASE_BUSY",
    `expected ${what} to stay as it was during the pull, got a write by another process`,
    "Pull again: what the other process wrote is kept",
    { details: { changedHere: true } },
  );
}
