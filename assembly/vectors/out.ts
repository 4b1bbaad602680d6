/**
 * Out: selected from Cand, and selected again when Cand changed. Select runs from the front and never looks back, so
 * what it kept before the position of the change still holds; and a new entry that it rejects changes nothing after it.
 * SPEC §10.4
 */
import { adjacency_mark } from "./adjacency";
import { cand_count } from "./cand";
import { dot_i16, dot4_i16 } from "./dot";
import { C, get, incoming_add, incoming_remove, list_of, M, OUT_COUNT, OUT_KEPT, out_of, set } from "./graph";
import { NONE, vector_bytes, vector_of } from "./nodes";
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

/**
 * CHOSEN = Select(y, Cand(y), M); returns the count. What Select kept the last time is known for the first `known`
 * entries of Cand, so the selection resumes after them.
 */
function select_out(y: u32, known: u32): u32 {
  select_begin(M);
  select_known(y, 0, known, 0);
  select_rest(y, known);
  return select_end(CHOSEN);
}

/** Does the same after `x` entered Cand(y) at this position. If x is rejected, everything else stays as it was. */
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
 * many it has kept after that. Both lists are in the order around y, so one pass is enough.
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

/** Continues with Cand(y) from `from` on. */
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

/** Makes Out(y) of a node that has none yet; marks nothing. */
export function out_make(y: u32): void {
  const count = select_out(y, 0);
  memory.copy(out_of(y), CHOSEN, (<usize>count) << 2);
  set(y, OUT_COUNT, count);
  set(y, OUT_KEPT, select_kept());
  for (let i: u32 = 0; i < count; i++) incoming_add(load<u32>(CHOSEN + ((<usize>i) << 2)), y);
}

/** Selects Out(y) again after x entered Cand(y) at this position. */
export function out_after_insert(y: u32, x: u32, position: u32): void {
  replace_out(y, get(y, OUT_KEPT) == NONE ? select_out(y, 0) : select_out_with(y, x, position));
}

/** Selects Out(y) again after x, which was at this position of Cand(y), was removed. */
export function out_after_remove(y: u32, x: u32, position: u32): void {
  const kept = get(y, OUT_KEPT);
  let known: u32 = 0;
  if (kept != NONE) {
    // If x was rejected, the only new entry is the one that entered Cand at its end.
    known = contains(out_of(y), kept, x) ? position : min(cand_count(y), C - 1);
  }
  replace_out(y, select_out(y, known));
}

/** Replaces Out(y) by CHOSEN; marks y and every node that gained or lost the edge from y. */
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

/** Empties Out(x). */
export function out_drop(x: u32): void {
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
