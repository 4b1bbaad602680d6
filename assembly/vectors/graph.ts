/**
 * Where the graph of a node is stored, in blocks beside those of nodes.ts. Lists hold slots. Adj is what a search
 * follows and what the canonical bytes contain; the rest is a cache that makes updates cheap. SPEC §10.4, §10.5
 *
 *     block   ┌ ADJ     144 × 1024 ┐  count, then up to 35 slots: Adj at level 0
 *             └ UPPER     4 × 1024 ┘  the record of a node above level 0
 *
 *     cache   ┌ LIST    512 × 1024 ┐  up to 128 slots: Cand and its slack, in the order around the node (cand.ts)
 *             │ OUT      80 × 1024 │  up to 20 slots: Out
 *             │ FIELDS   40 × 1024 │  ten numbers, below
 *             └ CHUNKS   32 × 3950 ┘  for incoming edges: next chunk, then 7 slots
 *
 * An index that is only searched has no cache.
 *
 *     upper   48 × 6, for nodes above level 0: per level count, then up to 11 slots
 */
import { alloc } from "../memory";
import { BLOCK_BITS, BLOCK_SLOTS, BLOCKS_MAX, level_of, NONE } from "./nodes";

export const C: u32 = 96;
export const M: u32 = 20;
export const MMAX_0: u32 = 32;
export const MMAX: u32 = 8;
/** The most entries of a list: C plus the slack. */
export const LIST_MAX: u32 = 128;

const ADJ: usize = 0;
const UPPER: usize = 144 * 1024;
const BLOCK_BYTES: usize = 148 * 1024;

const LIST: usize = 0;
const OUT: usize = 512 * 1024;
const FIELDS: usize = 592 * 1024;
const CHUNKS: usize = 632 * 1024;

// Every node has at most 20 outgoing edges and one chunk that is not full, so this many chunks always suffice.
const CHUNK_SLOTS: u32 = 7;
const CHUNK_COUNT: u32 = 3950; // ⌈1024 · 20 / 7⌉ + 1024
const UPPER_BYTES: usize = 48 * 6;
const UPPER_COUNT: u32 = 64; // records in one allocation

// Fields, by offset.
export const LIST_COUNT: usize = 0;
export const THRESHOLD: usize = 4; // i32: see cand.ts
export const OUT_COUNT: usize = 8;
export const IN_COUNT: usize = 12;
const IN_HEAD: usize = 16;
export const NEAR: usize = 20;
export const FIRST_CHILD: usize = 24;
export const NEXT_SIBLING: usize = 28;
export const PREVIOUS_SIBLING: usize = 32;
/** How many of OUT were kept by Select; they come first, in order. NONE: unknown, and so is the order. */
export const OUT_KEPT: usize = 36;
const FIELD_BYTES: usize = 40;

/** Whether this index keeps a graph. */
export let has_graph: bool = false;
let blocks: u32 = 0;
let table: usize = 0;
let cache_blocks: u32 = 0;
let cache_table: usize = 0;
let free_chunk: usize = 0;
let chunks_used: u32 = 0; // chunks below this number have been used before
let free_upper: usize = 0;
let uppers_free: u32 = 0;
let upper_blocks: usize = 0; // the last allocation of upper records; each starts with a pointer to the one before it

export function graph_reset(): void {
  has_graph = false;
  blocks = cache_blocks = 0;
  table = cache_table = free_chunk = free_upper = upper_blocks = 0;
  chunks_used = uppers_free = 0;
}

/** Returns roughly what levels_reserve takes for this many slots: one in 16 is above level 0. */
export function levels_bytes(slots: u32): usize {
  const blocks = <usize>((slots + BLOCK_SLOTS - 1) >> BLOCK_BITS);
  return blocks * BLOCK_BYTES + (<usize>slots * UPPER_BYTES) / 15;
}

/** Reserves space for slots 0 … slots−1 and `uppers` more nodes above level 0; false if memory is short. */
export function graph_reserve(slots: u32, uppers: u32): bool {
  return levels_reserve(slots, uppers) && cache_reserve(slots);
}

