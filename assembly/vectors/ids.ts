/**
 * The ids of an index: 16 bytes each, in records of 32, found through a hash table and chained per node. The order of a
 * chain depends on history; code that outputs ids sorts them.
 *
 *     record  ┌ id 16 ┬ node 4 ┬ next of node 4 ┬ previous of node 4 ┬ next of bucket 4 ┐
 *             0       16       20               24                   28                32
 */
import { alloc, failed_allocs } from "../memory";
import { BLOCK_BITS, BLOCK_SLOTS, BLOCKS_MAX, first_id_of, NONE, set_first_id } from "./nodes";

/** Records below this number have been used before. */
export let ids_used: u32 = 0;
/** How many ids are held now. */
export let id_count: u32 = 0;
let free_record: u32 = NONE;
let blocks: u32 = 0;
let table: usize = 0; // (BLOCKS_MAX) pointers
let heads: usize = 0; // (head_count) records
let head_count: u32 = 0;

/** Empties everything; false if memory is short. */
export function ids_reset(): bool {
  ids_used = id_count = blocks = 0;
  free_record = NONE;
  head_count = 1024;
  const failed = failed_allocs;
  table = alloc((<usize>BLOCKS_MAX) << 2);
  heads = alloc((<usize>head_count) << 2);
  if (failed_allocs != failed) return false;
  memory.fill(heads, 0xff, (<usize>head_count) << 2);
  return true;
}

/** Returns the address of record number `record`; it starts with the id. */
export function id_at(record: u32): usize {
  return load<u32>(table + ((<usize>record >> BLOCK_BITS) << 2)) + ((<usize>record & (BLOCK_SLOTS - 1)) << 5);
}

/** Returns the node that carries the id; NONE for a free record. */
export function id_node(record: u32): u32 {
  return load<u32>(id_at(record), 16);
}

/** Returns the next id of the same node, or NONE. */
export function id_next(record: u32): u32 {
  return load<u32>(id_at(record), 20);
}

/** Returns whether a precedes b, ascending as unsigned bytes. SPEC §10.2 */
export function id_precedes(a: u32, b: u32): bool {
  return bytes16_less(id_at(a), id_at(b));
}

export function bytes16_less(a: usize, b: usize): bool {
  const x = bswap<u64>(load<u64>(a));
  const y = bswap<u64>(load<u64>(b));
  if (x != y) return x < y;
  return bswap<u64>(load<u64>(a, 8)) < bswap<u64>(load<u64>(b, 8));
}

/** Reserves space for `more` ids; false if memory or numbers run out, and then nothing has changed. */
export function ids_reserve(more: u32): bool {
  if (<u64>ids_used + more > (<u64>BLOCKS_MAX) << BLOCK_BITS) return free_record != NONE && more == 1;
  while (<u64>ids_used + more > (<u64>blocks) << BLOCK_BITS) {
    if (free_record != NONE && more == 1) return true;
    const block = alloc((<usize>BLOCK_SLOTS) << 5);
    if (block == 0) return false;
    store<u32>(table + ((<usize>blocks) << 2), <u32>block);
    blocks++;
  }
  if (id_count + more > head_count) grow_heads(id_count + more);
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
  for (let record: u32 = 0; record < ids_used; record++) if (id_node(record) != NONE) hash_in(record);
}

/** Any hash works: it decides where a record is looked up, nothing else. */
function head_of(id: usize): usize {
  let x = (load<u64>(id) ^ rotl<u64>(load<u64>(id, 8), 29)) * 0x9e3779b97f4a7c15;
  x ^= x >> 32;
  return heads + ((<usize>x & (head_count - 1)) << 2);
}

function hash_in(record: u32): void {
  const at = id_at(record);
  const head = head_of(at);
  store<u32>(at, load<u32>(head), 28);
  store<u32>(head, record);
}

/** Returns the record of the 16 bytes at id, or NONE. */
export function id_find(id: usize): u32 {
  let record = load<u32>(head_of(id));
  while (record != NONE) {
    const at = id_at(record);
    if (load<u64>(at) == load<u64>(id) && load<u64>(at, 8) == load<u64>(id, 8)) return record;
    record = load<u32>(at, 28);
  }
  return NONE;
}

/** Adds an id that is not held yet to the node. Space must have been reserved. */
export function id_add(id: usize, node: u32): void {
  let record = free_record;
  if (record != NONE) free_record = id_next(record);
  else record = ids_used++;
  const at = id_at(record);
  memory.copy(at, id, 16);
  const next = first_id_of(node);
  store<u32>(at, node, 16);
  store<u32>(at, next, 20);
  store<u32>(at, NONE, 24);
  if (next != NONE) store<u32>(id_at(next), record, 24);
  set_first_id(node, record);
  hash_in(record);
  id_count++;
}

export function id_remove(record: u32): void {
  const at = id_at(record);
  const next = load<u32>(at, 20);
  const previous = load<u32>(at, 24);
  if (previous != NONE) store<u32>(id_at(previous), next, 20);
  else set_first_id(id_node(record), next);
  if (next != NONE) store<u32>(id_at(next), previous, 24);

  let link = head_of(at);
  while (load<u32>(link) != record) link = id_at(load<u32>(link)) + 28;
  store<u32>(link, load<u32>(at, 28));

  store<u32>(at, NONE, 16);
  store<u32>(at, free_record, 20);
  free_record = record;
  id_count--;
}
