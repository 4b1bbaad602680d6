/**
 * One node into the graph, or out of it: exactly the lists that its coming or going changes are chosen again, so that
 * the graph stays the function of the set that SPEC §10 defines, whatever the order of events.
 */
import { alloc, memory_mark, memory_release } from "../memory";
import { adjacency_begin, adjacency_bytes, adjacency_end, adjacency_mark } from "./adjacency";
import { cand_count, list_insert, list_remove } from "./cand";
import { dot_i16, dot4_i16 } from "./dot";
import {
  C,
  FIRST_CHILD,
  get,
  graph_enter,
  graph_leave,
  incoming_add,
  incoming_remove,
  LIST_COUNT,
  list_of,
  M,
  OUT_COUNT,
  OUT_KEPT,
  out_of,
  set,
  THRESHOLD,
} from "./graph";
import { link_attach, link_detach } from "./links";
import { is_free, NONE, precedes, slots_used, vector_bytes, vector_of } from "./nodes";
import {
  select_begin,
  select_end,
  select_full,
  select_keep,
  select_kept,
  select_offer,
  select_reject,
} from "./select";

const DOTS: usize = memory.data(16, 16);
const CHOSEN: usize = memory.data(20 * 4, 16);

/** The node of smallest priority, where searches begin; NONE when there is none. */
export let entry: u32 = NONE;

export function entry_set(x: u32): void {
  entry = x;
}

/** Whether the scratch of an update fits; memory that was grown stays. */
export function update_reserve(slots: u32): bool {
  const mark = memory_mark();
  const at = alloc(((<usize>slots) << 3) + adjacency_bytes(slots));
  memory_release(mark);
  return at != 0;
}

/** Takes the node x, whose vector stands in its slot, into the graph; room was reserved. */
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
  make_out(x);
  const count = get(x, OUT_COUNT);
  for (let i: u32 = 0; i < count; i++) adjacency_mark(load<u32>(out_of(x) + ((<usize>i) << 2)));
  adjacency_mark(x);
  adjacency_end(NONE);
  if (entry == NONE || precedes(x, entry)) entry = x;
  memory_release(mark);
}

