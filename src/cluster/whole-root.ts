import { fromHex, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { MerkleTree } from "../identity/root.ts";
import {
  decodeNode,
  digitAt,
  emptySlots,
  encodeNode,
  ID_DIGITS,
  isLeaf,
  nodeDigest,
  type Slot,
} from "../identity/tree-node.ts";

/** The nodes of a shard's tree that other shards may have a part in, by digits, as hexadecimal records. */
export type SharedNodes = Readonly<Record<string, string>>;

/** Returns those nodes: the ones above the shard's prefix, the root first. SPEC §29.3 */
export function sharedNodes(tree: MerkleTree, prefix: string): SharedNodes {
  const nodes: Record<string, string> = {};
  for (const digits of digitsAbove(prefix)) {
    const record = tree.node(digits);
    if (digits === "" || record.length > 0) nodes[digits] = toHex(record);
  }
  return nodes;
}

/** The digits of every node that has documents below the prefix and may have others. */
function digitsAbove(prefix: string): string[] {
  const count = prefix === "" ? 1 : Math.min(ID_DIGITS - 1, (prefix.length + 3) >> 2);
  return Array.from({ length: count }, (_, depth) =>
    Array.from({ length: depth }, (_, i) =>
      Number.parseInt(prefix.slice(4 * i, 4 * i + 4), 2).toString(16),
    ).join(""),
  );
}

/** Returns the root of all documents of some shards, none of which share a document, in hexadecimal. SPEC §29.3 */
export function wholeRoot(engine: Engine, shards: readonly SharedNodes[]): string {
  const slots = mergedSlots(
    engine,
    "",
    shards.map((nodes) => ({ nodes, slots: slotsAt(nodes, "") })),
  );
  return toHex(nodeDigest(engine, encodeNode(slots)));
}

/** What one shard has at a place of the tree. */
interface Part {
  readonly nodes: SharedNodes;
  readonly slots: readonly Slot[];
}

/** Returns the entries of the node that several shards have together. */
function mergedSlots(engine: Engine, digits: string, parts: readonly Part[]): Slot[] {
  return emptySlots().map((_, digit) => {
    const having = parts.filter(({ slots }) => slots[digit] !== null);
    if (having.length <= 1) return having[0]?.slots[digit] ?? null;
    const below = digits + digit.toString(16);
    const merged = mergedSlots(
      engine,
      below,
      having.map(({ nodes, slots }) => ({ nodes, slots: slotsBelow(nodes, below, slots[digit]!) })),
    );
    return { digest: nodeDigest(engine, encodeNode(merged)) };
  });
}

/** Returns the entries of a node; those of a single document are as if it had a node. */
function slotsBelow(nodes: SharedNodes, digits: string, slot: NonNullable<Slot>): readonly Slot[] {
  if (!isLeaf(slot)) return slotsAt(nodes, digits);
  if (digits.length >= ID_DIGITS) throw badNodes(digits);
  const slots = emptySlots();
  slots[digitAt(slot.id, digits.length)] = slot;
  return slots;
}

function slotsAt(nodes: SharedNodes, digits: string): Slot[] {
  const record = Object.hasOwn(nodes, digits) ? nodes[digits] : undefined;
  const isHex = typeof record === "string" && /^([0-9a-f]{2})*$/.test(record);
  const slots = isHex ? decodeNode(fromHex(record), digits) : null;
  if (slots === null) throw badNodes(digits);
  return slots;
}

function badNodes(digits: string): SelfsameError {
  return new SelfsameError(
    "BAD_SHARD",
    `expected a shard's node at "${digits}", got other bytes`,
    "Build the shard again from its documents",
  );
}
