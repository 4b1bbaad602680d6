/**
 * The lists whose first entries are Cand. The list of x holds exactly the first `count` predecessors of x in the order
 * around x. Either count lies between C and LIST_MAX, or the list holds all predecessors. So a deletion removes one
 * entry, and only the 33rd deletion that hits the same list must scan all vectors again. SPEC §10.4
 *
 * THRESHOLD decides what enters: a new predecessor whose dot is above it (or equal, if it precedes the last entry in
 * priority). It is the dot of the last entry, or OPEN while the list is known to hold all predecessors, fewer than
 * LIST_MAX.
 */
import { dot_i16, dot_rows_i16 } from "./dot";
import { C, get, LIST_COUNT, LIST_MAX, list_of, set, THRESHOLD } from "./graph";
import { BY_PRIORITY, dot_of, entry_of, heap_offer, heap_sort, number_of } from "./heap";
import { BLOCK_SLOTS, is_free, precedes, slots_used, vector_bytes, vector_of } from "./nodes";

const OPEN: i32 = i32.MIN_VALUE; // below every dot of admitted vectors
const DOTS: usize = memory.data(1024 * 4, 16);
const HEAP: usize = memory.data(128 * 8, 16);

/** Returns how many entries of the list belong to Cand. */
export function cand_count(x: u32): u32 {
  return min(C, get(x, LIST_COUNT));
}

/** Sets count and threshold of a list whose entries are in place; `all` means that it holds every predecessor. */
export function list_close(x: u32, count: u32, all: bool): void {
  set(x, LIST_COUNT, count);
  set(x, THRESHOLD, all && count < LIST_MAX ? OPEN : last_dot(x, count));
}

function last_dot(x: u32, count: u32): i32 {
  const last = load<u32>(list_of(x) + ((<usize>count) << 2) - 4);
  return dot_i16(vector_of(x), vector_of(last), vector_bytes);
}

/** Refills the list of x from all its predecessors except `without`. */
export function list_fill(x: u32, without: u32): void {
  let count: u32 = 0;
  let floor: i32 = OPEN; // no dot below this can enter
  for (let first: u32 = 0; first < slots_used; first += BLOCK_SLOTS) {
    const rows = min(BLOCK_SLOTS, slots_used - first);
    dot_rows_i16(DOTS, vector_of(x), vector_of(first), rows, vector_bytes);
    for (let i: u32 = 0; i < rows; i++) {
      const dot = load<i32>(DOTS + ((<usize>i) << 2));
      const y = first + i;
      if (dot < floor || y == without || is_free(y) || !precedes(y, x)) continue;
      count = heap_offer(HEAP, count, LIST_MAX, entry_of(dot, y), BY_PRIORITY);
      if (count == LIST_MAX) floor = dot_of(load<u64>(HEAP));
    }
  }
  take_heap(x, count);
}

/**
 * Compares a new node x with every other node: fills its list, and enters it into the lists of its successors. changed
 * (n) = entries (position of x, slot) of the nodes whose Cand changed; returns the count.
 */
export function list_insert(changed: usize, x: u32): u32 {
  let changes: u32 = 0;
  let count: u32 = 0;
  let floor: i32 = OPEN;
  for (let first: u32 = 0; first < slots_used; first += BLOCK_SLOTS) {
    const rows = min(BLOCK_SLOTS, slots_used - first);
    dot_rows_i16(DOTS, vector_of(x), vector_of(first), rows, vector_bytes);
    for (let i: u32 = 0; i < rows; i++) {
      const dot = load<i32>(DOTS + ((<usize>i) << 2));
      const y = first + i;
      const may_enter = dot >= <i32>get(y, THRESHOLD);
      if ((dot < floor && !may_enter) || y == x || is_free(y)) continue;
      if (precedes(y, x)) {
        count = heap_offer(HEAP, count, LIST_MAX, entry_of(dot, y), BY_PRIORITY);
        if (count == LIST_MAX) floor = dot_of(load<u64>(HEAP));
      } else if (may_enter) {
        const position = enter(y, x, dot);
        if (position >= C) continue;
        store<u64>(changed + ((<usize>changes) << 3), ((<u64>position) << 32) | <u64>y);
        changes++;
      }
    }
  }
  take_heap(x, count);
  return changes;
}

function take_heap(x: u32, count: u32): void {
  heap_sort(HEAP, count, BY_PRIORITY);
  const list = list_of(x);
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(list + ((<usize>i) << 2), number_of(load<u64>(HEAP + ((<usize>i) << 3))));
  }
  list_close(x, count, count < LIST_MAX);
}

/** Inserts x, which passed the threshold, into the list of y; returns its position, or LIST_MAX if it did not stay. */
function enter(y: u32, x: u32, dot: i32): u32 {
  const list = list_of(y);
  const vector = vector_of(y);
  const count = get(y, LIST_COUNT);
  let low: u32 = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = load<u32>(list + ((<usize>middle) << 2));
    const other_dot = dot_i16(vector, vector_of(other), vector_bytes);
    if (dot > other_dot || (dot == other_dot && precedes(x, other))) high = middle;
    else low = middle + 1;
  }
  const open = <i32>get(y, THRESHOLD) == OPEN;
  if (low == count && !open) return LIST_MAX; // after the last entry: unlisted predecessors may come before it
  const grown = min(count + 1, LIST_MAX);
  const at = list + ((<usize>low) << 2);
  memory.copy(at + 4, at, (<usize>(grown - 1 - low)) << 2);
  store<u32>(at, x);
  list_close(y, grown, open);
  return low;
}

/**
 * Removes x from the list of y. Returns its position, or −1 if it was not listed. A list that became too short is
 * refilled.
 */
export function list_remove(y: u32, x: u32): i32 {
  const list = list_of(y);
  const count = get(y, LIST_COUNT);
  const position = find(list, count, x);
  if (position < 0) return -1;
  const open = <i32>get(y, THRESHOLD) == OPEN;
  const left = count - 1;
  if (left < C && !open) {
    list_fill(y, x);
    return position;
  }
  const at = list + ((<usize>position) << 2);
  memory.copy(at, at + 4, (<usize>(left - position)) << 2);
  list_close(y, left, open);
  return position;
}

/** Returns the position of x in the first `count` numbers at list, or −1. */
function find(list: usize, count: u32, x: u32): i32 {
  let i: u32 = 0;
  if (ASC_FEATURE_SIMD) {
    // Past `count` a list holds stale numbers. They lie within its 512 bytes, and each match is checked below.
    const wanted = i32x4.splat(x);
    while (
      i < count &&
      !v128.any_true(
        v128.or(
          i32x4.eq(v128.load(list + ((<usize>i) << 2)), wanted),
          i32x4.eq(v128.load(list + ((<usize>i) << 2), 16), wanted),
        ),
      )
    )
      i += 8;
  }
  for (; i < count; i++) if (load<u32>(list + ((<usize>i) << 2)) == x) return i;
  return -1;
}
