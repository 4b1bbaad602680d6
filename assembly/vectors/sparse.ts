/**
 * Sparse vectors: postings by term, and the exact integer scores of a query over them. SPEC §24.2
 *
 * Chunks are numbered in the order of their ids, so that a smaller number comes first among equal scores, and everything
 * here is a function of the set. The host writes rows (chunk by chunk); they are turned into postings (term by term) once.
 *
 *     ids       (chunks)     16 bytes each, ascending
 *     starts    (terms + 1)  u32: the postings of term t are those from starts[t] to starts[t + 1]
 *     postings  (entries)    ┌ chunk 4 ┬ weight 4 ┐  by term, then by chunk
 *     scores    (chunks)     u64, of the current query
 *     rows      (entries)    ┌ term 4 ┬ weight 4 ┐  by chunk; only while the postings are made
 *     hit                    ┌ id 16 ┬ score 8 ┐
 */
import { BAD_ENTRY, NO_MEMORY, NOT_ASCENDING } from "../codes";
import { alloc, alloc_rows, failed_allocs, memory_mark, memory_release } from "../memory";

const WEIGHT_MAX: u32 = (1 << 20) - 1;

let base: usize = 0; // where this index starts in the arena
let chunks: u32 = 0;
let terms: u32 = 0;
let entries: u32 = 0;
let ids: usize = 0;
let starts: usize = 0;
let postings: usize = 0;
let scores: usize = 0;
let rows: usize = 0;
let row_ends: usize = 0; // (chunks) u32: where the row of a chunk ends
let rows_mark: usize = 0;
let chunks_added: u32 = 0;
let entries_added: u32 = 0;
let hits: usize = 0;

/** Makes room for an index that replaces the one before. Returns 0 or NO_MEMORY. */
export function sparse_init(chunk_count: u32, term_count: u32, entry_count: u32): i32 {
  if (base == 0) base = memory_mark();
  memory_release(base);
  const failed = failed_allocs;
  chunks = chunk_count;
  terms = term_count;
  entries = entry_count;
  chunks_added = 0;
  entries_added = 0;
  ids = alloc_rows(chunks, 16);
  starts = alloc_rows(<usize>terms + 1, 4);
  postings = alloc_rows(entries, 8);
  scores = alloc_rows(chunks, 8);
  rows_mark = memory_mark();
  rows = alloc_rows(entries, 8);
  row_ends = alloc_rows(chunks, 4);
  if (failed_allocs == failed) return 0;
  memory_release(base);
  return NO_MEMORY;
}

/** Where the host writes the id of the next chunk. */
export function sparse_id_input(): usize {
  return ids + ((<usize>chunks_added) << 4);
}

/** Where the host writes the row of the next chunk. */
export function sparse_row_input(): usize {
  return rows + ((<usize>entries_added) << 3);
}

/**
 * Adds the chunk whose id and row of `count` entries were written. Ids come in ascending order. Returns 0, NOT_ASCENDING,
 * or BAD_ENTRY if there are more chunks or entries than announced, or a term or a weight that cannot be.
 */
export function sparse_add(count: u32): i32 {
  if (chunks_added >= chunks || count > entries - entries_added) return BAD_ENTRY;
  const id = sparse_id_input();
  if (chunks_added > 0 && memory.compare(id - 16, id, 16) >= 0) return NOT_ASCENDING;
  const row = sparse_row_input();
  for (let i: u32 = 0; i < count; i++) {
    const at = row + ((<usize>i) << 3);
    const weight = load<u32>(at, 4);
    if (load<u32>(at) >= terms || weight == 0 || weight > WEIGHT_MAX) return BAD_ENTRY;
  }
  entries_added += count;
  store<u32>(row_ends + ((<usize>chunks_added) << 2), entries_added);
  chunks_added++;
  return 0;
}

