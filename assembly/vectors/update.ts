/**
 * Inserts one node into the graph, or deletes it: exactly the lists that the change affects are selected again. So the
 * graph stays the function of the set that SPEC §10 defines, whatever the order of events.
 */
import { alloc, memory_mark, memory_release } from "../memory";
import { adjacency_begin, adjacency_bytes, adjacency_end, adjacency_mark } from "./adjacency";
import { list_insert, list_remove } from "./cand";
import {
  C,
  FIRST_CHILD,
  get,
  graph_enter,
  graph_leave,
  LIST_COUNT,
  list_of,
  OUT_COUNT,
  out_of,
  set,
  THRESHOLD,
} from "./graph";
import { link_attach, link_detach } from "./links";
import { is_free, NONE, precedes, slots_used } from "./nodes";
import { out_after_insert, out_after_remove, out_drop, out_make } from "./out";

/** The node of smallest priority, where searches start; NONE if there are no nodes. */
export let entry: u32 = NONE;

export function entry_set(x: u32): void {
  entry = x;
}

/** Returns whether the scratch of an update fits; memory that was grown stays. */
export function update_reserve(slots: u32): bool {
  const mark = memory_mark();
  const at = alloc(((<usize>slots) << 3) + adjacency_bytes(slots));
  memory_release(mark);
  return at != 0;
}

/** Inserts the node x, whose vector is in its slot, into the graph. Space must have been reserved. */
export function graph_insert(x: u32): void {
  const mark = memory_mark();
  const changed = alloc((<usize>slots_used) << 3);
  adjacency_begin(alloc(adjacency_bytes(slots_used)), slots_used);
  graph_enter(x);
  const changes = list_insert(changed, x);
  link_attach(x, near_of(x));
  for (let i: u32 = 0; i < changes; i++) {
    const change = load<u64>(changed + ((<usize>i) << 3));
    const y = <u32>change;
    const position = <u32>(change >> 32);
    if (position == 0) relink(y);
    out_after_insert(y, x, position);
  }
  out_make(x);
  const count = get(x, OUT_COUNT);
  for (let i: u32 = 0; i < count; i++) adjacency_mark(load<u32>(out_of(x) + ((<usize>i) << 2)));
  adjacency_mark(x);
  adjacency_end(NONE);
  if (entry == NONE || precedes(x, entry)) entry = x;
  memory_release(mark);
}

/** Deletes the node x from the graph; its vector is still in its slot. */
export function graph_delete(x: u32): void {
  const mark = memory_mark();
  const changed = alloc((<usize>slots_used) << 3);
  adjacency_begin(alloc(adjacency_bytes(slots_used)), slots_used);
  if (entry == x) entry = get(x, FIRST_CHILD); // the node of rank 1 can have no other near than the entry
  out_drop(x);
  link_detach(x);
  let changes: u32 = 0;
  for (let y: u32 = 0; y < slots_used; y++) {
    if (y == x || is_free(y) || !precedes(x, y)) continue;
    const position = list_remove(y, x);
    if (<u32>position >= C) continue;
    store<u64>(changed + ((<usize>changes) << 3), ((<u64>position) << 32) | <u64>y);
    changes++;
  }
  for (let i: u32 = 0; i < changes; i++) {
    const change = load<u64>(changed + ((<usize>i) << 3));
    const y = <u32>change;
    const position = <u32>(change >> 32);
    if (position == 0) relink(y);
    out_after_remove(y, x, position);
  }
  adjacency_end(x);
  graph_leave(x);
  set(x, THRESHOLD, i32.MAX_VALUE); // a free slot passes no threshold
  memory_release(mark);
}

function near_of(x: u32): u32 {
  return get(x, LIST_COUNT) == 0 ? NONE : load<u32>(list_of(x));
}

/** Updates the link of y after the first entry of Cand(y) changed. */
function relink(y: u32): void {
  link_detach(y);
  link_attach(y, near_of(y));
}
