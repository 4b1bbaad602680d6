/**
 * One node of a Merkle tree: 16 slots, one for each next hexadecimal digit of the ids below it. SPEC §13.1
 *
 *     record = for each slot that is not empty, digit ascending:
 *       ┌ 1    digit, + 16 if it is a leaf
 *       └ 32   node: its digest          or   48   leaf: id (16) · value (32)
 */
import { DIGEST_BYTES, ID_BYTES } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { tagField, taggedHash } from "./tagged-hash.ts";

export interface Leaf {
  readonly id: Uint8Array;
  readonly value: Uint8Array;
}

/** A node further down, identified by its digest. */
export interface Branch {
  readonly digest: Uint8Array;
}

export type Slot = Leaf | Branch | null;

export const SLOTS = 16;
export const ID_DIGITS = 32;

const LEAF_FLAG = 16;
const NODE = tagField("node");

export function isLeaf(slot: Slot): slot is Leaf {
  return slot !== null && "id" in slot;
}

/** Returns the digit of an id at a depth, 0 to 15; the first is the high half of the first byte. */
export function digitAt(id: Uint8Array, depth: number): number {
  const byte = id[depth >> 1]!;
  return depth % 2 === 0 ? byte >> 4 : byte & 15;
}

export function emptySlots(): Slot[] {
  return new Array<Slot>(SLOTS).fill(null);
}

export function encodeNode(slots: readonly Slot[]): Uint8Array<ArrayBuffer> {
  let size = 0;
  for (const slot of slots)
    if (slot !== null) size += 1 + (isLeaf(slot) ? ID_BYTES + DIGEST_BYTES : DIGEST_BYTES);
  const record = new Uint8Array(size);
  let at = 0;
  for (const [digit, slot] of slots.entries()) {
    if (slot === null) continue;
    record[at++] = isLeaf(slot) ? digit + LEAF_FLAG : digit;
    for (const part of isLeaf(slot) ? [slot.id, slot.value] : [slot.digest]) {
      record.set(part, at);
      at += part.length;
    }
  }
  return record;
}

/** Returns the slots of the node with this prefix, or null for bytes that no set of documents gives. */
export function decodeNode(record: Uint8Array, prefix: string): Slot[] | null {
  const slots = emptySlots();
  let last = -1;
  let at = 0;
  while (at < record.length) {
    const head = record[at++]!;
    const digit = head & 15;
    const isLeafSlot = (head & LEAF_FLAG) !== 0;
    const size = isLeafSlot ? ID_BYTES + DIGEST_BYTES : DIGEST_BYTES;
    if (head >= 2 * LEAF_FLAG || digit <= last || at + size > record.length) return null;
    const body = record.subarray(at, at + size);
    const slot = isLeafSlot
      ? { id: body.subarray(0, ID_BYTES), value: body.subarray(ID_BYTES) }
      : { digest: body };
    if (isLeaf(slot) ? !isBelow(slot.id, prefix, digit) : prefix.length + 1 >= ID_DIGITS) return null;
    slots[digit] = slot;
    last = digit;
    at += size;
  }
  return prefix === "" || !isSingle(slots) ? slots : null;
}

/** Returns whether a node below the root would hold fewer than two documents: there is no such node. */
export function isSingle(slots: readonly Slot[]): boolean {
  const filled = slots.filter((slot) => slot !== null);
  return filled.length === 0 || (filled.length === 1 && isLeaf(filled[0]!));
}

export function nodeDigest(engine: Engine, record: Uint8Array): Uint8Array<ArrayBuffer> {
  return taggedHash(engine, NODE, [record]);
}

/** Compares bytes as unsigned numbers. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

function isBelow(id: Uint8Array, prefix: string, digit: number): boolean {
  for (let i = 0; i < prefix.length; i++)
    if (Number.parseInt(prefix[i]!, 16) !== digitAt(id, i)) return false;
  return digitAt(id, prefix.length) === digit;
}
