/**
 * Writes the canonical bytes of an index, and the pieces of a snapshot. Ranks must have been made. SPEC §10.6, §10.8
 */
import { alloc, memory_mark, memory_release } from "../memory";
import {
  adjacency_of,
  C,
  get,
  has_graph,
  LIST_COUNT,
  LIST_MAX,
  list_of,
  M,
  MMAX,
  MMAX_0,
  OUT_COUNT,
  out_of,
} from "./graph";
import { BY_ID, entry_of, heap_offer, heap_sort, number_of } from "./heap";
import { id_at, id_count, id_next } from "./ids";
import { first_id_of, label_from_digest, label_of, level_of, NONE, vector_bytes, vector_of } from "./nodes";
import { rank_of, ranks_count, slot_at } from "./ranks";

/** "SELFHNSW" as a little-endian number. */
export const MAGIC: u64 = 0x57534e48464c4553;
export const HEADER: usize = 32;

/** Returns how many bytes save_canonical writes. */
export function canonical_bytes(): usize {
  const n = ranks_count();
  let bytes = HEADER + <usize>n * 36 + ((<usize>id_count) << 4);
  if (!has_graph) return bytes;
  for (let rank: u32 = 0; rank < n; rank++) {
    const x = slot_at(rank);
    const levels = level_of(x);
    for (let level: u32 = 0; level <= levels; level++) {
      bytes += 4 + ((<usize>load<u32>(adjacency_of(x, level))) << 2);
    }
  }
  return bytes;
}

/** out (canonical_bytes) = the canonical bytes; false if memory is short. SPEC §10.6 */
export function save_canonical(out: usize): bool {
  const n = ranks_count();
  save_header(out, n);
  save_digests(out + HEADER);
  let at = out + HEADER + ((<usize>n) << 5);
  let ids_at = at + ((<usize>n) << 2);
  for (let rank: u32 = 0; rank < n; rank++, at += 4) {
    const count = save_ids(ids_at, slot_at(rank));
    if (count == 0) return false;
    store<u32>(at, count);
    ids_at += (<usize>count) << 4;
  }
  if (!has_graph) return true;
  at = ids_at;
  for (let rank: u32 = 0; rank < n; rank++) {
    const x = slot_at(rank);
    const levels = level_of(x);
    for (let level: u32 = 0; level <= levels; level++) at = save_adjacency(at, adjacency_of(x, level));
  }
  return true;
}

/** out (32 · n) = the digests of all nodes, rank ascending. */
export function save_digests(out: usize): void {
  const n = ranks_count();
  for (let rank: u32 = 0; rank < n; rank++, out += 32) {
    memory.copy(out, label_of(slot_at(rank)), 32);
    label_from_digest(out);
  }
}

function save_header(out: usize, n: u32): void {
  store<u64>(out, MAGIC);
  store<u32>(out, has_graph ? 1 : 0, 8);
  store<u32>(out, <u32>(vector_bytes >> 1), 12);
  store<u32>(out, n, 16);
  store<u32>(out, id_count, 20);
  store<u16>(out, C, 24);
  store<u16>(out, M, 26);
  store<u16>(out, MMAX_0, 28);
  store<u16>(out, MMAX, 30);
}

/** out = the ids of x, ascending; returns the count, or 0 if memory is short. */
function save_ids(out: usize, x: u32): u32 {
  const first = first_id_of(x);
  if (id_next(first) == NONE) {
    memory.copy(out, id_at(first), 16);
    return 1;
  }
  let total: u32 = 0;
  for (let record = first; record != NONE; record = id_next(record)) total++;
  const mark = memory_mark();
  const heap = alloc((<usize>total) << 3);
  if (heap == 0) return 0;
  let count: u32 = 0;
  for (let record = first; record != NONE; record = id_next(record)) {
    count = heap_offer(heap, count, total, entry_of(0, record), BY_ID);
  }
  heap_sort(heap, count, BY_ID);
  for (let i: u32 = 0; i < count; i++) {
    memory.copy(out + ((<usize>i) << 4), id_at(number_of(load<u64>(heap + ((<usize>i) << 3)))), 16);
  }
  memory_release(mark);
  return count;
}

/** out = count, then ranks ascending (insertion sort: at most 35); returns the end address. */
function save_adjacency(out: usize, adjacency: usize): usize {
  const count = load<u32>(adjacency);
  store<u32>(out, count);
  const begin = out + 4;
  for (let i: u32 = 0; i < count; i++) {
    const rank = rank_of(load<u32>(adjacency + ((<usize>i) << 2), 4));
    let at = begin + ((<usize>i) << 2);
    for (; at > begin && load<u32>(at - 4) > rank; at -= 4) store<u32>(at, load<u32>(at - 4));
    store<u32>(at, rank);
  }
  return begin + ((<usize>count) << 2);
}

/** out (count, vector_bytes) = the vectors of ranks first … first+count−1. */
export function save_vectors(out: usize, first: u32, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    memory.copy(out + <usize>i * vector_bytes, vector_of(slot_at(first + i)), vector_bytes);
  }
}

/** out (528 · count) = the lists of ranks first … first+count−1 and their Out sets. SPEC §10.8 */
export function save_lists(out: usize, first: u32, count: u32): void {
  memory.fill(out, 0, <usize>count * 528);
  for (let i: u32 = 0; i < count; i++) {
    const x = slot_at(first + i);
    const list = list_of(x);
    const length = get(x, LIST_COUNT);
    const ranks = out + ((<usize>i) << 9);
    const tail = out + ((<usize>count) << 9) + ((<usize>i) << 4);
    store<u32>(tail, length);
    assert(length <= LIST_MAX);
    for (let j: u32 = 0; j < length; j++) {
      const y = load<u32>(list + ((<usize>j) << 2));
      store<u32>(ranks + ((<usize>j) << 2), rank_of(y));
      if (j < C && is_out(x, y)) {
        const byte = tail + 4 + (<usize>j >> 3);
        store<u8>(byte, <u32>load<u8>(byte) | ((<u32>1) << (j & 7)));
      }
    }
  }
}

function is_out(x: u32, y: u32): bool {
  const out = out_of(x);
  const count = get(x, OUT_COUNT);
  for (let i: u32 = 0; i < count; i++) if (load<u32>(out + ((<usize>i) << 2)) == y) return true;
  return false;
}
