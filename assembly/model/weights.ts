import { f32_from_f16 } from "../arith/f32_convert";
import { real_from_bits } from "../arith/real";
import {
  LINEAR_ATTENTION_OUTPUT,
  LINEAR_INTERMEDIATE,
  LINEAR_OUTPUT,
  LINEAR_QUERY_KEY_VALUE,
  NO_MEMORY,
  NON_FINITE,
  TABLE_WORD,
  VECTOR_EMBEDDING_BETA,
  VECTOR_EMBEDDING_GAMMA,
  VECTOR_LAYER,
  VECTOR_TYPE,
  VECTOR_TYPE_SECOND,
} from "../codes";
import {
  LINEAR_BYTES,
  linear_bias,
  linear_check_levels,
  linear_create,
  linear_inputs,
  linear_set_row,
} from "../kernels/linear";
import { is_finite, row_amax } from "../kernels/quantise";
import { alloc, alloc_rows, failed_allocs } from "../memory";
import { hidden, intermediate, layers, positions, vocabulary } from "./config";

/**
 * Where the weights are stored. SPEC §8.2
 *
 *     tables        word (vocabulary, hidden), position (positions, hidden): as in the file, binary16 or binary32
 *                   types 0 and 1 (2, hidden), LayerNorm gamma and beta (hidden): binary32
 *     per layer     query|key|value  attention output  intermediate  output      four linear layers (kernels/linear.ts)
 *                   gamma and beta after attention, gamma and beta after output  (4 · hidden) binary32
 */
export let word_table: usize = 0;
export let position_table: usize = 0;
export let type_table: usize = 0;
export let embedding_gamma: usize = 0;
export let embedding_beta: usize = 0;
export let tables_are_f16: bool = false;
let layer_records: usize = 0;
let row_scratch: usize = 0;

const LAYER_BYTES: usize = LINEAR_BYTES * 4 + 4;

export function layer_linear(layer: i32, kind: i32): usize {
  return layer_records + layer * LAYER_BYTES + kind * LINEAR_BYTES;
}

/** which: 0 attention gamma, 1 attention beta, 2 output gamma, 3 output beta. */
export function layer_vector(layer: i32, which: i32): usize {
  return load<usize>(layer_records + layer * LAYER_BYTES + LINEAR_BYTES * 4) + which * (hidden << 2);
}

/** Allocates memory for all weights of the configured shape. Returns 0 or NO_MEMORY. */
export function weights_create(tables_f16: bool): i32 {
  tables_are_f16 = tables_f16;
  const table_row = hidden << (tables_f16 ? 1 : 2);
  const failed = failed_allocs;
  word_table = alloc_rows(vocabulary, table_row);
  position_table = alloc_rows(positions, table_row);
  type_table = alloc(hidden << 3);
  embedding_gamma = alloc(hidden << 2);
  embedding_beta = alloc(hidden << 2);
  layer_records = alloc(layers * LAYER_BYTES);
  row_scratch = alloc(max<i32>(intermediate, hidden) << 2);
  if (failed_allocs != failed) return NO_MEMORY;
  for (let layer = 0; layer < layers; layer++) {
    linear_create(layer_linear(layer, LINEAR_QUERY_KEY_VALUE), 3 * hidden, hidden);
    linear_create(layer_linear(layer, LINEAR_ATTENTION_OUTPUT), hidden, hidden);
    linear_create(layer_linear(layer, LINEAR_INTERMEDIATE), intermediate, hidden);
    linear_create(layer_linear(layer, LINEAR_OUTPUT), hidden, intermediate);
    store<usize>(layer_records + layer * LAYER_BYTES + LINEAR_BYTES * 4, alloc(hidden << 4));
  }
  return failed_allocs == failed ? 0 : NO_MEMORY;
}

/** Sets `rows` outputs of one of a layer's linear layers, as `set_rows` does. */
export function weights_set_linear(
  layer: i32,
  kind: i32,
  first: i32,
  rows: i32,
  data: usize,
  is_f16: bool,
): i32 {
  return set_rows(layer_linear(layer, kind), first, rows, data, is_f16);
}

/** Quantises `rows` outputs of a linear layer, starting at output `first`. Returns 0, NON_FINITE or LEVELS_TOO_FEW. */
export function set_rows(linear: usize, first: i32, rows: i32, data: usize, is_f16: bool): i32 {
  const k = linear_inputs(linear);
  for (let n = 0; n < rows; n++) {
    widen_row(row_scratch, data, k, is_f16);
    const code = linear_set_row(linear, first + n, row_scratch);
    if (code != 0) return code;
    data += (<usize>k) << (is_f16 ? 1 : 2);
  }
  return linear_check_levels(linear);
}

/** Sets `n` biases of a linear layer, starting at output `first`. Returns 0 or NON_FINITE. */
export function weights_set_bias(layer: i32, kind: i32, first: i32, n: i32, data: usize, is_f16: bool): i32 {
  return set_vector(linear_bias(layer_linear(layer, kind)) + ((<usize>first) << 2), data, n, is_f16);
}

/** Sets one of the vectors of `hidden` elements. Returns 0 or NON_FINITE. */
export function weights_set_vector(vector: i32, data: usize, is_f16: bool): i32 {
  let target: usize = 0;
  if (vector == VECTOR_TYPE) target = type_table;
  else if (vector == VECTOR_TYPE_SECOND) target = type_table + (hidden << 2);
  else if (vector == VECTOR_EMBEDDING_GAMMA) target = embedding_gamma;
  else if (vector == VECTOR_EMBEDDING_BETA) target = embedding_beta;
  else target = layer_vector((vector - VECTOR_LAYER) >> 2, (vector - VECTOR_LAYER) & 3);
  return set_vector(target, data, hidden, is_f16);
}

/** Returns the address where the host puts the bytes of a table; weights_check_table then checks them. */
export function weights_table(which: i32): usize {
  return which == TABLE_WORD ? word_table : position_table;
}

/** Returns 0, or NON_FINITE if a table contains a NaN or an infinity. */
export function weights_check_table(which: i32): i32 {
  const rows = which == TABLE_WORD ? vocabulary : positions;
  for (let i = 0; i < rows; i++) {
    table_row(row_scratch, weights_table(which), i);
    if (!is_finite(row_amax(row_scratch, hidden))) return NON_FINITE;
  }
  return 0;
}

/** out (hidden) = row i of a table, widened. */
export function table_row(out: usize, table: usize, i: i32): void {
  widen_row(out, table + i * (hidden << (tables_are_f16 ? 1 : 2)), hidden, tables_are_f16);
}

/** out (n) = data (n), widened. Returns 0 or NON_FINITE. */
export function set_vector(out: usize, data: usize, n: i32, is_f16: bool): i32 {
  widen_row(out, data, n, is_f16);
  return is_finite(row_amax(out, n)) ? 0 : NON_FINITE;
}

/** out (n) = data (n): binary16 is widened exactly, binary32 is copied. */
function widen_row(out: usize, data: usize, n: i32, is_f16: bool): void {
  if (!is_f16) {
    memory.copy(out, data, (<usize>n) << 2);
    return;
  }
  for (let i = 0; i < n; i++) {
    store<real>(out + (i << 2), real_from_bits(f32_from_f16(<u32>load<u16>(data + (i << 1)))));
  }
}
