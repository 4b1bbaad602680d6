import type { Engine } from "../engine/engine.ts";
import { utf8 } from "../text/canonical.ts";
import { isBelow } from "../vectors/prefix.ts";
import type { MerkleTree } from "./root.ts";
import { tagField, taggedHash } from "./tagged-hash.ts";
import { encodeNode, isLeaf, type Slot } from "./tree-node.ts";

const SUBTREE = tagField("subtree");

/**
 * Returns 32 bytes that name the documents below a bit prefix, a text of `0` and `1`: equal exactly if the documents
 * are. It costs a few nodes. SPEC §13.4
 */
export function subtreeDigest(engine: Engine, tree: MerkleTree, prefix: string): Uint8Array<ArrayBuffer> {
  return taggedHash(engine, SUBTREE, [utf8(prefix), encodeNode(slotsBelow(tree, prefix))]);
}

/** Returns the slots of the node at the prefix's whole digits, without those that are not below the prefix. */
function slotsBelow(tree: MerkleTree, prefix: string): Slot[] {
  const digits = Math.min(31, prefix.length >> 2); // no node is deeper
  let slots = tree.slots("");
  let at = "";
  for (let depth = 0; depth < digits; depth++) {
    const digit = Number.parseInt(prefix.slice(depth * 4, depth * 4 + 4), 2);
    const slot = slots[digit]!;
    // One document or none: there is no node further down.
    if (slot === null || isLeaf(slot)) return slots.map((_, i) => (i === digit ? below(slot, prefix) : null));
    at += digit.toString(16);
    slots = tree.slots(at);
  }
  const rest = prefix.slice(digits * 4);
  return slots.map((slot, digit) =>
    isLeaf(slot)
      ? below(slot, prefix)
      : digit.toString(2).padStart(4, "0").startsWith(rest.slice(0, 4))
        ? slot
        : null,
  );
}

function below(slot: Slot, prefix: string): Slot {
  return isLeaf(slot) && isBelow(slot.id, prefix) ? slot : null;
}
