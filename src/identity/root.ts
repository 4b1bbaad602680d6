import { DIGEST_BYTES, ID_BYTES } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import {
  compareBytes,
  decodeNode,
  digitAt,
  emptySlots,
  encodeNode,
  isLeaf,
  isSingle,
  type Leaf,
  nodeDigest,
  SLOTS,
  type Slot,
} from "./tree-node.ts";

/** Storage for a tree's nodes: bytes by prefix, which is lower-case hexadecimal digits, "" for the root. */
export interface NodeStore {
  /** Returns bytes that do not change afterwards. */
  get(prefix: string): Uint8Array | null | undefined;
  set(prefix: string, record: Uint8Array): void;
  delete(prefix: string): void;
}

/** A document's new value (32 bytes), or null if it is removed. */
export interface Change {
  readonly id: Uint8Array;
  readonly value: Uint8Array | null;
}

/**
 * A Merkle tree over 16-byte ids: a function of the set of (id, value), whatever the history. A change reads and writes
 * the nodes on the path to it, about log₁₆ of the number of documents. SPEC §13.2
 */
export class MerkleTree {
  readonly #engine: Engine;
  readonly #store: NodeStore;

  constructor(engine: Engine, store: NodeStore) {
    this.#engine = engine;
    this.#store = store;
  }

  /** Returns the 32 bytes that identify the whole set. */
  root(): Uint8Array<ArrayBuffer> {
    return nodeDigest(this.#engine, this.node(""));
  }

  /** Returns the record of a node, for a device that compares; empty if there is no such node. */
  node(prefix: string): Uint8Array {
    return this.#store.get(prefix) ?? new Uint8Array(0);
  }

  /** Returns the slots of an existing node. */
  slots(prefix: string): Slot[] {
    const slots = decodeNode(this.node(prefix), prefix);
    if (slots !== null) return slots;
    throw new SelfsameError(
      "DATABASE_CORRUPT",
      `expected a node of the Merkle tree at "${prefix}", got other bytes`,
      "Restore a backup, or move the file away and index again",
    );
  }

  /** Returns the value of a document, or null if it is not in the set. */
  get(id: Uint8Array): Uint8Array | null {
    let prefix = "";
    for (;;) {
      const digit = digitAt(id, prefix.length);
      const slot = this.slots(prefix)[digit]!;
      if (isLeaf(slot)) return compareBytes(slot.id, id) === 0 ? slot.value : null;
      if (slot === null) return null;
      prefix += digit.toString(16);
    }
  }

  /** Yields every leaf below a node, by id ascending. */
  *leaves(prefix = ""): Generator<Leaf> {
    for (const [digit, slot] of this.slots(prefix).entries()) {
      if (isLeaf(slot)) yield slot;
      else if (slot !== null) yield* this.leaves(prefix + digit.toString(16));
    }
  }

  /** Applies the changes and returns the new root. Of two changes to the same document, the later one counts. */
  update(changes: Iterable<Change>): Uint8Array<ArrayBuffer> {
    const sorted = inOrder(changes);
    if (sorted.length > 0) {
      const slots = this.slots("");
      this.#change(slots, "", sorted, 0, sorted.length);
      this.#store.set("", encodeNode(slots));
    }
    return this.root();
  }

  /** Applies changes `[from, to)`, all below `prefix`, to its slots. */
  #change(slots: Slot[], prefix: string, changes: readonly Change[], from: number, to: number): void {
    for (let start = from; start < to; ) {
      const digit = digitAt(changes[start]!.id, prefix.length);
      let end = start + 1;
      while (end < to && digitAt(changes[end]!.id, prefix.length) === digit) end++;
      slots[digit] = this.#changed(slots[digit]!, prefix + digit.toString(16), changes, start, end);
      start = end;
    }
  }

  /** Returns what a slot becomes; `prefix` is that of the slot itself. */
  #changed(slot: Slot, prefix: string, changes: readonly Change[], from: number, to: number): Slot {
    if (slot === null || isLeaf(slot)) return this.#build(prefix, merged(slot, changes, from, to));
    const slots = this.slots(prefix);
    this.#change(slots, prefix, changes, from, to);
    if (!isSingle(slots)) return this.#write(prefix, slots);
    this.#store.delete(prefix);
    return slots.find((other) => other !== null) ?? null;
  }

  /** Returns the slot of a set of leaves below `prefix`, by id ascending, where there is no node yet. */
  #build(prefix: string, leaves: readonly Leaf[]): Slot {
    if (leaves.length <= 1) return leaves[0] ?? null;
    const slots = emptySlots();
    let start = 0;
    for (let digit = 0; digit < SLOTS; digit++) {
      let end = start;
      while (end < leaves.length && digitAt(leaves[end]!.id, prefix.length) === digit) end++;
      if (end > start) slots[digit] = this.#build(prefix + digit.toString(16), leaves.slice(start, end));
      start = end;
    }
    return this.#write(prefix, slots);
  }

  #write(prefix: string, slots: readonly Slot[]): Slot {
    const record = encodeNode(slots);
    this.#store.set(prefix, record);
    return { digest: nodeDigest(this.#engine, record) };
  }
}

/** Sorts by id and keeps one change per id. */
function inOrder(changes: Iterable<Change>): Change[] {
  const sorted = Array.from(changes, checked).sort((a, b) => compareBytes(a.id, b.id));
  return sorted.filter(
    (change, i) => i + 1 === sorted.length || compareBytes(change.id, sorted[i + 1]!.id) !== 0,
  );
}

function checked(change: Change): Change {
  const { id, value } = change;
  if (id.length === ID_BYTES && (value === null || value.length === DIGEST_BYTES)) return change;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected an id of ${ID_BYTES} bytes and a value of ${DIGEST_BYTES}, got ${id.length} and ${value?.length}`,
  );
}

/** Returns the leaf, if any, and the changes as one list, without those that are removed. */
function merged(leaf: Leaf | null, changes: readonly Change[], from: number, to: number): Leaf[] {
  const out: Leaf[] = [];
  let held = leaf;
  for (let i = from; i < to; i++) {
    const { id, value } = changes[i]!;
    if (held !== null) {
      const order = compareBytes(held.id, id);
      if (order < 0) out.push(held);
      if (order <= 0) held = null;
    }
    if (value !== null) out.push({ id, value });
  }
  if (held !== null) out.push(held);
  return out;
}

/** A tree's nodes in memory. */
export class MemoryNodes implements NodeStore {
  readonly #records = new Map<string, Uint8Array>();

  get size(): number {
    return this.#records.size;
  }

  get(prefix: string): Uint8Array | undefined {
    return this.#records.get(prefix);
  }

  set(prefix: string, record: Uint8Array): void {
    this.#records.set(prefix, record);
  }

  delete(prefix: string): void {
    this.#records.delete(prefix);
  }
}
