import { NO_MEMORY } from "../codes";
import { left_bytes, right_bytes } from "../kernels/panels";
import { alloc, failed_allocs } from "../memory";
import { head_dim, hidden, intermediate, limit } from "./config";

/** The buffers that a forward pass writes to, allocated once for the model's limit; n tokens use the first n rows. */
export let x: usize = 0; // (n, hidden) the tokens' states
export let qkv: usize = 0; // (n, 3·hidden) query, key and value, side by side
export let context: usize = 0; // (n, hidden) attention's result
export let y: usize = 0; // (n, hidden) what a linear layer adds to x
export let u: usize = 0; // (n, intermediate)
export let left: usize = 0; // quantised rows of a linear layer's input
export let row_scales: usize = 0; // (n) their scales
export let query_left: usize = 0; // one head's quantised queries (n, head_dim)
export let key_right: usize = 0; // one head's quantised keys (head_dim, n)
export let query_scales: usize = 0; // (n)
export let key_scales: usize = 0; // (n)
export let scores: usize = 0; // (n, n rounded up to 8) of one head, later its sums of values (n, head_dim)
export let probability_left: usize = 0; // one head's probabilities (n, n)
export let value_right: usize = 0; // all heads' quantised values (n, hidden)
export let value_amax: usize = 0; // (hidden) per channel; then the gain
export let value_scales: usize = 0; // (hidden)
export let denominators: usize = 0; // (n) of one head

/** Allocates the buffers. Returns 0 or NO_MEMORY. */
export function state_create(): i32 {
  const failed = failed_allocs;
  const rows = (limit + 7) & ~7; // also even, and padded for the panels
  const wide = max<i32>(hidden, intermediate);
  x = alloc(rows * (hidden << 2));
  qkv = alloc(rows * 3 * (hidden << 2));
  context = alloc(rows * (hidden << 2));
  y = alloc(rows * (hidden << 2));
  u = alloc(rows * (intermediate << 2));
  left = alloc(left_bytes(rows, wide));
  row_scales = alloc(rows << 2);
  query_left = alloc(left_bytes(rows, head_dim));
  key_right = alloc(right_bytes(head_dim, rows));
  query_scales = alloc(rows << 2);
  key_scales = alloc(rows << 2);
  scores = alloc(rows * (max<i32>(rows, head_dim) << 2));
  probability_left = alloc(left_bytes(rows, rows));
  value_right = alloc(right_bytes(rows, hidden));
  value_amax = alloc(hidden << 2);
  value_scales = alloc(hidden << 2);
  denominators = alloc(rows << 2);
  return failed_allocs == failed ? 0 : NO_MEMORY;
}
