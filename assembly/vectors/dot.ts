/**
 * Dot products of i16 rows with wrapping i32 accumulators: exact for admitted vectors, in any order. SPEC §10.1
 * Rows are `bytes` long, a multiple of 16.
 */

/** Returns Σ a[i]·b[i]. */
export function dot_i16(a: usize, b: usize, bytes: usize): i32 {
  if (ASC_FEATURE_SIMD) {
    let sum = i32x4.splat(0);
    for (let i: usize = 0; i < bytes; i += 16) {
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(a + i), v128.load(b + i)));
    }
    return across(sum);
  } else {
    let sum: i32 = 0;
    for (let i: usize = 0; i < bytes; i += 4) {
      sum += <i32>load<i16>(a + i) * <i32>load<i16>(b + i);
      sum += <i32>load<i16>(a + i + 2) * <i32>load<i16>(b + i + 2);
    }
    return sum;
  }
}

/** out[0…3] = q·a, q·b, q·c, q·d. Reads q once; one transposition adds up all four. */
export function dot4_i16(out: usize, q: usize, a: usize, b: usize, c: usize, d: usize, bytes: usize): void {
  if (ASC_FEATURE_SIMD) {
    let sa = i32x4.splat(0);
    let sb = i32x4.splat(0);
    let sc = i32x4.splat(0);
    let sd = i32x4.splat(0);
    for (let i: usize = 0; i < bytes; i += 16) {
      const x = v128.load(q + i);
      sa = i32x4.add(sa, i32x4.dot_i16x8_s(x, v128.load(a + i)));
      sb = i32x4.add(sb, i32x4.dot_i16x8_s(x, v128.load(b + i)));
      sc = i32x4.add(sc, i32x4.dot_i16x8_s(x, v128.load(c + i)));
      sd = i32x4.add(sd, i32x4.dot_i16x8_s(x, v128.load(d + i)));
    }
    v128.store(out, across4(sa, sb, sc, sd));
  } else {
    store<i32>(out, dot_i16(q, a, bytes));
    store<i32>(out + 4, dot_i16(q, b, bytes));
    store<i32>(out + 8, dot_i16(q, c, bytes));
    store<i32>(out + 12, dot_i16(q, d, bytes));
  }
}

/**
 * out[i] = q · row i, for `count` consecutive rows. Each row is read from end to end, so that memory is read in one
 * stream. With four rows side by side, as in dot4_i16, the prefetcher loses track (measured: a quarter of the speed
 * beyond the caches).
 */
export function dot_rows_i16(out: usize, q: usize, rows: usize, count: u32, bytes: usize): void {
  let i: u32 = 0;
  if (ASC_FEATURE_SIMD) {
    for (; i + 4 <= count; i += 4) {
      const a = row_sums(q, rows, bytes);
      const b = row_sums(q, rows + bytes, bytes);
      const c = row_sums(q, rows + 2 * bytes, bytes);
      const d = row_sums(q, rows + 3 * bytes, bytes);
      v128.store(out + ((<usize>i) << 2), across4(a, b, c, d));
      rows += 4 * bytes;
    }
  }
  for (; i < count; i++, rows += bytes) store<i32>(out + ((<usize>i) << 2), dot_i16(q, rows, bytes));
}

/** Returns four sums whose sum is the dot product. */
function row_sums(q: usize, row: usize, bytes: usize): v128 {
  let s = i32x4.splat(0);
  let t = i32x4.splat(0);
  let i: usize = 0;
  for (; i + 64 <= bytes; i += 64) {
    s = i32x4.add(s, i32x4.dot_i16x8_s(v128.load(q + i), v128.load(row + i)));
    t = i32x4.add(t, i32x4.dot_i16x8_s(v128.load(q + i, 16), v128.load(row + i, 16)));
    s = i32x4.add(s, i32x4.dot_i16x8_s(v128.load(q + i, 32), v128.load(row + i, 32)));
    t = i32x4.add(t, i32x4.dot_i16x8_s(v128.load(q + i, 48), v128.load(row + i, 48)));
  }
  for (; i < bytes; i += 16) s = i32x4.add(s, i32x4.dot_i16x8_s(v128.load(q + i), v128.load(row + i)));
  return i32x4.add(s, t);
}

/** Returns Σ v[i]², in 64 bits, or −1 if an element is −32768. SPEC §10.1 */
export function norm_i16(v: usize, bytes: usize): i64 {
  if (ASC_FEATURE_SIMD) {
    let sum = i64x2.splat(0);
    let lowest = i16x8.splat(0);
    for (let i: usize = 0; i < bytes; i += 16) {
      const x = v128.load(v + i);
      lowest = i16x8.min_s(lowest, x);
      const pairs = i32x4.dot_i16x8_s(x, x); // at most 2·32767², below 2³¹; the one case above it is refused
      sum = i64x2.add(sum, i64x2.add(i64x2.extend_low_i32x4_u(pairs), i64x2.extend_high_i32x4_u(pairs)));
    }
    if (v128.any_true(i16x8.eq(lowest, i16x8.splat(-32768)))) return -1;
    return i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1);
  } else {
    let sum: i64 = 0;
    for (let i: usize = 0; i < bytes; i += 2) {
      const x = <i32>load<i16>(v + i);
      if (x == -32768) return -1;
      sum += <i64>(x * x);
    }
    return sum;
  }
}

/** Returns whether an index accepts the vector. SPEC §10.1 */
export function is_admitted(v: usize, bytes: usize): bool {
  const norm = norm_i16(v, bytes);
  return norm >= 0 && norm <= <i64>i32.MAX_VALUE;
}

/** Returns the sum of the four lanes. */
function across(x: v128): i32 {
  const y = i32x4.add(x, v128.shuffle<i32>(x, x, 2, 3, 0, 1));
  return i32x4.extract_lane(y, 0) + i32x4.extract_lane(y, 1);
}

/** Lane i is the sum of the lanes of the i-th argument. */
export function across4(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}
