/**
 * One index in one instance: what the host calls to change and to search it. Ids and vectors are passed in at two fixed
 * addresses (`vectors_id_input`, `vectors_vector_input`); hits are returned as records. SPEC §10
 *
 *     hit     ┌ id 16 ┬ dot 4 ┬ – 4 ┐
 *             0       16      20   24
 */
import { ADDED, NO_MEMORY, NOT_ADMITTED, UNCHANGED, UPDATED } from "../codes";
import { alloc, memory_mark, memory_release } from "../memory";
import { is_admitted } from "./dot";
import { exact_all, exact_candidates } from "./exact";
import { graph_ready, graph_reserve, graph_reset, has_graph } from "./graph";
import { dot_of, number_of } from "./heap";
import { id_add, id_at, id_count, id_find, id_node, id_remove, ids_reserve, ids_reset } from "./ids";
import {
  first_id_of,
  label_vector,
  NONE,
  node_count,
  node_find,
  node_release,
  node_take,
  nodes_reserve,
  nodes_reset,
  slots_used,
  vector_bytes,
  vector_of,
} from "./nodes";
import { search_graph } from "./search";
import { entry_set, graph_delete, graph_insert, update_reserve } from "./update";

const DIM_MAX: u32 = 4096;

const ID_INPUT: usize = memory.data(16, 16);
const LABEL: usize = memory.data(32, 16);

let base: usize = 0; // where this index starts in the arena
let vector_input: usize = 0;
let hits: usize = 0;

/** Creates an empty index that replaces the one before; returns 0 or NO_MEMORY. dim is a multiple of 8 up to 4,096. */
export function vectors_init(dim: u32, with_graph: bool): i32 {
  assert(dim > 0 && dim <= DIM_MAX && dim % 8 == 0);
  if (base == 0) base = memory_mark();
  memory_release(base);
  const bytes = (<usize>dim) << 1;
  vector_input = alloc(bytes);
  entry_set(NONE);
  graph_reset();
  if (vector_input == 0 || !nodes_reset(bytes) || !ids_reset()) return NO_MEMORY;
  if (with_graph) {
    if (!graph_reserve(0, 0)) return NO_MEMORY;
    graph_ready();
  }
  return 0;
}

/** Returns whether vectors_init was called; the index may be empty. */
export function vectors_held(): bool {
  return base != 0;
}

/** Drops the index, as before vectors_init; its memory is released. */
export function vectors_drop(): void {
  memory_release(base);
  base = 0;
  graph_reset();
}

export function vectors_id_input(): usize {
  return ID_INPUT;
}

export function vectors_vector_input(): usize {
  return vector_input;
}

/** Returns how many ids are held. */
export function vectors_ids(): u32 {
  return id_count;
}

/** Returns how many distinct vectors are held. */
export function vectors_nodes(): u32 {
  return node_count;
}

/**
 * Assigns the vector to the id. Returns ADDED, UPDATED or UNCHANGED; or NO_MEMORY or NOT_ADMITTED, and then nothing has
 * changed.
 */
export function vectors_add(): i32 {
  if (!is_admitted(vector_input, vector_bytes)) return NOT_ADMITTED;
  const held = id_find(ID_INPUT);
  if (held != NONE && memory.compare(vector_of(id_node(held)), vector_input, vector_bytes) == 0) {
    return UNCHANGED;
  }
  if (!nodes_reserve(1) || !ids_reserve(1)) return NO_MEMORY;
  if (has_graph && (!graph_reserve(slots_used + 1, 1) || !update_reserve(slots_used + 1))) return NO_MEMORY;
  if (held != NONE) remove(held);
  label_vector(LABEL, vector_input);
  let node = node_find(LABEL, vector_input);
  if (node == NONE) {
    node = node_take(LABEL, vector_input);
    if (has_graph) graph_insert(node);
  }
  id_add(ID_INPUT, node);
  return held == NONE ? ADDED : UPDATED;
}

/** Removes the id. Returns 1; 0 if it was not held; or NO_MEMORY, and then nothing has changed. */
export function vectors_remove(): i32 {
  const held = id_find(ID_INPUT);
  if (held == NONE) return 0;
  if (has_graph && !update_reserve(slots_used)) return NO_MEMORY;
  remove(held);
  return 1;
}

function remove(record: u32): void {
  const node = id_node(record);
  id_remove(record);
  if (first_id_of(node) != NONE) return;
  if (has_graph) graph_delete(node);
  node_release(node);
}

/** Returns the address of the vector of the id, or 0. */
export function vectors_find(): usize {
  const held = id_find(ID_INPUT);
  return held == NONE ? 0 : vector_of(id_node(held));
}

/** Finds the first k hits by the graph. Returns the count, NO_MEMORY or NOT_ADMITTED. k and ef are at least 1. */
export function vectors_search(k: u32, ef: u32): i32 {
  if (!is_admitted(vector_input, vector_bytes)) return NOT_ADMITTED;
  const mark = memory_mark();
  k = min(k, id_count);
  hits = alloc((<usize>k) << 5);
  const count = hits == 0 ? NO_MEMORY : search_graph(hits, vector_input, k, min(ef, node_count));
  memory_release(mark);
  return write_hits(count, k);
}

/** Finds the first k of all hits. */
export function vectors_exact(k: u32): i32 {
  if (!is_admitted(vector_input, vector_bytes)) return NOT_ADMITTED;
  const mark = memory_mark();
  k = min(k, id_count);
  hits = alloc((<usize>k) << 5);
  const count = hits == 0 ? NO_MEMORY : <i32>exact_all(hits, vector_input, k);
  memory_release(mark);
  return write_hits(count, k);
}

/** Finds the first k hits among the ids (candidates, 16 bytes) at `ids`. */
export function vectors_exact_candidates(k: u32, ids: usize, candidates: u32): i32 {
  if (!is_admitted(vector_input, vector_bytes)) return NOT_ADMITTED;
  const mark = memory_mark();
  k = min(k, min(candidates, id_count));
  hits = alloc((<usize>k) << 5);
  const count = hits == 0 ? NO_MEMORY : exact_candidates(hits, vector_input, k, ids, candidates);
  memory_release(mark);
  return write_hits(count, k);
}

/** Converts the entries (8 bytes) at `hits` to records (24 bytes) after the space for k of them; returns count. */
function write_hits(count: i32, k: u32): i32 {
  const records = hits + ((<usize>k) << 3);
  for (let i: i32 = 0; i < count; i++) {
    const hit = load<u64>(hits + ((<usize>i) << 3));
    const record = records + <usize>i * 24;
    memory.copy(record, id_at(number_of(hit)), 16);
    store<i32>(record, dot_of(hit), 16);
  }
  hits = records;
  return count;
}

/** Returns the address of the hits of the last search, valid until the next call. */
export function vectors_hits(): usize {
  return hits;
}