/** Takes the node x out of the graph; its vector still stands in its slot. */
export function graph_delete(x: u32): void {
  const mark = memory_mark();
  const changed = alloc((<usize>slots_used) << 3);
  adjacency_begin(alloc(adjacency_bytes(slots_used)), slots_used);
  if (entry == x) entry = get(x, FIRST_CHILD); // the node of rank 1 has no other near than the entry
  drop_out(x);
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

/** After the first of Cand changed. */
function relink(y: u32): void {
  link_detach(y);
  link_attach(y, near_of(y));
}

/**
 * CHOSEN = Select(y, Cand(y), M); returns how many. What Select kept the last time is known for the first `known` of
 * Cand, so that the walk begins behind them.
 */
function select_out(y: u32, known: u32): u32 {
  select_begin(M);
  select_known(y, 0, known, 0);
  select_rest(y, known);
  return select_end(CHOSEN);
}

/** The same after `x` came into Cand(y) at this position: if it is rejected, all else stays as it was. */
function select_out_with(y: u32, x: u32, position: u32): u32 {
  select_begin(M);
  const kept = select_known(y, 0, position, 0);
  if (!select_full()) {
    if (select_offer(x, dot_i16(vector_of(x), vector_of(y), vector_bytes))) select_rest(y, position + 1);
    else select_known(y, position + 1, cand_count(y), kept);
  }
  return select_end(CHOSEN);
}

/**
 * Repeats for Cand(y) from `from` to `to` what Select did the last time, when it had kept `kept` before; returns how
 * many it has kept then. Both lists are in the order around y, so one pass tells.
 */
function select_known(y: u32, from: u32, to: u32, kept: u32): u32 {
  const list = list_of(y);
  const out = out_of(y);
  const count = get(y, OUT_KEPT);
  for (let i = from; i < to && !select_full(); i++) {
    const c = load<u32>(list + ((<usize>i) << 2));
    if (kept < count && load<u32>(out + ((<usize>kept) << 2)) == c) {
      select_keep(c);
      kept++;
    } else select_reject(c);
  }
  return kept;
}

/** Goes on with Cand(y) from `from` on. */
function select_rest(y: u32, from: u32): void {
  const count = cand_count(y);
  const list = list_of(y);
  const vector = vector_of(y);
  for (let i = from; i < count; i += 4) {
    const group = list + ((<usize>i) << 2);
    const end = min<u32>(4, count - i);
    const first = load<u32>(group);
    dot4_i16(
      DOTS,
      vector,
      vector_of(first),
      vector_of(end > 1 ? load<u32>(group, 4) : first),
      vector_of(end > 2 ? load<u32>(group, 8) : first),
      vector_of(end > 3 ? load<u32>(group, 12) : first),
      vector_bytes,
    );
    for (let j: u32 = 0; j < end; j++) {
      if (select_full()) return;
      select_offer(load<u32>(group + ((<usize>j) << 2)), load<i32>(DOTS + ((<usize>j) << 2)));
    }
  }
}

/** Out(y) of a node that has none yet; marks nothing. */
export function make_out(y: u32): void {
  const count = select_out(y, 0);
  memory.copy(out_of(y), CHOSEN, (<usize>count) << 2);
  set(y, OUT_COUNT, count);
  set(y, OUT_KEPT, select_kept());
  for (let i: u32 = 0; i < count; i++) incoming_add(load<u32>(CHOSEN + ((<usize>i) << 2)), y);
}

/** Chooses Out(y) again after x came into Cand(y) at this position. */
function out_after_insert(y: u32, x: u32, position: u32): void {
  replace_out(y, get(y, OUT_KEPT) == NONE ? select_out(y, 0) : select_out_with(y, x, position));
}

/** Chooses Out(y) again after x, which was at this position of Cand(y), is gone. */
function out_after_remove(y: u32, x: u32, position: u32): void {
  const kept = get(y, OUT_KEPT);
  let known: u32 = 0;
  if (kept != NONE) {
    // If x was rejected, only the one that came into Cand at its end is new.
    known = contains(out_of(y), kept, x) ? position : min(cand_count(y), C - 1);
  }
  replace_out(y, select_out(y, known));
}

/** Out(y) becomes CHOSEN; marks y and whoever gained or lost the edge from y. */
function replace_out(y: u32, count: u32): void {
  const out = out_of(y);
  const old_count = get(y, OUT_COUNT);
  let same = count == old_count;
  for (let i: u32 = 0; i < old_count; i++) {
    const z = load<u32>(out + ((<usize>i) << 2));
    if (contains(CHOSEN, count, z)) continue;
    incoming_remove(z, y);
    adjacency_mark(z);
    same = false;
  }
  for (let i: u32 = 0; i < count && !same; i++) {
    const z = load<u32>(CHOSEN + ((<usize>i) << 2));
    if (contains(out, old_count, z)) continue;
    incoming_add(z, y);
    adjacency_mark(z);
  }
  memory.copy(out, CHOSEN, (<usize>count) << 2);
  set(y, OUT_COUNT, count);
  set(y, OUT_KEPT, select_kept());
  if (!same) adjacency_mark(y);
}

/** Out(x) becomes empty. */
function drop_out(x: u32): void {
  const out = out_of(x);
  const count = get(x, OUT_COUNT);
  for (let i: u32 = 0; i < count; i++) {
    const z = load<u32>(out + ((<usize>i) << 2));
    incoming_remove(z, x);
    adjacency_mark(z);
  }
  set(x, OUT_COUNT, 0);
  set(x, OUT_KEPT, 0);
}

function contains(list: usize, count: u32, x: u32): bool {
  for (let i: u32 = 0; i < count; i++) if (load<u32>(list + ((<usize>i) << 2)) == x) return true;
  return false;
}
