/**
 * Nodes: the distinct vectors, each in a slot. Slots live in blocks of 1,024 that never move, so growth copies nothing.
 * A freed slot is reused. A slot's number depends on history and never appears in a result. SPEC §10.3
 *
 *     block   ┌ LABEL   32 × 1024 ┐  h as a native u64, then bytes 8…31 of the vector's BLAKE3 digest
 *             │ LEVEL    1 × 1024 │  0…6, or FREE
 *             │ FIRST_ID 4 × 1024 │  first record of the node's ids (ids.ts); of a free slot: the next free one
 *             │ BUCKET   4 × 1024 │  next slot in the same bucket
 *             └ vectors bytes × 1024
 */
import { blake3 } from "../hash/blake3";
import { alloc, failed_allocs } from "../memory";

export const NONE: u32 = 0xffffffff;
export const FREE: u32 = 255;
export const BLOCK_BITS: u32 = 10;
export const BLOCK_SLOTS: u32 = 1024;
/** The most blocks of slots, and of ids: 4,194,304 of each. */
export const BLOCKS_MAX: u32 = 4096;

const LEVEL_MAX: u32 = 6;
const LINE: usize = 64; // bytes of a cache line: a vector of 768 bytes spans 12 if it starts with one, else 13
const LABEL: usize = 0;
const LEVEL: usize = 32 * 1024;
const FIRST_ID: usize = 33 * 1024;
const BUCKET: usize = 37 * 1024;
const VECTORS: usize = 41 * 1024;

/** Bytes per vector. */
export let vector_bytes: usize = 0;
/** Slots below this number have been used before. */
export let slots_used: u32 = 0;
/** How many slots are in use now. */
export let node_count: u32 = 0;
let free_slot: u32 = NONE;
let blocks: u32 = 0;
let table: usize = 0; // (BLOCKS_MAX) pointers
let heads: usize = 0; // (head_count) slots, by the low bits of h
let head_count: u32 = 0;

/** Empties everything; false if memory is short. */
export function nodes_reset(bytes: usize): bool {
  vector_bytes = bytes;
  slots_used = node_count = blocks = 0;
  free_slot = NONE;
  head_count = 1024;
  const failed = failed_allocs;
  table = alloc((<usize>BLOCKS_MAX) << 2);
  heads = alloc((<usize>head_count) << 2);
  if (failed_allocs != failed) return false;
  memory.fill(heads, 0xff, (<usize>head_count) << 2);
  return true;
}

function block_of(slot: u32): usize {
  return load<u32>(table + ((<usize>slot >> BLOCK_BITS) << 2));
}

function within(slot: u32): usize {
  return <usize>slot & (BLOCK_SLOTS - 1);
}

export function vector_of(slot: u32): usize {
  return block_of(slot) + VECTORS + within(slot) * vector_bytes;
}

export function label_of(slot: u32): usize {
  return block_of(slot) + LABEL + (within(slot) << 5);
}

export function h_of(slot: u32): u64 {
  return load<u64>(label_of(slot));
}

export function level_of(slot: u32): u32 {
  return <u32>load<u8>(block_of(slot) + LEVEL + within(slot));
}

export function is_free(slot: u32): bool {
  return level_of(slot) == FREE;
}

export function first_id_of(slot: u32): u32 {
  return load<u32>(block_of(slot) + FIRST_ID + (within(slot) << 2));
}

export function set_first_id(slot: u32, record: u32): void {
  store<u32>(block_of(slot) + FIRST_ID + (within(slot) << 2), record);
}

function bucket_next(slot: u32): usize {
  return block_of(slot) + BUCKET + (within(slot) << 2);
}

export function level_of_h(h: u64): u32 {
  return min<u32>(LEVEL_MAX, <u32>(clz(h) >> 2));
}

