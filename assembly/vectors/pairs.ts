/**
 * Builds the lists of a run of ranks from scratch: compares every vector with all of smaller rank, in tiles. A list
 * depends on nothing but the vectors, so runs can be distributed to workers in any way. One call per run of 128: within
 * one long call V8 stays in its first, slow tier (measured: 62 s instead of 26 s at 60,000). SPEC §10.4
 */
import { alloc, failed_allocs, memory_mark, memory_release } from "../memory";
import { across4, dot_i16 } from "./dot";
import { LIST_MAX } from "./graph";
import { BY_NUMBER, dot_of, entry_of, heap_offer, heap_sort, number_of } from "./heap";
import { vector_bytes, vector_of } from "./nodes";
import { slot_at } from "./ranks";

/** Columns that stay in the L1 cache while all rows of the run are compared with them. */
const PANEL: u32 = 32;
const ROW_BYTES: usize = 8 + 128 * 8; // count, floor, heap
const DOTS: usize = memory.data(4 * 32 * 4, 16); // (row, column) of one tile of 4 rows

/** Bytes of one list that `pairs_lists` writes: count, then 128 ranks. */
export const LIST_BYTES: usize = 4 + 128 * 4;

/** out (rows, LIST_BYTES) = the lists of ranks first … first+rows−1; false if memory is short. */
export function pairs_lists(out: usize, first: u32, rows: u32): bool {
  const mark = memory_mark();
  const groups = (rows + 3) & ~3;
  const failed = failed_allocs;
  const heaps = alloc(<usize>groups * ROW_BYTES);
  const addresses = alloc((<usize>(groups + PANEL)) << 2); // rows, then the columns of a panel
  if (failed_allocs != failed) {
    memory_release(mark);
    return false;
  }
  const panel = addresses + ((<usize>groups) << 2);
  for (let i: u32 = 0; i < groups; i++) {
    store<u32>(addresses + ((<usize>i) << 2), <u32>vector_of(slot_at(first + min(i, rows - 1))));
    store<u32>(heaps + <usize>i * ROW_BYTES, 0);
    store<i32>(heaps + <usize>i * ROW_BYTES, i32.MIN_VALUE, 4);
  }
  const end = first + rows - 1; // the last row has the most columns: all ranks below its own
  for (let column: u32 = 0; column < end; column += PANEL) {
    const columns = min(PANEL, end - column);
    const padded = (columns + 1) & ~1;
    for (let j: u32 = 0; j < padded; j++) {
      store<u32>(panel + ((<usize>j) << 2), <u32>vector_of(slot_at(column + min(j, columns - 1))));
    }
    for (let i: u32 = 0; i < groups; i += 4) {
      for (let j: u32 = 0; j < padded; j += 2) {
        tile_4x2(DOTS + ((<usize>j) << 2), addresses + ((<usize>i) << 2), panel + ((<usize>j) << 2));
      }
      const last = min(i + 4, rows);
      for (let row = i; row < last; row++) {
        const limit = min(columns, max(first + row, column) - column); // columns of smaller rank than the row
        offer_row(heaps + <usize>row * ROW_BYTES, DOTS + ((<usize>(row - i)) << 7), column, limit);
      }
    }
  }
  for (let i: u32 = 0; i < rows; i++) {
    const row = heaps + <usize>i * ROW_BYTES;
    const count = load<u32>(row);
    heap_sort(row + 8, count, BY_NUMBER);
    const list = out + <usize>i * LIST_BYTES;
    store<u32>(list, count);
    for (let j: u32 = 0; j < count; j++) {
      store<u32>(list + ((<usize>j) << 2), number_of(load<u64>(row + 8 + ((<usize>j) << 3))), 4);
    }
  }
  memory_release(mark);
  return true;
}

/**
 * dots (4 rows with a stride of PANEL, 2 columns) = the dots of the vectors whose addresses are at rows (4), columns
 * (2).
 */