/** Reserves what an update needs in addition to what a search needs. */
export function cache_reserve(slots: u32): bool {
  if (cache_table == 0) {
    cache_table = alloc((<usize>BLOCKS_MAX) << 2);
    if (cache_table == 0) return false;
  }
  while (<u64>slots > (<u64>cache_blocks) << BLOCK_BITS) {
    const block = alloc(CHUNKS + ((<usize>CHUNK_COUNT) << 5));
    if (block == 0) return false;
    store<u32>(cache_table + ((<usize>cache_blocks) << 2), <u32>block);
    cache_blocks++;
  }
  return true;
}

/** Reserves what a search needs. */
export function levels_reserve(slots: u32, uppers: u32): bool {
  if (table == 0) {
    table = alloc((<usize>BLOCKS_MAX) << 2);
    if (table == 0) return false;
  }
  while (<u64>slots > (<u64>blocks) << BLOCK_BITS) {
    const block = alloc(BLOCK_BYTES);
    if (block == 0) return false;
    store<u32>(table + ((<usize>blocks) << 2), <u32>block);
    blocks++;
  }
  while (uppers_free < uppers) {
    const block = alloc(16 + UPPER_BYTES * <usize>UPPER_COUNT);
    if (block == 0) return false;
    store<u32>(block, <u32>upper_blocks);
    upper_blocks = block;
    release_uppers(block);
  }
  return true;
}

/** Frees all space for reuse. */
export function graph_clear(): void {
  has_graph = false;
  chunks_clear();
  free_upper = 0;
  uppers_free = 0;
  for (let block = upper_blocks; block != 0; block = <usize>load<u32>(block)) release_uppers(block);
}

/** Clears the incoming edges of all nodes. */
export function chunks_clear(): void {
  free_chunk = 0;
  chunks_used = 0;
}

/** From now on, the graph is kept up to date. */
export function graph_ready(): void {
  has_graph = true;
}

function release_uppers(block: usize): void {
  for (let i: u32 = 0; i < UPPER_COUNT; i++) upper_release(block + 16 + <usize>i * UPPER_BYTES);
}

/** Takes a returned chunk, or the next one never used: pages that nobody needs stay untouched. */
function chunk_take(): usize {
  const chunk = free_chunk;
  if (chunk != 0) {
    free_chunk = <usize>load<u32>(chunk);
    return chunk;
  }
  const block = <usize>load<u32>(cache_table + ((<usize>(chunks_used / CHUNK_COUNT)) << 2));
  return block + CHUNKS + ((<usize>(chunks_used++ % CHUNK_COUNT)) << 5);
}

function chunk_release(chunk: usize): void {
  store<u32>(chunk, <u32>free_chunk);
  free_chunk = chunk;
}

function upper_release(record: usize): void {
  store<u32>(record, <u32>free_upper);
  free_upper = record;
  uppers_free++;
}

function block_of(slot: u32): usize {
  return load<u32>(table + ((<usize>slot >> BLOCK_BITS) << 2));
}

function cache_of(slot: u32): usize {
  return load<u32>(cache_table + ((<usize>slot >> BLOCK_BITS) << 2));
}

function upper_of(slot: u32): usize {
  return block_of(slot) + UPPER + (within(slot) << 2);
}

function within(slot: u32): usize {
  return <usize>slot & (BLOCK_SLOTS - 1);
}

/** Returns the address of a count followed by slots; at most Mmax + 3 slots. */
export function adjacency_of(slot: u32, level: u32): usize {
  if (level == 0) return block_of(slot) + ADJ + within(slot) * 144;
  return <usize>load<u32>(upper_of(slot)) + 48 * (<usize>level - 1);
}

export function list_of(slot: u32): usize {
  return cache_of(slot) + LIST + (within(slot) << 9);
}

export function out_of(slot: u32): usize {
  return cache_of(slot) + OUT + within(slot) * 80;
}

export function get(slot: u32, field: usize): u32 {
  return load<u32>(cache_of(slot) + FIELDS + within(slot) * FIELD_BYTES + field);
}

