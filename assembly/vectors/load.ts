/**
 * Loads a snapshot, piece by piece as the host copies it, and checks every rule of SPEC §10.8 on the way. So a loaded
 * index is safe to search and to update whatever the bytes were. Slots are ranks here.
 */
import {
  BAD_ADJACENCY,
  BAD_IDS,
  BAD_LENGTH,
  BAD_LIST,
  BAD_OUT,
  MISSING_LINK,
  NO_MEMORY,
  NOT_ADMITTED,
  NOT_ASCENDING,
  WRONG_DIGEST,
} from "../codes";
import { blake3_4 } from "../hash/blake3";
import { alloc, memory_mark, memory_release } from "../memory";
import { list_close } from "./cand";
import { is_admitted } from "./dot";
import {
  adjacency_of,
  C,
  cache_reserve,
  chunks_clear,
  get,
  graph_enter_fields,
  graph_enter_levels,
  graph_ready,
  incoming_add,
  LIST_MAX,
  levels_bytes,
  levels_reserve,
  list_of,
  M,
  MMAX,
  MMAX_0,
  NEAR,
  OUT_COUNT,
  OUT_KEPT,
  out_of,
  PREVIOUS_SIBLING,
  set,
} from "./graph";
import { bytes16_less, id_add, id_count, id_find, ids_reserve } from "./ids";
import { link_append } from "./links";
import {
  label_from_digest,
  label_of,
  level_of,
  NONE,
  node_adopt,
  node_count,
  nodes_reserve,
  precedes,
  vector_bytes,
  vector_of,
} from "./nodes";
import { HEADER } from "./save";
import { entry_set } from "./update";

const DIGESTS: usize = memory.data(4 * 32, 16);

let last_child: usize = 0; // (nodes) the last child so far
let marks: usize = 0; // (nodes) the row that last listed the node
let ids_announced: u32 = 0; // ids that space is reserved for

/** Reserves space for n nodes and m ids. The host then copies vectors and digests into slots, a block at a time. */
export function load_begin(n: u32, m: u32, with_graph: bool): i32 {
  // Memory grows once for nearly everything that follows: each growth costs the host about a millisecond.
  const mark = memory_mark();
  alloc(<usize>n * (vector_bytes + 41) + ((<usize>m) << 5) + (with_graph ? levels_bytes(n) : 0));
  memory_release(mark);
  ids_announced = m;
  return nodes_reserve(n) && ids_reserve(m) ? 0 : NO_MEMORY;
}

/** Adopts the next `count` slots of one block, whose vectors and digests are in place. */
export function load_nodes(count: u32): i32 {
  const first = node_count;
  for (let i: u32 = 0; i < count; i += 4) {
    // The block is fully allocated, so the last group may read slots that are not filled; they are not compared.
    blake3_4(DIGESTS, vector_of(first + i), vector_bytes, vector_bytes);
    const end = min<u32>(4, count - i);
    for (let j: u32 = 0; j < end; j++) {
      const slot = first + i + j;
      const label = label_of(slot);
      if (memory.compare(label, DIGESTS + ((<usize>j) << 5), 32) != 0) return WRONG_DIGEST;
      if (!is_admitted(vector_of(slot), vector_bytes)) return NOT_ADMITTED;
      label_from_digest(label);
      if (slot > 0 && !precedes(slot - 1, slot)) return NOT_ASCENDING;
      node_adopt();
    }
  }
  return 0;
}

/** Reserves space for the graph of all nodes. */
export function load_graph_begin(): i32 {
  let uppers: u32 = 0;
  for (let x: u32 = 0; x < node_count; x++) if (level_of(x) > 0) uppers++;
  if (!levels_reserve(node_count, uppers)) return NO_MEMORY;
  for (let x: u32 = 0; x < node_count; x++) graph_enter_levels(x);
  return 0;
}

/** Reads ids, and adjacency if there is a graph, from the canonical bytes. The host has checked their header. */
export function load_canonical(bytes: usize, length: usize, with_graph: bool): i32 {
  const end = bytes + length;
  let counts = bytes + HEADER + ((<usize>node_count) << 5);
  let at = counts + ((<usize>node_count) << 2);
  for (let x: u32 = 0; x < node_count; x++, counts += 4) {
    const count = load<u32>(counts);
    if (count == 0 || count > ids_announced - id_count || (<u64>count) << 4 > <u64>(end - at)) return BAD_IDS;
    for (let i: u32 = 0; i < count; i++, at += 16) {
      if ((i > 0 && !bytes16_less(at - 16, at)) || id_find(at) != NONE) return BAD_IDS;
      id_add(at, x);
    }
  }
  if (id_count != ids_announced) return BAD_IDS;
  if (with_graph) {
    for (let x: u32 = 0; x < node_count; x++) {
      const levels = level_of(x);
      for (let level: u32 = 0; level <= levels; level++) {
        if (end - at < 4) return BAD_LENGTH;
        const size = level == 0 ? node_count : level_size(level); // the nodes of a level have the lowest ranks
        const count = load<u32>(at);
        if (count > (level == 0 ? MMAX_0 : MMAX) + 3) return BAD_ADJACENCY;
        if ((<usize>count) << 2 > end - at - 4) return BAD_LENGTH;
        for (let i: u32 = 0; i < count; i++) {
          const y = load<u32>(at + ((<usize>i) << 2), 4);
          if (y >= size || y == x || (i > 0 && y <= load<u32>(at + ((<usize>i) << 2)))) return BAD_ADJACENCY;
        }
        memory.copy(adjacency_of(x, level), at, 4 + ((<usize>count) << 2));
        at += 4 + ((<usize>count) << 2);
      }
    }
  }
  return at == end ? 0 : BAD_LENGTH;
}

