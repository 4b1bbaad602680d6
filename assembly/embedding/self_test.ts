import { begin, draw_reals, mix_halves, mix_words, next, result } from "../arith/self_test_words";
import {
  LINEAR_ATTENTION_OUTPUT,
  LINEAR_INTERMEDIATE,
  LINEAR_OUTPUT,
  LINEAR_QUERY_KEY_VALUE,
  NO_MEMORY,
} from "../codes";
import { alloc, failed_allocs, memory_mark, memory_release } from "../memory";
import { config_clear, hidden, layers } from "../model/config";
import { forward_states } from "../model/forward";
import { model_create } from "../model/load";
import {
  weights_check_table,
  weights_set_bias,
  weights_set_linear,
  weights_set_vector,
  weights_table,
} from "../model/weights";
import { embed } from "./embed";

const SEED: u32 = 0x2545f493;

const HIDDEN: i32 = 32;
const LAYERS: i32 = 2;
const HEADS: i32 = 2;
const INNER: i32 = 64;
const VOCABULARY: i32 = 64;
const POSITIONS: i32 = 32;
const EPS: u32 = 0x2b8cbccc; // 1e-12
const SMALL: u32 = 118; // weights and biases lie in ±[2^−9, 2^−1)

/**
 * Runs a model with drawn weights and mixes the embeddings of seven drawn texts of 1 to 31 tokens: all of
 * SPEC §8 and §9. The instance must hold no model, and holds none afterwards. The digest is the same for every build
 * and host: 54e6309b. SPEC §9.5
 */
export function self_test_forward(): i32 {
  assert(hidden == 0);
  const mark = memory_mark();
  const failed = failed_allocs;
  const code = model_create(HIDDEN, LAYERS, HEADS, INNER, VOCABULARY, POSITIONS, POSITIONS, EPS, true, false);
  const row = alloc(INNER << 2);
  const ids = alloc(POSITIONS << 2);
  const vector = alloc(HIDDEN << 1);
  if (code != 0 || failed_allocs != failed) {
    config_clear();
    memory_release(mark);
    return NO_MEMORY;
  }
  draw_model(row);
  for (let n = 1; n <= POSITIONS; n += 5) mix_text(vector, ids, n);
  config_clear();
  memory_release(mark);
  return result();
}

function draw_model(row: usize): void {
  begin(SEED);
  draw_table(0, VOCABULARY);
  draw_table(1, POSITIONS);
  draw_vector(row, 0);
  draw_norm(row, 1);
  for (let layer = 0; layer < layers; layer++) {
    draw_linear(row, layer, LINEAR_QUERY_KEY_VALUE, 3 * HIDDEN, HIDDEN);
    draw_linear(row, layer, LINEAR_ATTENTION_OUTPUT, HIDDEN, HIDDEN);
    draw_linear(row, layer, LINEAR_INTERMEDIATE, INNER, HIDDEN);
    draw_linear(row, layer, LINEAR_OUTPUT, HIDDEN, INNER);
    draw_norm(row, 3 + 4 * layer);
    draw_norm(row, 5 + 4 * layer);
  }
}

/** Draws a table of binary16 values in ±[2^−5, 2^−1). */
function draw_table(which: i32, rows: i32): void {
  const at = weights_table(which);
  for (let i = 0; i < rows * HIDDEN; i++) {
    const word = next();
    store<u16>(at + (i << 1), <u16>((word & 0x83ff) | ((10 + ((word >> 10) & 3)) << 10)));
  }
  weights_check_table(which);
}

function draw_linear(row: usize, layer: i32, kind: i32, outputs: i32, inputs: i32): void {
  for (let n = 0; n < outputs; n++) {
    draw_reals(row, inputs, SMALL);
    weights_set_linear(layer, kind, n, 1, row, false);
  }
  for (let n = 0; n < outputs; n++) {
    draw_reals(row, 1, SMALL);
    weights_set_bias(layer, kind, n, 1, row, false);
  }
}

/** Draws a gamma in [0.5, 1), then a beta. */
function draw_norm(row: usize, vector: i32): void {
  for (let i = 0; i < HIDDEN; i++) store<u32>(row + (i << 2), (next() & 0x007fffff) | 0x3f000000);
  weights_set_vector(vector, row, false);
  draw_vector(row, vector + 1);
}

function draw_vector(row: usize, vector: i32): void {
  draw_reals(row, HIDDEN, SMALL);
  weights_set_vector(vector, row, false);
}

/** Mixes the states of the last layer and the vector of a text of n drawn ids. */
function mix_text(vector: usize, ids: usize, n: i32): void {
  for (let t = 0; t < n; t++) store<u32>(ids + (t << 2), next() % VOCABULARY);
  embed(vector, ids, n);
  mix_words(forward_states(), n * HIDDEN);
  mix_halves(vector, HIDDEN);
}