/** Makes the postings of all rows that were added and frees the rows. */
export function sparse_ready(): void {
  chunks = chunks_added;
  memory.fill(starts, 0, (<usize>terms + 1) << 2);
  for (let i: u32 = 0; i < entries_added; i++) {
    const at = starts + ((<usize>load<u32>(rows + ((<usize>i) << 3))) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  // starts[t] becomes the end of term t; placing from the last chunk to the first moves it to its start.
  let sum: u32 = 0;
  for (let term: u32 = 0; term <= terms; term++) {
    const at = starts + ((<usize>term) << 2);
    sum += load<u32>(at);
    store<u32>(at, sum);
  }
  let end = entries_added;
  for (let chunk = <i32>chunks - 1; chunk >= 0; chunk--) {
    const first: u32 = chunk == 0 ? 0 : load<u32>(row_ends + ((<usize>(chunk - 1)) << 2));
    for (let i = first; i < end; i++) {
      const entry = rows + ((<usize>i) << 3);
      const at = starts + ((<usize>load<u32>(entry)) << 2);
      const place = load<u32>(at) - 1;
      store<u32>(at, place);
      const posting = postings + ((<usize>place) << 3);
      store<u32>(posting, <u32>chunk);
      store<u32>(posting, load<u32>(entry, 4), 4);
    }
    end = first;
  }
  memory_release(rows_mark);
}

/** Returns how many chunks are held. */
export function sparse_chunks(): u32 {
  return chunks;
}

/** Returns how many chunks have a term. */
export function sparse_having(term: u32): u32 {
  const at = starts + ((<usize>term) << 2);
  return load<u32>(at, 4) - load<u32>(at);
}

/**
 * Finds the first k chunks by (score descending, id ascending) among those that share a term with the query. The query is
 * `count` pairs (term, weight) at `query`. If `candidates` is not −1, only the chunks with one of the ids (16 bytes each, in
 * any order) at `candidate_ids` are found. Returns the number of hits, NO_MEMORY, or BAD_ENTRY for a term or weight that
 * cannot be. SPEC §24.2
 */
export function sparse_search(query: usize, count: u32, k: u32, candidate_ids: usize, candidates: i32): i32 {
  memory.fill(scores, 0, (<usize>chunks) << 3);
  for (let i: u32 = 0; i < count; i++) {
    const at = query + ((<usize>i) << 3);
    const weight = load<u32>(at, 4);
    if (load<u32>(at) >= terms || weight > WEIGHT_MAX) return BAD_ENTRY;
    add_term(load<u32>(at), <u64>weight);
  }
  const mark = memory_mark();
  k = min(k, chunks);
  const heap = alloc(<usize>k * 40); // (k) entries of 16 bytes, then (k) hits of 24
  if (heap == 0) return NO_MEMORY;
  const found =
    candidates < 0 ? <i32>best_of_all(heap, k) : best_of_candidates(heap, k, candidate_ids, <u32>candidates);
  if (found > 0) write_hits(heap, heap + ((<usize>k) << 4), <u32>found);
  memory_release(mark);
  return found;
}

/** scores[chunk] += query weight · posting weight, for every posting of a term. */
function add_term(term: u32, query_weight: u64): void {
  const at = starts + ((<usize>term) << 2);
  const end = postings + ((<usize>load<u32>(at, 4)) << 3);
  for (let posting = postings + ((<usize>load<u32>(at)) << 3); posting < end; posting += 8) {
    const both = load<u64>(posting);
    const score = scores + ((<usize>(both & 0xffffffff)) << 3);
    store<u64>(score, load<u64>(score) + query_weight * (both >> 32));
  }
}

/** Chunks are offered in ascending order: of equal scores the one that is there stays. */
function best_of_all(heap: usize, k: u32): u32 {
  let count: u32 = 0;
  let floor: u64 = 0;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) {
    const score = load<u64>(scores + ((<usize>chunk) << 3));
    if (score <= floor) continue;
    count = heap_offer(heap, count, k, score, chunk);
    if (count == k) floor = load<u64>(heap);
  }
  return count;
}

/** Marks the candidates' scores in a bitmap, then offers them in ascending order. Unknown ids are ignored. */
function best_of_candidates(heap: usize, k: u32, candidate_ids: usize, candidates: u32): i32 {
  const words = (chunks + 63) >> 6;
  const bitmap = alloc((<usize>words) << 3);
  if (bitmap == 0) return NO_MEMORY;
  memory.fill(bitmap, 0, (<usize>words) << 3);
  for (let i: u32 = 0; i < candidates; i++) {
    const chunk = number_of_id(candidate_ids + ((<usize>i) << 4));
    if (chunk >= chunks) continue;
    const word = bitmap + ((<usize>(chunk >> 6)) << 3);
    store<u64>(word, load<u64>(word) | ((<u64>1) << (chunk & 63)));
  }
  let count: u32 = 0;
  for (let i: u32 = 0; i < words; i++) {
    for (let word = load<u64>(bitmap + ((<usize>i) << 3)); word != 0; word &= word - 1) {
      const chunk = (i << 6) | <u32>ctz(word);
      const score = load<u64>(scores + ((<usize>chunk) << 3));
      if (score > 0) count = heap_offer(heap, count, k, score, chunk);
    }
  }
  return <i32>count;
}

/** Returns the number of the chunk with this id, or the number of chunks if there is none. */
function number_of_id(id: usize): u32 {
  let low: u32 = 0;
  let high = chunks;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = memory.compare(ids + ((<usize>middle) << 4), id, 16);
    if (order == 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return chunks;
}

// A heap of the best entries, the worst at its root.
//     entry   ┌ score 8 ┬ chunk 4 ┬ – 4 ┐

function heap_offer(heap: usize, count: u32, k: u32, score: u64, chunk: u32): u32 {
  if (count < k) {
    let at = count;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap + ((<usize>parent) << 4);
      if (is_before(score, chunk, above)) break;
      copy_entry(heap + ((<usize>at) << 4), above);
      at = parent;
    }
    write_entry(heap + ((<usize>at) << 4), score, chunk);
    return count + 1;
  }
  if (k > 0 && is_before(score, chunk, heap)) sink(heap, count, score, chunk);
  return count;
}

function sink(heap: usize, count: u32, score: u64, chunk: u32): void {
  let at: u32 = 0;
  for (;;) {
    let child = at * 2 + 1;
    if (child >= count) break;
    let below = heap + ((<usize>child) << 4);
    if (child + 1 < count && is_before(load<u64>(below), load<u32>(below, 8), below + 16)) {
      below += 16;
      child++;
    }
    // The worst of all stays at the root.
    if (!is_before(score, chunk, below)) break;
    copy_entry(heap + ((<usize>at) << 4), below);
    at = child;
  }
  write_entry(heap + ((<usize>at) << 4), score, chunk);
}

/** Returns whether (score, chunk) comes before the entry at `other`. */
function is_before(score: u64, chunk: u32, other: usize): bool {
  const theirs = load<u64>(other);
  return score != theirs ? score > theirs : chunk < load<u32>(other, 8);
}

function write_entry(at: usize, score: u64, chunk: u32): void {
  store<u64>(at, score);
  store<u32>(at, chunk, 8);
}

function copy_entry(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u32>(to, load<u32>(from, 8), 8);
}

/** records (count) = the entries of the heap, best first. */
function write_hits(heap: usize, records: usize, count: u32): void {
  hits = records;
  while (count > 0) {
    const record = records + <usize>(count - 1) * 24;
    memory.copy(record, ids + ((<usize>load<u32>(heap, 8)) << 4), 16);
    store<u64>(record, load<u64>(heap), 16);
    count--;
    const last = heap + ((<usize>count) << 4);
    sink(heap, count, load<u64>(last), load<u32>(last, 8));
  }
}

/** Returns the address of the hits of the last search, valid until the next call. */
export function sparse_hits(): usize {
  return hits;
}