function tile_4x2(dots: usize, rows: usize, columns: usize): void {
  const a = <usize>load<u32>(rows);
  const b = <usize>load<u32>(rows, 4);
  const c = <usize>load<u32>(rows, 8);
  const d = <usize>load<u32>(rows, 12);
  const p = <usize>load<u32>(columns);
  const q = <usize>load<u32>(columns, 4);
  if (ASC_FEATURE_SIMD) {
    let ap = i32x4.splat(0);
    let bp = i32x4.splat(0);
    let cp = i32x4.splat(0);
    let dp = i32x4.splat(0);
    let aq = i32x4.splat(0);
    let bq = i32x4.splat(0);
    let cq = i32x4.splat(0);
    let dq = i32x4.splat(0);
    for (let i: usize = 0; i < vector_bytes; i += 16) {
      const x = v128.load(p + i);
      const y = v128.load(q + i);
      let row = v128.load(a + i);
      ap = i32x4.add(ap, i32x4.dot_i16x8_s(row, x));
      aq = i32x4.add(aq, i32x4.dot_i16x8_s(row, y));
      row = v128.load(b + i);
      bp = i32x4.add(bp, i32x4.dot_i16x8_s(row, x));
      bq = i32x4.add(bq, i32x4.dot_i16x8_s(row, y));
      row = v128.load(c + i);
      cp = i32x4.add(cp, i32x4.dot_i16x8_s(row, x));
      cq = i32x4.add(cq, i32x4.dot_i16x8_s(row, y));
      row = v128.load(d + i);
      dp = i32x4.add(dp, i32x4.dot_i16x8_s(row, x));
      dq = i32x4.add(dq, i32x4.dot_i16x8_s(row, y));
    }
    const ab = across4(ap, aq, bp, bq);
    const cd = across4(cp, cq, dp, dq);
    v128.store64_lane(dots, ab, 0);
    v128.store64_lane(dots, ab, 1, PANEL * 4);
    v128.store64_lane(dots, cd, 0, 2 * PANEL * 4);
    v128.store64_lane(dots, cd, 1, 3 * PANEL * 4);
  } else {
    store<i32>(dots, dot_i16(a, p, vector_bytes));
    store<i32>(dots, dot_i16(a, q, vector_bytes), 4);
    store<i32>(dots, dot_i16(b, p, vector_bytes), PANEL * 4);
    store<i32>(dots, dot_i16(b, q, vector_bytes), PANEL * 4 + 4);
    store<i32>(dots, dot_i16(c, p, vector_bytes), 2 * PANEL * 4);
    store<i32>(dots, dot_i16(c, q, vector_bytes), 2 * PANEL * 4 + 4);
    store<i32>(dots, dot_i16(d, p, vector_bytes), 3 * PANEL * 4);
    store<i32>(dots, dot_i16(d, q, vector_bytes), 3 * PANEL * 4 + 4);
  }
}

/** Offers ranks column … column+limit−1. Ranks ascend from call to call, so among equal dots the earlier one stays. */
function offer_row(row: usize, dots: usize, column: u32, limit: u32): void {
  let floor = load<i32>(row, 4);
  let i: u32 = 0;
  while (i < limit) {
    if (ASC_FEATURE_SIMD) {
      const floors = i32x4.splat(floor);
      while (i + 4 <= limit && !v128.any_true(i32x4.gt_s(v128.load(dots + ((<usize>i) << 2)), floors)))
        i += 4;
    }
    const end = min(i + 4, limit);
    for (; i < end; i++) {
      const dot = load<i32>(dots + ((<usize>i) << 2));
      if (dot <= floor) continue;
      const count = heap_offer(row + 8, load<u32>(row), LIST_MAX, entry_of(dot, column + i), BY_NUMBER);
      store<u32>(row, count);
      if (count == LIST_MAX) floor = dot_of(load<u64>(row, 8));
    }
  }
  store<i32>(row, floor, 4);
}
