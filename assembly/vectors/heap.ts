/**
 * Bounded heaps of (dot, number) with a total order: dot descending, then the tie-break that `ties` selects. The worst
 * entry is the root, so that a full heap rejects with one comparison. The content of a heap and its sorted order depend
 * on what was offered, never on the order of the offers.
 *
 *     entry   u64: dot as i32 in the high half, number in the low half
 */
import { id_precedes } from "./ids";
import { precedes } from "./nodes";

/** The number is a slot: priority ascending, the order around a vector. SPEC §10.4 */
export const BY_PRIORITY: i32 = 0;
/** The number is a record of ids.ts: id ascending, the order of hits. SPEC §10.2 */
export const BY_ID: i32 = 1;
/** The number is a rank, ascending: the same order as priority, for callers that have ranks. */
export const BY_NUMBER: i32 = 2;

export function entry_of(dot: i32, number: u32): u64 {
  return ((<u64>(<u32>dot)) << 32) | <u64>number;
}

export function dot_of(entry: u64): i32 {
  return <i32>(entry >> 32);
}

export function number_of(entry: u64): u32 {
  return <u32>entry;
}

/** Returns whether a comes before b. */
export function entry_before(a: u64, b: u64, ties: i32): bool {
  const x = dot_of(a);
  const y = dot_of(b);
  if (x != y) return x > y;
  if (ties == BY_NUMBER) return number_of(a) < number_of(b);
  if (ties == BY_ID) return id_precedes(number_of(a), number_of(b));
  return precedes(number_of(a), number_of(b));
}

/** Offers an entry to the heap of `count` entries, at most `limit`; returns the new count. */
export function heap_offer(heap: usize, count: u32, limit: u32, entry: u64, ties: i32): u32 {
  if (count < limit) {
    rise(heap, count, entry, ties);
    return count + 1;
  }
  if (entry_before(entry, load<u64>(heap), ties)) sink(heap, count, entry, ties);
  return count;
}

/** Sorts a heap in place, best first. */
export function heap_sort(heap: usize, count: u32, ties: i32): void {
  while (count > 1) {
    count--;
    const last = heap + ((<usize>count) << 3);
    const entry = load<u64>(last);
    store<u64>(last, load<u64>(heap));
    sink(heap, count, entry, ties);
  }
}

function rise(heap: usize, at: u32, entry: u64, ties: i32): void {
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = load<u64>(heap + ((<usize>parent) << 3));
    if (!entry_before(above, entry, ties)) break;
    store<u64>(heap + ((<usize>at) << 3), above);
    at = parent;
  }
  store<u64>(heap + ((<usize>at) << 3), entry);
}

function sink(heap: usize, count: u32, entry: u64, ties: i32): void {
  let at: u32 = 0;
  for (;;) {
    let child = at * 2 + 1;
    if (child >= count) break;
    let below = load<u64>(heap + ((<usize>child) << 3));
    if (child + 1 < count) {
      const right = load<u64>(heap + ((<usize>child) << 3), 8);
      if (entry_before(below, right, ties)) {
        below = right;
        child++;
      }
    }
    if (!entry_before(entry, below, ties)) break;
    store<u64>(heap + ((<usize>at) << 3), below);
    at = child;
  }
  store<u64>(heap + ((<usize>at) << 3), entry);
}
