import { left_bytes, right_bytes } from "./panels";

/**
 * out (rows, n) i32 = left (rows, k) i16 · right (k, n) i16, both laid out as in panels.ts. SPEC §7.3
 *
 * Exact: the caller's bounds keep every sum of magnitudes within i32, so order, width and grouping cannot matter. k is
 * even and positive, n is a multiple of 8; out has space for rows rounded up to 4, `out_stride` bytes apart.
 */
export function matmul_i16_i32(
  out: usize,
  out_stride: i32,
  left: usize,
  right: usize,
  rows: i32,
  k: i32,
  n: i32,
): void {
  const block = <i32>left_bytes(4, k);
  const panel = <i32>right_bytes(k, 8);
  // Panels in the outer loop, so that one (12 KB at most for MiniLM) stays in the L1 cache while all rows use it.
  for (let j = 0; j < n; j += 8) {
    let a = left;
    for (let m = 0; m < rows; m += 4) {
      tile_4x8(out + m * out_stride + (j << 2), out_stride, a, right, k);
      a += block;
    }
    right += panel;
  }
}

function tile_4x8(out: usize, out_stride: i32, a: usize, w: usize, k: i32): void {
  if (ASC_FEATURE_SIMD) tile_4x8_simd(out, out_stride, a, w, k);
  else tile_4x8_plain(out, out_stride, a, w, k);
}

/** Unrolling further makes V8 spill: 45–60 Gop/s instead of 75, measured. */
function tile_4x8_simd(out: usize, out_stride: i32, a: usize, w: usize, k: i32): void {
  let r0c0 = i32x4.splat(0);
  let r0c4 = i32x4.splat(0);
  let r1c0 = i32x4.splat(0);
  let r1c4 = i32x4.splat(0);
  let r2c0 = i32x4.splat(0);
  let r2c4 = i32x4.splat(0);
  let r3c0 = i32x4.splat(0);
  let r3c4 = i32x4.splat(0);
  const end = a + (k << 3);
  do {
    const w0 = v128.load(w);
    const w4 = v128.load(w, 16);
    const a0 = v128.load32_splat(a);
    r0c0 = i32x4.add(r0c0, i32x4.dot_i16x8_s(a0, w0));
    r0c4 = i32x4.add(r0c4, i32x4.dot_i16x8_s(a0, w4));
    const a1 = v128.load32_splat(a, 4);
    r1c0 = i32x4.add(r1c0, i32x4.dot_i16x8_s(a1, w0));
    r1c4 = i32x4.add(r1c4, i32x4.dot_i16x8_s(a1, w4));
    const a2 = v128.load32_splat(a, 8);
    r2c0 = i32x4.add(r2c0, i32x4.dot_i16x8_s(a2, w0));
    r2c4 = i32x4.add(r2c4, i32x4.dot_i16x8_s(a2, w4));
    const a3 = v128.load32_splat(a, 12);
    r3c0 = i32x4.add(r3c0, i32x4.dot_i16x8_s(a3, w0));
    r3c4 = i32x4.add(r3c4, i32x4.dot_i16x8_s(a3, w4));
    w += 32;
    a += 16;
  } while (a < end);
  v128.store(out, r0c0);
  v128.store(out, r0c4, 16);
  out += out_stride;
  v128.store(out, r1c0);
  v128.store(out, r1c4, 16);
  out += out_stride;
  v128.store(out, r2c0);
  v128.store(out, r2c4, 16);
  out += out_stride;
  v128.store(out, r3c0);
  v128.store(out, r3c4, 16);
}

function tile_4x8_plain(out: usize, out_stride: i32, a: usize, w: usize, k: i32): void {
  for (let r = 0; r < 4; r++) {
    for (let c = 0; c < 8; c += 4) columns_1x4_plain(out + (c << 2), a, w + (c << 2), k);
    out += out_stride;
    a += 4;
  }
}

function columns_1x4_plain(out: usize, a: usize, w: usize, k: i32): void {
  let c0 = 0;
  let c1 = 0;
  let c2 = 0;
  let c3 = 0;
  const end = a + (k << 3);
  do {
    const a0 = <i32>load<i16>(a);
    const a1 = <i32>load<i16>(a, 2);
    c0 += a0 * <i32>load<i16>(w) + a1 * <i32>load<i16>(w, 2);
    c1 += a0 * <i32>load<i16>(w, 4) + a1 * <i32>load<i16>(w, 6);
    c2 += a0 * <i32>load<i16>(w, 8) + a1 * <i32>load<i16>(w, 10);
    c3 += a0 * <i32>load<i16>(w, 12) + a1 * <i32>load<i16>(w, 14);
    w += 32;
    a += 16;
  } while (a < end);
  store<i32>(out, c0);
  store<i32>(out, c1, 4);
  store<i32>(out, c2, 8);
  store<i32>(out, c3, 12);
}
