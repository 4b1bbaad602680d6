import { abs, add, mul } from "../arith/real";
import { tanh } from "../arith/tanh";
import { IDS_REFUSED, NO_MEMORY, NON_FINITE } from "../codes";
import { LINEAR_BYTES, linear_bias, linear_create, linear_forward } from "../kernels/linear";
import { is_finite } from "../kernels/quantise";
import { sum4 } from "../kernels/sum4";
import { alloc, failed_allocs } from "../memory";
import { has_head, hidden } from "./config";
import { forward } from "./forward";
import { left, row_scales, x, y } from "./state";
import { set_rows, set_vector } from "./weights";

/**
 * The head of a classifier with one label. SPEC §8.6
 *
 *     pooler       a linear layer (hidden, hidden)
 *     classifier   (hidden) binary32, and its bias
 */
let pooler: usize = 0;
let classifier: usize = 0;
let classifier_bias: usize = 0;

/** Allocates memory for the head of the configured shape. Returns 0 or NO_MEMORY. */
export function head_create(): i32 {
  const failed = failed_allocs;
  pooler = alloc(LINEAR_BYTES);
  classifier = alloc(hidden << 2);
  classifier_bias = alloc(4);
  if (failed_allocs != failed) return NO_MEMORY;
  return linear_create(pooler, hidden, hidden);
}

/** Sets the pooler: weights (hidden, hidden), bias (hidden). Returns 0, NON_FINITE or LEVELS_TOO_FEW. */
export function head_set_pooler(weights: usize, weights_f16: bool, bias: usize, bias_f16: bool): i32 {
  const code = set_rows(pooler, 0, hidden, weights, weights_f16);
  return code != 0 ? code : set_vector(linear_bias(pooler), bias, hidden, bias_f16);
}

/** Sets the classifier: weights (hidden), bias (1). Returns 0 or NON_FINITE. */
export function head_set_classifier(weights: usize, weights_f16: bool, bias: usize, bias_f16: bool): i32 {
  const code = set_vector(classifier, weights, hidden, weights_f16);
  return code != 0 ? code : set_vector(classifier_bias, bias, 1, bias_f16);
}

/**
 * out (1) = the logit of a pair, ids (n) i32, whose first `first` tokens have type 0 and whose others have type 1.
 * Returns 0, IDS_REFUSED or NON_FINITE. The model must have a head. SPEC §8.6
 */
export function classify(out: usize, ids: usize, n: i32, first: i32): i32 {
  if (!has_head) return IDS_REFUSED;
  let code = forward(ids, n, first);
  if (code != 0) return code;
  code = linear_forward(y, x, 1, pooler, left, row_scales); // of token 0 alone
  if (code != 0) return code;
  for (let i = 0; i < hidden << 2; i += 4) {
    store<real>(y + i, mul(tanh(load<real>(y + i)), load<real>(classifier + i)));
  }
  const logit = add(sum4(y, hidden), load<real>(classifier_bias));
  store<real>(out, logit);
  return is_finite(abs(logit)) ? 0 : NON_FINITE;
}
