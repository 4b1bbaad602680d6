/**
 * The exact search: compares every vector, or every candidate, with the query and returns the first k hits in the order
 * of hits. It is the oracle, and the index for small sets and filtered searches. SPEC §10.2
 */
import { NO_MEMORY } from "../codes";
import { alloc } from "../memory";
import { dot_rows_i16, dot4_i16 } from "./dot";
import { BY_ID, dot_of, entry_of, heap_offer, heap_sort } from "./heap";
import { id_find, id_next, id_node, ids_used } from "./ids";
import { BLOCK_SLOTS, first_id_of, is_free, NONE, slots_used, vector_bytes, vector_of } from "./nodes";

const DOTS: usize = memory.data(1024 * 4, 16);
const BATCH: usize = memory.data(4 * 4, 16); // (4) records whose dots are not computed yet

let heap: usize = 0;
let count: u32 = 0;
let limit: u32 = 0;

/** hits (k) = entries of (dot, id record), best first; returns the count. hits has space for k entries. */
export function exact_all(hits: usize, query: usize, k: u32): u32 {
  heap = hits;
  count = 0;
  limit = k;
  for (let first: u32 = 0; first < slots_used; first += BLOCK_SLOTS) {
    const rows = min(BLOCK_SLOTS, slots_used - first);
    dot_rows_i16(DOTS, query, vector_of(first), rows, vector_bytes);
    offer_rows(first, rows);
  }
  heap_sort(heap, count, BY_ID);
  return count;
}

/** Offers the nodes of slots first … first+rows−1, whose dots are in DOTS. */
function offer_rows(first: u32, rows: u32): void {
  let i: u32 = 0;
  while (i < rows) {
    const floor = worst_dot();
    if (ASC_FEATURE_SIMD) {
      // Skips four at a time if none can enter. Past `rows`, DOTS is stale: the last partial group goes one by one.
      const floors = i32x4.splat(floor);
      while (i + 4 <= rows && !v128.any_true(i32x4.ge_s(v128.load(DOTS + ((<usize>i) << 2)), floors))) i += 4;
    }
    const end = min(i + 4, rows);
    for (; i < end; i++) {
      const dot = load<i32>(DOTS + ((<usize>i) << 2));
      if (dot >= floor && !is_free(first + i)) offer_node(dot, first + i);
    }
  }
}

/** Returns the floor: no entry with a dot below it can enter. */
function worst_dot(): i32 {
  return count < limit ? i32.MIN_VALUE : dot_of(load<u64>(heap));
}

function offer_node(dot: i32, slot: u32): void {
  for (let record = first_id_of(slot); record != NONE; record = id_next(record)) {
    count = heap_offer(heap, count, limit, entry_of(dot, record), BY_ID);
  }
}

/**
 * Searches only the `candidates` ids at `ids` (16 bytes each, in any order; unknown and repeated ids are ignored).
 * Returns the count, or NO_MEMORY.
 */
export function exact_candidates(hits: usize, query: usize, k: u32, ids: usize, candidates: u32): i32 {
  const words = (ids_used + 63) >> 6;
  const bitmap = alloc((<usize>words) << 3); // bit r: id record r is a candidate
  if (bitmap == 0) return NO_MEMORY;
  memory.fill(bitmap, 0, (<usize>words) << 3);
  for (let i: u32 = 0; i < candidates; i++) {
    const record = id_find(ids + ((<usize>i) << 4));
    if (record == NONE) continue;
    const word = bitmap + ((<usize>record >> 6) << 3);
    store<u64>(word, load<u64>(word) | ((<u64>1) << (record & 63)));
  }
  heap = hits;
  count = 0;
  limit = k;
  let waiting: u32 = 0;
  for (let i: u32 = 0; i < words; i++) {
    for (let word = load<u64>(bitmap + ((<usize>i) << 3)); word != 0; word &= word - 1) {
      store<u32>(BATCH + ((<usize>waiting) << 2), (i << 6) | <u32>ctz(word));
      if (++waiting == 4) {
        offer_batch(query, 4);
        waiting = 0;
      }
    }
  }
  if (waiting > 0) offer_batch(query, waiting);
  heap_sort(heap, count, BY_ID);
  return count;
}

/** Offers the first `waiting` records of BATCH; the other lanes recompute what they held before. */
function offer_batch(query: usize, waiting: u32): void {
  for (let i = waiting; i < 4; i++) store<u32>(BATCH + ((<usize>i) << 2), load<u32>(BATCH));
  dot4_i16(
    DOTS,
    query,
    vector_of(id_node(load<u32>(BATCH))),
    vector_of(id_node(load<u32>(BATCH, 4))),
    vector_of(id_node(load<u32>(BATCH, 8))),
    vector_of(id_node(load<u32>(BATCH, 12))),
    vector_bytes,
  );
  for (let i: u32 = 0; i < waiting; i++) {
    const entry = entry_of(load<i32>(DOTS + ((<usize>i) << 2)), load<u32>(BATCH + ((<usize>i) << 2)));
    count = heap_offer(heap, count, limit, entry, BY_ID);
  }
}