/** Returns whether a precedes b in priority: h, then the bytes of the vectors. SPEC §10.3 */
export function precedes(a: u32, b: u32): bool {
  const x = h_of(a);
  const y = h_of(b);
  if (x != y) return x < y;
  return memory.compare(vector_of(a), vector_of(b), vector_bytes) < 0;
}

/** Reserves space for `more` nodes; false if memory or numbers run out, and then nothing has changed. */
export function nodes_reserve(more: u32): bool {
  if (<u64>slots_used + more > (<u64>BLOCKS_MAX) << BLOCK_BITS) return free_slot != NONE && more == 1;
  while (<u64>slots_used + more > (<u64>blocks) << BLOCK_BITS) {
    if (free_slot != NONE && more == 1) return true;
    const room = alloc(VECTORS + (vector_bytes << BLOCK_BITS) + LINE - 16);
    if (room == 0) return false;
    const block = (room + LINE - 1) & ~(LINE - 1);
    memory.fill(block + LEVEL, <u8>FREE, BLOCK_SLOTS);
    store<u32>(table + ((<usize>blocks) << 2), <u32>block);
    blocks++;
  }
  if (node_count + more > head_count) grow_heads(node_count + more);
  return true;
}

/** Adds heads, so that buckets stay short. Without memory for them buckets grow longer, and everything still works. */
function grow_heads(wanted: u32): void {
  let count = head_count;
  while (count < wanted) count <<= 2;
  const at = alloc((<usize>count) << 2);
  if (at == 0) return;
  memory.fill(at, 0xff, (<usize>count) << 2);
  heads = at;
  head_count = count;
  for (let slot: u32 = 0; slot < slots_used; slot++) if (!is_free(slot)) hash_in(slot);
}

function head_of(h: u64): usize {
  return heads + ((<usize>h & (head_count - 1)) << 2);
}

function hash_in(slot: u32): void {
  const head = head_of(h_of(slot));
  store<u32>(bucket_next(slot), load<u32>(head));
  store<u32>(head, slot);
}

/** label (32 bytes) = the digest of a vector, with its first eight bytes as a native number. */
export function label_vector(label: usize, vector: usize): void {
  blake3(label, vector, vector_bytes);
  label_from_digest(label);
}

/** Converts a digest to a label in place, and a label to a digest. */
export function label_from_digest(label: usize): void {
  store<u64>(label, bswap<u64>(load<u64>(label)));
}

/** Returns the node that holds this vector, or NONE. */
export function node_find(label: usize, vector: usize): u32 {
  const h = load<u64>(label);
  let slot = load<u32>(head_of(h));
  while (slot != NONE) {
    if (h_of(slot) == h && memory.compare(vector_of(slot), vector, vector_bytes) == 0) return slot;
    slot = load<u32>(bucket_next(slot));
  }
  return NONE;
}

/** Takes a slot for a vector that no node holds yet, and fills it in. Space must have been reserved. */
export function node_take(label: usize, vector: usize): u32 {
  let slot = free_slot;
  if (slot != NONE) free_slot = first_id_of(slot);
  else slot = slots_used++;
  memory.copy(vector_of(slot), vector, vector_bytes);
  memory.copy(label_of(slot), label, 32);
  node_enter(slot);
  return slot;
}

/** Adopts the next slot, whose vector and label are already in place (load.ts, bulk.ts). */
export function node_adopt(): u32 {
  const slot = slots_used++;
  node_enter(slot);
  return slot;
}

function node_enter(slot: u32): void {
  store<u8>(block_of(slot) + LEVEL + within(slot), level_of_h(h_of(slot)));
  set_first_id(slot, NONE);
  hash_in(slot);
  node_count++;
}

export function node_release(slot: u32): void {
  let at = head_of(h_of(slot));
  while (load<u32>(at) != slot) at = bucket_next(load<u32>(at));
  store<u32>(at, load<u32>(bucket_next(slot)));
  store<u8>(block_of(slot) + LEVEL + within(slot), FREE);
  set_first_id(slot, free_slot);
  free_slot = slot;
  node_count--;
}
