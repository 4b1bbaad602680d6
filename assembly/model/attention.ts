import { div, from_i32, mul, real_from_bits, sqrt } from "../arith/real";
import { dequantise_context_row } from "../kernels/dequantise";
import { matmul_i16_i32 } from "../kernels/matmul";
import { LEFT_STRIDE, left_row, right_bytes } from "../kernels/panels";
import { quantise_columns } from "../kernels/quantise_columns";
import { quantise_left, quantise_right } from "../kernels/quantise_rows";
import { probability_levels, scores_row, softmax_row } from "../kernels/softmax";
import { head_dim, heads, hidden } from "./config";
import {
  context,
  denominators,
  key_right,
  key_scales,
  probability_left,
  qkv,
  query_left,
  query_scales,
  scores,
  value_amax,
  value_right,
  value_scales,
} from "./state";

const QUERY_LEVELS: i32 = 2047;

/** context (n, hidden) = attention over qkv (n, 3·hidden). Returns 0 or NON_FINITE. SPEC §8.4 */
export function attention(n: i32): i32 {
  const levels = probability_levels(n);
  const values = qkv + (hidden << 3);
  let code = quantise_columns(
    value_right,
    value_scales,
    value_amax,
    values,
    3 * (hidden << 2),
    n,
    hidden,
    levels,
  );
  if (code != 0) return code;
  for (let head = 0; head < heads; head++) {
    code = quantise_head(head, n);
    if (code != 0) return code;
    attend(n, levels);
    gather(head, n);
  }
  return 0;
}

/** Fills query_left, key_right and their scales: one head's rows of qkv, 2047 levels. */
function quantise_head(head: i32, n: i32): i32 {
  const stride = 3 * (hidden << 2);
  const query = qkv + head * (head_dim << 2);
  const key = query + (hidden << 2);
  const code = quantise_left(query_left, query_scales, query, stride, n, head_dim, QUERY_LEVELS);
  if (code != 0) return code;
  return quantise_right(key_right, key_scales, key, stride, n, head_dim, QUERY_LEVELS);
}

/** Fills probability_left (n, n) and denominators (n): scores of every pair of tokens, softmax per row. */
function attend(n: i32, levels: i32): void {
  const columns = (n + 7) & ~7;
  const pairs = (n + 1) & ~1;
  matmul_i16_i32(scores, columns << 2, query_left, key_right, n, head_dim, columns);
  const r = div(real_from_bits(0x3f800000), sqrt(from_i32(head_dim)));
  for (let i = 0; i < n; i++) {
    const row = scores + i * (columns << 2);
    const largest = scores_row(row, mul(load<real>(query_scales + (i << 2)), r), key_scales, n);
    const out = left_row(probability_left, i, pairs);
    store<i32>(denominators + (i << 2), softmax_row(out, LEFT_STRIDE, row, largest, n, levels));
  }
}

/**
 * Fills the head's columns of context (n, hidden): the weighted values. The integer sums reuse the memory of scores.
 */
function gather(head: i32, n: i32): void {
  const pairs = (n + 1) & ~1;
  const right = value_right + head * right_bytes(pairs, head_dim);
  const scales = value_scales + head * (head_dim << 2);
  matmul_i16_i32(scores, head_dim << 2, probability_left, right, n, pairs, head_dim);
  for (let i = 0; i < n; i++) {
    const out = context + i * (hidden << 2) + head * (head_dim << 2);
    const denominator = from_i32(load<i32>(denominators + (i << 2)));
    dequantise_context_row(out, scores + i * (head_dim << 2), scales, denominator, head_dim);
  }
}
