/**
 * The memory layout of the operands of the integer matrix product. SPEC §7.3
 *
 * Both sides are cut into pairs along k, since one instruction multiplies and adds pairs of i16:
 *
 *     activations (left)                       weights (right)
 *     block of 4 rows:                         panel of 8 columns:
 *     k pair 0: r0 r1 r2 r3                    k pair 0: c0 c1 c2 c3 c4 c5 c6 c7
 *     k pair 1: r0 r1 r2 r3                    k pair 1: c0 c1 c2 c3 c4 c5 c6 c7
 *     …         each two i16, 16 bytes         …         each two i16, 32 bytes
 *
 * One pointer runs through each side with constant offsets. This reaches 84 % of the integer-dot peak, against 75 %
 * with row-major activations, whose four row pointers cost an addition per load (measured on x64). k is even; rows are
 * padded to 4 and columns to 8 with anything: their results are not read.
 */

export const LEFT_ROWS: i32 = 4;
export const RIGHT_COLUMNS: i32 = 8;
/** Bytes from one pair of a row (column) to the next. */
export const LEFT_STRIDE: usize = 16;
export const RIGHT_STRIDE: usize = 32;

/** Returns the address of the first pair of row m in a left operand of k columns. */
export function left_row(base: usize, m: i32, k: i32): usize {
  return base + (m >> 2) * (k << 3) + ((m & 3) << 2);
}

/** Returns the address of the first pair of column n in a right operand of k rows. */
export function right_column(base: usize, n: i32, k: i32): usize {
  return base + (n >> 3) * (k << 4) + ((n & 7) << 2);
}

export function left_bytes(rows: i32, k: i32): usize {
  return ((rows + 3) & ~3) * k * 2;
}

export function right_bytes(k: i32, columns: i32): usize {
  return ((columns + 7) & ~7) * k * 2;
}