/** Returns how many nodes are in a level: levels never increase along the ranks. */
function level_size(level: u32): u32 {
  let low: u32 = 0;
  let high = node_count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (level_of(middle) >= level) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Makes the graph searchable. Before it can be changed, its lists must be loaded. */
export function load_graph_end(): void {
  entry_set(node_count == 0 ? NONE : 0);
  graph_ready();
}

/** Reserves the space of the lists, which stays. */
export function load_lists_reserve(): i32 {
  return cache_reserve(node_count) ? 0 : NO_MEMORY;
}

/** Allocates scratch for the lists. After a failure they can be loaded again, as long as nothing else has changed. */
export function load_lists_begin(): i32 {
  last_child = alloc((<usize>node_count) << 3);
  if (last_child == 0) return NO_MEMORY;
  memory.fill(last_child, 0xff, (<usize>node_count) << 3);
  marks = last_child + ((<usize>node_count) << 2);
  for (let x: u32 = 0; x < node_count; x++) graph_enter_fields(x);
  chunks_clear();
  return 0;
}

/** Loads the cache (528 · count bytes) of ranks first … first+count−1; runs come in ascending order. */
export function load_lists(bytes: usize, first: u32, count: u32): i32 {
  for (let i: u32 = 0; i < count; i++) {
    const list = bytes + ((<usize>i) << 9);
    const tail = bytes + ((<usize>count) << 9) + ((<usize>i) << 4);
    const code = load_list(first + i, list, load<u32>(tail), tail + 4);
    if (code != 0) return code;
  }
  return 0;
}

function load_list(x: u32, list: usize, length: u32, out_bits: usize): i32 {
  if (length > min(LIST_MAX, x) || length < min(C, x)) return BAD_LIST;
  const to = list_of(x);
  for (let j: u32 = 0; j < length; j++) {
    const y = load<u32>(list + ((<usize>j) << 2));
    if (y >= x) return BAD_LIST;
    const mark = marks + ((<usize>y) << 2);
    if (load<u32>(mark) == x) return BAD_LIST;
    store<u32>(mark, x);
    store<u32>(to + ((<usize>j) << 2), y);
  }
  list_close(x, length, length == x);
  if (length > 0) {
    const near = load<u32>(to);
    const last = last_child + ((<usize>near) << 2);
    link_append(x, near, load<u32>(last));
    store<u32>(last, x);
  }
  const size = min(C, length);
  const wanted = min(M, length);
  const out = out_of(x);
  let chosen: u32 = 0;
  for (let byte: u32 = 0; byte < C / 8; byte++) {
    for (let bits = <u32>load<u8>(out_bits + <usize>byte); bits != 0; bits &= bits - 1) {
      const j = (byte << 3) + <u32>ctz(bits);
      if (j >= size || chosen == wanted) return BAD_OUT;
      const y = load<u32>(to + ((<usize>j) << 2));
      store<u32>(out + ((<usize>chosen) << 2), y);
      chosen++;
      incoming_add(y, x);
    }
  }
  if (chosen != wanted) return BAD_OUT;
  set(x, OUT_COUNT, chosen);
  set(x, OUT_KEPT, NONE);
  return 0;
}

/** Checks that adjacency holds all links at both ends, so that every level is connected. */
export function load_lists_end(): i32 {
  for (let x: u32 = 1; x < node_count; x++) {
    const previous = get(x, PREVIOUS_SIBLING);
    const link = previous != NONE ? previous : get(x, NEAR);
    const levels = level_of(x);
    for (let level: u32 = 0; level <= levels; level++) {
      if (!is_adjacent(x, link, level) || !is_adjacent(link, x, level)) return MISSING_LINK;
    }
  }
  return 0;
}

function is_adjacent(x: u32, y: u32, level: u32): bool {
  const adjacency = adjacency_of(x, level);
  const count = load<u32>(adjacency);
  for (let i: u32 = 0; i < count; i++) if (load<u32>(adjacency + ((<usize>i) << 2), 4) == y) return true;
  return false;
}