export function set(slot: u32, field: usize, value: u32): void {
  store<u32>(cache_of(slot) + FIELDS + within(slot) * FIELD_BYTES + field, value);
}

/** Adds a node without edges. Space must have been reserved. */
export function graph_enter(slot: u32): void {
  graph_enter_levels(slot);
  graph_enter_fields(slot);
}

/** Adds what a search needs: empty adjacency at all levels. */
export function graph_enter_levels(slot: u32): void {
  store<u32>(adjacency_of(slot, 0), 0);
  const levels = level_of(slot);
  if (levels == 0) return;
  const record = free_upper;
  free_upper = load<u32>(record);
  uppers_free--;
  store<u32>(upper_of(slot), <u32>record);
  for (let level: u32 = 1; level <= levels; level++) store<u32>(adjacency_of(slot, level), 0);
}

/** Adds what an update needs in addition. */
export function graph_enter_fields(slot: u32): void {
  set(slot, LIST_COUNT, 0);
  set(slot, OUT_COUNT, 0);
  set(slot, OUT_KEPT, 0);
  set(slot, IN_COUNT, 0);
  set(slot, IN_HEAD, 0);
  set(slot, NEAR, NONE);
  set(slot, FIRST_CHILD, NONE);
  set(slot, NEXT_SIBLING, NONE);
  set(slot, PREVIOUS_SIBLING, NONE);
}

/** Returns what graph_enter took. Nothing may point to the node any more. */
export function graph_leave(slot: u32): void {
  assert(get(slot, IN_COUNT) == 0);
  if (level_of(slot) > 0) upper_release(<usize>load<u32>(upper_of(slot)));
}

/** Copies { y : slot ∈ Out(y), y in `level` } to `to`, in no particular order; returns the count. */
export function incoming(to: usize, slot: u32, level: u32): u32 {
  const begin = to;
  let left = get(slot, IN_COUNT);
  let chunk = <usize>get(slot, IN_HEAD);
  let here: u32 = left == 0 ? 0 : ((left - 1) % CHUNK_SLOTS) + 1; // only the first chunk may be partly filled
  while (left > 0) {
    for (let i: u32 = 0; i < here; i++) {
      const y = load<u32>(chunk + ((<usize>i) << 2), 4);
      if (level > 0 && level_of(y) < level) continue;
      store<u32>(to, y);
      to += 4;
    }
    left -= here;
    here = CHUNK_SLOTS;
    chunk = <usize>load<u32>(chunk);
  }
  return <u32>((to - begin) >> 2);
}

/** Records that slot ∈ Out(y). */
export function incoming_add(slot: u32, y: u32): void {
  const count = get(slot, IN_COUNT);
  const place = count % CHUNK_SLOTS;
  let head = <usize>get(slot, IN_HEAD);
  if (place == 0) {
    const chunk = chunk_take();
    store<u32>(chunk, <u32>head);
    head = chunk;
    set(slot, IN_HEAD, <u32>head);
  }
  store<u32>(head + ((<usize>place) << 2), y, 4);
  set(slot, IN_COUNT, count + 1);
}

/** Records that slot is no longer in Out(y): the last entry of the first chunk takes its place. */
export function incoming_remove(slot: u32, y: u32): void {
  const count = get(slot, IN_COUNT);
  const head = <usize>get(slot, IN_HEAD);
  const last = (count - 1) % CHUNK_SLOTS;
  let chunk = head;
  let left = count;
  let here = last + 1;
  while (left > 0) {
    for (let i: u32 = 0; i < here; i++) {
      const at = chunk + ((<usize>i) << 2);
      if (load<u32>(at, 4) != y) continue;
      store<u32>(at, load<u32>(head + ((<usize>last) << 2), 4), 4);
      set(slot, IN_COUNT, count - 1);
      if (last == 0) {
        set(slot, IN_HEAD, load<u32>(head));
        chunk_release(head);
      }
      return;
    }
    left -= here;
    here = CHUNK_SLOTS;
    chunk = <usize>load<u32>(chunk);
  }
  assert(false);
}
