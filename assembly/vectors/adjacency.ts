/**
 * Adj: the adjacency that a search follows. It is rebuilt wherever one of its sources changed. SPEC §10.5
 *
 * Nodes to rebuild are collected first, each once, since one update reaches the same node through many others.
 */
import { dot4_i16 } from "./dot";
import {
  adjacency_of,
  FIRST_CHILD,
  get,
  incoming,
  MMAX,
  MMAX_0,
  NEAR,
  NEXT_SIBLING,
  OUT_COUNT,
  out_of,
  PREVIOUS_SIBLING,
} from "./graph";
import { BY_PRIORITY, dot_of, entry_of, heap_offer, heap_sort, number_of } from "./heap";
import { level_of, NONE, vector_bytes, vector_of } from "./nodes";
import { select_begin, select_end, select_full, select_offer } from "./select";

const DOTS: usize = memory.data(16, 16);

let marks: usize = 0; // (slots) bits
let list: usize = 0; // (slots) marked slots
let count: u32 = 0;
let union: usize = 0; // (nodes) slots, with space to pad the last group of four
let heap: usize = 0; // (nodes) entries

/** Returns the bytes of scratch that rebuilding any node needs, for this many slots. */
export function adjacency_bytes(slots: u32): usize {
  return (((<usize>slots + 127) >> 7) << 4) + (<usize>slots + 4) * 16;
}

/** Starts an update with scratch at `at`. */
export function adjacency_begin(at: usize, slots: u32): void {
  const mark_bytes = ((<usize>slots + 127) >> 7) << 4;
  marks = at;
  memory.fill(marks, 0, mark_bytes);
  heap = marks + mark_bytes;
  union = heap + ((<usize>slots) << 3);
  list = union + ((<usize>slots + 4) << 2);
  count = 0;
}

/** Marks a node: its Adj must be rebuilt. */
export function adjacency_mark(x: u32): void {
  const at = marks + (<usize>x >> 3);
  const bit: u32 = 1 << (x & 7);
  const byte = <u32>load<u8>(at);
  if ((byte & bit) != 0) return;
  store<u8>(at, byte | bit);
  store<u32>(list + ((<usize>count) << 2), x);
  count++;
}

/** Rebuilds Adj of all marked nodes except `gone`. */
export function adjacency_end(gone: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const x = load<u32>(list + ((<usize>i) << 2));
    if (x != gone) adjacency_make(x);
  }
}

export function adjacency_make(x: u32): void {
  const levels = level_of(x);
  for (let level: u32 = 0; level <= levels; level++) make_level(x, level);
}

function make_level(x: u32, level: u32): void {
  const cap = level == 0 ? MMAX_0 : MMAX;
  const adjacency = adjacency_of(x, level);
  const out_count = get(x, OUT_COUNT);
  memory.copy(union, out_of(x), (<usize>out_count) << 2);
  const size = out_count + incoming(union + ((<usize>out_count) << 2), x, level);
  let chosen = size;
  if (size <= cap) memory.copy(adjacency + 4, union, (<usize>size) << 2);
  else chosen = select_from_union(adjacency + 4, x, size, cap);

  const previous = get(x, PREVIOUS_SIBLING);
  const link = previous != NONE ? previous : get(x, NEAR);
  chosen = add_link(adjacency, chosen, link, level);
  chosen = add_link(adjacency, chosen, get(x, NEXT_SIBLING), level);
  chosen = add_link(adjacency, chosen, get(x, FIRST_CHILD), level);
  store<u32>(adjacency, chosen);
}

/** Computes to = Select(x, union, cap); returns the count. */
function select_from_union(to: usize, x: u32, size: u32, cap: u32): u32 {
  const vector = vector_of(x);
  for (let i = size; (i & 3) != 0; i++) store<u32>(union + ((<usize>i) << 2), x); // pads the last group
  for (let i: u32 = 0; i < size; i += 4) {
    const group = union + ((<usize>i) << 2);
    dot4_i16(
      DOTS,
      vector,
      vector_of(load<u32>(group)),
      vector_of(load<u32>(group, 4)),
      vector_of(load<u32>(group, 8)),
      vector_of(load<u32>(group, 12)),
      vector_bytes,
    );
    const end = min<u32>(4, size - i);
    for (let j: u32 = 0; j < end; j++) {
      const entry = entry_of(load<i32>(DOTS + ((<usize>j) << 2)), load<u32>(group + ((<usize>j) << 2)));
      heap_offer(heap, i + j, size, entry, BY_PRIORITY);
    }
  }
  heap_sort(heap, size, BY_PRIORITY);
  select_begin(cap);
  for (let i: u32 = 0; i < size && !select_full(); i++) {
    const entry = load<u64>(heap + ((<usize>i) << 3));
    select_offer(number_of(entry), dot_of(entry));
  }
  return select_end(to);
}

/** Adds a node of this level unless it is among the first `count`; returns the new count. */
function add_link(adjacency: usize, count: u32, other: u32, level: u32): u32 {
  if (other == NONE || level_of(other) < level) return count;
  for (let i: u32 = 0; i < count; i++) {
    if (load<u32>(adjacency + ((<usize>i) << 2), 4) == other) return count;
  }
  store<u32>(adjacency + ((<usize>count) << 2), other, 4);
  return count + 1;
}
