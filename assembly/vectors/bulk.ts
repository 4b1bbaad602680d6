/**
 * Builds the graph from scratch, in steps that the host calls so that it can report progress, stop, and distribute
 * pairs.ts to workers: begin; lists of all ranks in any order; links; then Out and Adj, run by run; end.
 * SPEC §10.4, §10.5
 */
import { alloc } from "../memory";
import { adjacency_begin, adjacency_bytes, adjacency_make } from "./adjacency";
import { list_close } from "./cand";
import { graph_clear, graph_enter, graph_ready, graph_reserve, list_of } from "./graph";
import { link_append } from "./links";
import { is_free, level_of, NONE, node_count, slots_used } from "./nodes";
import { out_make } from "./out";
import { LIST_BYTES } from "./pairs";
import { slot_at } from "./ranks";
import { entry_set } from "./update";

/**
 * Reserves memory for everything; false if memory is short. The host then marks, makes ranks, and releases at the end.
 */
export function bulk_begin(): bool {
  graph_clear();
  let uppers: u32 = 0;
  for (let x: u32 = 0; x < slots_used; x++) if (!is_free(x) && level_of(x) > 0) uppers++;
  return graph_reserve(slots_used, uppers);
}

/** Reads the lists (rows, LIST_BYTES) of ranks first … first+rows−1, as pairs.ts wrote them. */
export function bulk_lists(lists: usize, first: u32, rows: u32): void {
  for (let i: u32 = 0; i < rows; i++) {
    const x = slot_at(first + i);
    graph_enter(x);
    const from = lists + <usize>i * LIST_BYTES;
    const to = list_of(x);
    const count = load<u32>(from);
    for (let j: u32 = 0; j < count; j++) {
      store<u32>(to + ((<usize>j) << 2), slot_at(load<u32>(from + ((<usize>j) << 2), 4)));
    }
    list_close(x, count, count == first + i);
  }
}

/** Sets the links of all nodes, in priority order; false if memory is short. */
export function bulk_links(): bool {
  const last = alloc((<usize>slots_used) << 2); // (slots) the last child so far
  if (last == 0) return false;
  memory.fill(last, 0xff, (<usize>slots_used) << 2);
  for (let rank: u32 = 1; rank < node_count; rank++) {
    const x = slot_at(rank);
    const near = load<u32>(list_of(x));
    const at = last + ((<usize>near) << 2);
    link_append(x, near, load<u32>(at));
    store<u32>(at, x);
  }
  return true;
}

export function bulk_out(first: u32, rows: u32): void {
  for (let i: u32 = 0; i < rows; i++) out_make(slot_at(first + i));
}

/** Reserves memory for the Adj steps that follow; false if memory is short. */
export function bulk_adjacency_begin(): bool {
  const at = alloc(adjacency_bytes(slots_used));
  if (at != 0) adjacency_begin(at, slots_used);
  return at != 0;
}

export function bulk_adjacency(first: u32, rows: u32): void {
  for (let i: u32 = 0; i < rows; i++) adjacency_make(slot_at(first + i));
}

export function bulk_end(): void {
  entry_set(node_count == 0 ? NONE : slot_at(0));
  graph_ready();
}
