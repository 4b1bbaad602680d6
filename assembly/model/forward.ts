import { add, real_from_bits } from "../arith/real";
import {
  IDS_REFUSED,
  LINEAR_ATTENTION_OUTPUT,
  LINEAR_INTERMEDIATE,
  LINEAR_OUTPUT,
  LINEAR_QUERY_KEY_VALUE,
} from "../codes";
import { gelu_row } from "../kernels/gelu";
import { add_row, layernorm_row } from "../kernels/layernorm";
import { linear_forward } from "../kernels/linear";
import { attention } from "./attention";
import { eps_bits, hidden, intermediate, layers, limit, vocabulary } from "./config";
import { context, left, qkv, row_scales, u, x, y } from "./state";
import {
  embedding_beta,
  embedding_gamma,
  layer_linear,
  layer_vector,
  position_table,
  table_row,
  type_table,
  word_table,
} from "./weights";

/**
 * x (n, hidden) = the states after all layers. The first `first` tokens have type 0, the others type 1. Returns 0,
 * IDS_REFUSED or NON_FINITE. SPEC §8
 */
export function forward(ids: usize, n: i32, first: i32): i32 {
  let code = forward_embeddings(ids, n, first);
  for (let layer = 0; layer < layers && code == 0; layer++) code = forward_layer(layer, n);
  return code;
}

/** x (n, hidden) = the embeddings of ids (n) i32, `first` of them of type 0. Returns 0 or IDS_REFUSED. SPEC §8.3 */
export function forward_embeddings(ids: usize, n: i32, first: i32): i32 {
  if (n < 1 || n > limit) return IDS_REFUSED;
  for (let t = 0; t < n; t++) if (load<u32>(ids + (t << 2)) >= <u32>vocabulary) return IDS_REFUSED;
  for (let t = 0; t < n; t++) {
    const row = x + t * (hidden << 2);
    table_row(row, word_table, load<i32>(ids + (t << 2)));
    table_row(y, position_table, t);
    const type_row = type_table + (t < first ? 0 : hidden << 2);
    for (let i = 0; i < hidden << 2; i += 4) {
      const word_and_type = add(load<real>(row + i), load<real>(type_row + i));
      store<real>(row + i, add(word_and_type, load<real>(y + i)));
    }
    layernorm_row(row, row, embedding_gamma, embedding_beta, hidden, real_from_bits(eps_bits));
  }
  return 0;
}

/** Runs x (n, hidden) through one layer. Returns 0 or NON_FINITE. SPEC §8.5 */
export function forward_layer(layer: i32, n: i32): i32 {
  let code = linear_forward(qkv, x, n, layer_linear(layer, LINEAR_QUERY_KEY_VALUE), left, row_scales);
  if (code != 0) return code;
  code = attention(n);
  if (code != 0) return code;
  code = linear_forward(y, context, n, layer_linear(layer, LINEAR_ATTENTION_OUTPUT), left, row_scales);
  if (code != 0) return code;
  residual_layernorm(n, layer_vector(layer, 0), layer_vector(layer, 1));

  code = linear_forward(u, x, n, layer_linear(layer, LINEAR_INTERMEDIATE), left, row_scales);
  if (code != 0) return code;
  gelu_row(u, u, n * intermediate);
  code = linear_forward(y, u, n, layer_linear(layer, LINEAR_OUTPUT), left, row_scales);
  if (code != 0) return code;
  residual_layernorm(n, layer_vector(layer, 2), layer_vector(layer, 3));
  return 0;
}

/** x (n, hidden) = LayerNorm(add(y, x)) */
function residual_layernorm(n: i32, gamma: usize, beta: usize): void {
  for (let t = 0; t < n; t++) {
    const row = x + t * (hidden << 2);
    add_row(row, y + t * (hidden << 2), hidden);
    layernorm_row(row, row, gamma, beta, hidden, real_from_bits(eps_bits));
  }
}

/** Returns the address of the states, for vectors: (n, hidden) bit patterns. */
export function forward_states(): usize {
  return x;
}
