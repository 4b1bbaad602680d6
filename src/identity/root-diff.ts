import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { MerkleTree } from "./root.ts";
import {
  compareBytes,
  decodeNode,
  digitAt,
  emptySlots,
  isLeaf,
  type Leaf,
  nodeDigest,
  type Slot,
} from "./tree-node.ts";

/** A document that differs between the two sides: its values, null on the side that does not have it. */
export interface Difference {
  readonly id: Uint8Array;
  readonly here: Uint8Array | null;
  readonly there: Uint8Array | null;
}

/** Requests the records of nodes from the other device: `MerkleTree.node` of each prefix, in order. */
export type AskNodes = (prefixes: readonly string[]) => Promise<readonly Uint8Array[]>;

/** A node on their side that must be examined, and what is at its place here. */
interface Place {
  readonly prefix: string;
  readonly digest: Uint8Array;
  readonly here: Slot;
}

const ASK_MAX = 256;

/**
 * Returns the documents in which two sets differ, by id ascending. It starts at the root and requests only nodes that
 * differ from those here: about log₁₆ n of them per difference. Every answer is checked against the digest that
 * announced it, so the result is true of the set behind `theirRoot` whoever answers. SPEC §13.3
 *
 * @throws SelfsameError BAD_REMOTE if an answer is not the requested node
 */
export async function diffTrees(
  engine: Engine,
  here: MerkleTree,
  theirRoot: Uint8Array,
  ask: AskNodes,
): Promise<Difference[]> {
  const ourRoot = here.root();
  if (compareBytes(ourRoot, theirRoot) === 0) return [];
  const found: Difference[] = [];
  let places: Place[] = [{ prefix: "", digest: theirRoot, here: { digest: ourRoot } }];
  while (places.length > 0) {
    const next: Place[] = [];
    for (let from = 0; from < places.length; from += ASK_MAX) {
      const batch = places.slice(from, from + ASK_MAX);
      const records = await ask(batch.map(({ prefix }) => prefix));
      for (const [i, place] of batch.entries())
        compareNodes(here, place, checkedSlots(engine, place, records[i]), found, next);
    }
    places = next;
  }
  return found.sort((a, b) => compareBytes(a.id, b.id));
}

function checkedSlots(engine: Engine, { prefix, digest }: Place, record: Uint8Array | undefined): Slot[] {
  if (record !== undefined && compareBytes(nodeDigest(engine, record), digest) === 0) {
    const slots = decodeNode(record, prefix);
    if (slots !== null) return slots;
  }
  throw new SelfsameError(
    "BAD_REMOTE",
    `expected the node "${prefix}" of the other library's tree, got something else`,
    "The other library may have changed: read its root again and compare again",
  );
}

function compareNodes(
  tree: MerkleTree,
  { prefix, here }: Place,
  theirs: readonly Slot[],
  found: Difference[],
  next: Place[],
): void {
  const ours = slotsHere(tree, prefix, here);
  for (const [digit, their] of theirs.entries()) {
    const our = ours[digit]!;
    const below = prefix + digit.toString(16);
    if (their !== null && !isLeaf(their)) {
      const isSame = our !== null && !isLeaf(our) && compareBytes(our.digest, their.digest) === 0;
      if (!isSame) next.push({ prefix: below, digest: their.digest, here: our });
    } else {
      const leaves = our === null ? [] : isLeaf(our) ? [our] : tree.leaves(below);
      compareLeaves(leaves, their, found);
    }
  }
}

/** Returns our node at this place. A leaf that is higher up here is moved down to it. */
function slotsHere(tree: MerkleTree, prefix: string, here: Slot): Slot[] {
  if (here !== null && !isLeaf(here)) return tree.slots(prefix);
  const slots = emptySlots();
  if (here !== null) slots[digitAt(here.id, prefix.length)] = here;
  return slots;
}

/** Compares any number of leaves here with one or none there. */
function compareLeaves(ours: Iterable<Leaf>, their: Leaf | null, found: Difference[]): void {
  let isThere = false;
  for (const { id, value } of ours) {
    const there = their !== null && compareBytes(id, their.id) === 0 ? their.value : null;
    isThere ||= there !== null;
    if (there === null || compareBytes(value, there) !== 0) found.push({ id, here: value, there });
  }
  if (their !== null && !isThere) found.push({ id: their.id, here: null, there: their.value });
}
