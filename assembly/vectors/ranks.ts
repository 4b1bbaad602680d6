/**
 * Ranks: nodes numbered in priority order, for output that must not contain slots (canonical bytes, snapshots) and for
 * the build from scratch. The tables are scratch: the caller marks memory before and releases it afterwards. SPEC §10.3
 */
import { alloc, failed_allocs } from "../memory";
import { h_of, is_free, node_count, precedes, slots_used } from "./nodes";

let slots: usize = 0; // (nodes) by rank
let ranks: usize = 0; // (slots) by slot
let ranked: u32 = 0;

export function slot_at(rank: u32): u32 {
  return load<u32>(slots + ((<usize>rank) << 2));
}

export function rank_of(slot: u32): u32 {
  return load<u32>(ranks + ((<usize>slot) << 2));
}

/** Returns how many nodes were ranked. */
export function ranks_count(): u32 {
  return ranked;
}

/** Ranks all nodes; false if memory is short. */
export function ranks_make(): bool {
  const n = node_count;
  const failed = failed_allocs;
  slots = alloc((<usize>n) << 2);
  ranks = alloc((<usize>slots_used) << 2);
  let from = alloc((<usize>n) << 4); // (nodes) of (h, slot), 16 bytes
  let to = alloc((<usize>n) << 4);
  if (failed_allocs != failed) return false;
  let at = from;
  for (let slot: u32 = 0; slot < slots_used; slot++) {
    if (is_free(slot)) continue;
    store<u64>(at, h_of(slot));
    store<u32>(at, slot, 8);
    at += 16;
  }
  for (let width: u32 = 1; width < n; width <<= 1) {
    for (let left: u32 = 0; left < n; left += width << 1) {
      merge(to, from, left, min(left + width, n), min(left + (width << 1), n));
    }
    const swap = from;
    from = to;
    to = swap;
  }
  for (let rank: u32 = 0; rank < n; rank++) {
    const slot = load<u32>(from + ((<usize>rank) << 4), 8);
    store<u32>(slots + ((<usize>rank) << 2), slot);
    store<u32>(ranks + ((<usize>slot) << 2), rank);
  }
  ranked = n;
  return true;
}

/** to[left…end) = the sorted runs from[left…middle) and from[middle…end), merged. */
function merge(to: usize, from: usize, left: u32, middle: u32, end: u32): void {
  let a = left;
  let b = middle;
  for (let i = left; i < end; i++) {
    const take_b =
      a >= middle || (b < end && entry_precedes(from + ((<usize>b) << 4), from + ((<usize>a) << 4)));
    const source = from + ((<usize>(take_b ? b++ : a++)) << 4);
    store<u64>(to + ((<usize>i) << 4), load<u64>(source));
    store<u64>(to + ((<usize>i) << 4), load<u64>(source, 8), 8);
  }
}

function entry_precedes(a: usize, b: usize): bool {
  const x = load<u64>(a);
  const y = load<u64>(b);
  return x != y ? x < y : precedes(load<u32>(a, 8), load<u32>(b, 8));
}

/** Sets ranks equal to slots, for a worker that was given n vectors in priority order; false if memory is short. */
export function ranks_identity(n: u32): bool {
  slots = alloc((<usize>n) << 2);
  if (slots == 0) return false;
  for (let rank: u32 = 0; rank < n; rank++) store<u32>(slots + ((<usize>rank) << 2), rank);
  ranked = n;
  return true;
}
