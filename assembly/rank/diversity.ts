/**
 * Maximal marginal relevance on i16 vectors, exact in i64. SPEC §16.3
 *
 * Rows are `bytes` long, a multiple of 16, and are in fused order: row 0 is the best.
 */
import { BAD_LAMBDA, BAD_ROW, NO_MEMORY } from "../codes";
import { alloc, failed_allocs, memory_mark, memory_release } from "../memory";
import { dot_i16, is_admitted } from "../vectors/dot";

const NONE: i64 = i64.MIN_VALUE; // below every value: |λ·dot| + |(1000−λ)·dot| < 2³¹·1000

/**
 * out (u32 each) = the numbers of the first `count` rows (all, if there are fewer) in diversified order. Each next row
 * has the largest λ·dot(row, query) − (1000−λ)·max over chosen of dot(row, chosen), where the maximum of nothing is 0;
 * among equal ones, the first row wins. Returns how many were written, or NO_MEMORY, BAD_LAMBDA or BAD_ROW.
 */
export function rank_diversify(
  out: usize,
  rows: usize,
  query: usize,
  items: u32,
  bytes: usize,
  lambda: u32,
  count: u32,
): i32 {
  if (lambda > 1000) return BAD_LAMBDA;
  if ((bytes & 15) != 0 || bytes == 0 || !is_admitted(query, bytes)) return BAD_ROW;
  for (let item: u32 = 0; item < items; item++) {
    if (!is_admitted(rows + <usize>item * bytes, bytes)) return BAD_ROW;
  }
  const mark = memory_mark();
  const relevance = alloc((<usize>items) << 2); // i32 (item): dot(item, query)
  if (relevance == 0) return NO_MEMORY;
  for (let item: u32 = 0; item < items; item++) {
    store<i32>(relevance + ((<usize>item) << 2), dot_i16(rows + <usize>item * bytes, query, bytes));
  }
  const written = choose(out, rows, relevance, items, bytes, lambda, count);
  memory_release(mark);
  return written;
}

/**
 * The same with the relevance of each row given (i32 each, at most 2³⁰ in absolute value) instead of its dot product with
 * a query. SPEC §26.9
 */
export function rank_diversify_by(
  out: usize,
  rows: usize,
  relevance: usize,
  items: u32,
  bytes: usize,
  lambda: u32,
  count: u32,
): i32 {
  if (lambda > 1000) return BAD_LAMBDA;
  if ((bytes & 15) != 0 || bytes == 0) return BAD_ROW;
  for (let item: u32 = 0; item < items; item++) {
    if (!is_admitted(rows + <usize>item * bytes, bytes)) return BAD_ROW;
  }
  return choose(out, rows, relevance, items, bytes, lambda, count);
}

/** Returns how many rows were chosen, or NO_MEMORY. */
function choose(
  out: usize,
  rows: usize,
  relevance_of: usize, // i32 (item)
  items: u32,
  bytes: usize,
  lambda: u32,
  count: u32,
): i32 {
  const mark = memory_mark();
  const failed = failed_allocs;
  const relevance = alloc((<usize>items) << 3); // i64 (item): λ·relevance
  const closest = alloc((<usize>items) << 2); // i32 (item): max over chosen of dot(item, chosen)
  const chosen = alloc(<usize>items); // u8 (item)
  if (failed_allocs != failed) {
    memory_release(mark);
    return NO_MEMORY;
  }
  for (let item: u32 = 0; item < items; item++) {
    const own = load<i32>(relevance_of + ((<usize>item) << 2));
    store<i64>(relevance + ((<usize>item) << 3), <i64>lambda * <i64>own);
  }
  memory.fill(closest, 0, (<usize>items) << 2);
  memory.fill(chosen, 0, <usize>items);
  const wanted = count < items ? count : items;
  for (let step: u32 = 0; step < wanted; step++) {
    const best = best_of(relevance, closest, chosen, items, 1000 - lambda);
    store<u8>(chosen + <usize>best, 1);
    store<u32>(out + ((<usize>step) << 2), best);
    approach(closest, rows, items, bytes, best, step == 0);
  }
  memory_release(mark);
  return <i32>wanted;
}

/** Returns the first of the best rows that are not chosen yet; there is always one. */
function best_of(relevance: usize, closest: usize, chosen: usize, items: u32, penalty: u32): u32 {
  let best: u32 = 0;
  let best_value = NONE;
  for (let item: u32 = 0; item < items; item++) {
    if (load<u8>(chosen + <usize>item)) continue;
    const near = <i64>load<i32>(closest + ((<usize>item) << 2));
    const value = load<i64>(relevance + ((<usize>item) << 3)) - <i64>penalty * near;
    if (value > best_value) {
      best_value = value;
      best = item;
    }
  }
  return best;
}

/** closest[i] = max(closest[i], dot(i, newest)); for the first chosen row, the maximum is this dot product alone. */
function approach(closest: usize, rows: usize, items: u32, bytes: usize, newest: u32, is_first: bool): void {
  const row = rows + <usize>newest * bytes;
  for (let item: u32 = 0; item < items; item++) {
    const at = closest + ((<usize>item) << 2);
    const dot = dot_i16(rows + <usize>item * bytes, row, bytes);
    if (is_first || dot > load<i32>(at)) store<i32>(at, dot);
  }
}
