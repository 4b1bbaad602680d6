import { isBelow } from "../vectors/prefix.ts";
import type { MerkleTree } from "./root.ts";
import { isLeaf, type Leaf } from "./tree-node.ts";

/** Yields the documents below a bit prefix, by id ascending. SPEC §13.4 */
export function* leavesBelow(tree: MerkleTree, prefix: string, digits = ""): Generator<Leaf> {
  for (const [digit, slot] of tree.slots(digits).entries()) {
    if (slot === null) continue;
    if (isLeaf(slot)) {
      if (isBelow(slot.id, prefix)) yield slot;
      continue;
    }
    const bits = digit.toString(2).padStart(4, "0");
    const wanted = prefix.slice(4 * digits.length, 4 * digits.length + 4);
    if (bits.startsWith(wanted)) yield* leavesBelow(tree, prefix, digits + digit.toString(16));
  }
}
