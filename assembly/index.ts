/** What the engine offers its host, in the order of the walk (SPEC §1.2). Exports only. */

export {
  f32_abs,
  f32_add,
  f32_div,
  f32_eq,
  f32_erf,
  f32_exp,
  f32_from_f16,
  f32_from_i32,
  f32_from_u32,
  f32_le,
  f32_lt,
  f32_max,
  f32_min,
  f32_mul,
  f32_neg,
  f32_sqrt,
  f32_sub,
  f32_to_i32_near_even,
  f32_to_i32_trunc,
} from "./arith/conformance";
export { embed } from "./embedding/embed";
export {
  kernel_gelu,
  kernel_layernorm,
  kernel_matmul,
  kernel_matmul_panels,
  kernel_quantise_row,
  kernel_softmax,
  kernel_weight_levels,
} from "./kernels/conformance";
export { alloc, memory_mark, memory_release } from "./memory";
export { forward_embeddings, forward_layer, forward_states } from "./model/forward";
export { model_create } from "./model/load";
export {
  weights_check_table,
  weights_set_bias,
  weights_set_linear,
  weights_set_vector,
  weights_table,
} from "./model/weights";
export { canonical_text, canonical_text_capacity } from "./text/canonical";
export { nfc, nfd } from "./text/normalise";
export { vocabulary_load } from "./text/vocabulary";
export { tokenize, tokenize_truncated } from "./text/wordpiece";
