/** What the engine exports to its host, in the order of the pipeline (SPEC §1.2). Exports only. */

export { alloc, memory_mark, memory_release } from "./memory";

// Known answers, checked at load (SPEC §1.4), and every operation and function on bit patterns (SPEC §2, §3).
export { probe } from "./arith/probe";
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
  f32_tanh,
  f32_to_i32_near_even,
  f32_to_i32_trunc,
} from "./arith/conformance";
export { f32_many } from "./arith/f32_many";

// Digests of whole runs through the engine, without arguments, for runtimes that can only call
// (SPEC §2.14, §7.8, §9.5, §10.9). They come before the exports that need arguments in memory: wabt's interpreter calls
// all argument-free exports in this order.
export { self_test } from "./arith/self_test";
export { self_test_kernels } from "./kernels/self_test";
export { self_test_forward } from "./embedding/self_test";
export { self_test_graph } from "./vectors/self_test";

// Digest, SPEC §4
export { blake3, blake3_4 } from "./hash/blake3";

// Text and tokens, SPEC §5 and §6
export { canonical_text, canonical_text_capacity } from "./text/canonical";
export { nfc, nfd } from "./text/normalise";
export { vocabulary_load } from "./text/vocabulary";
export { tokenize, tokenize_truncated } from "./text/wordpiece";

// Individual kernels, SPEC §7
export {
  kernel_gelu,
  kernel_layernorm,
  kernel_matmul,
  kernel_matmul_panels,
  kernel_quantise_row,
  kernel_softmax,
  kernel_weight_levels,
} from "./kernels/conformance";

// The model and its forward pass, SPEC §8; the embedding, SPEC §9
export { model_create } from "./model/load";
export {
  weights_check_table,
  weights_set_bias,
  weights_set_linear,
  weights_set_vector,
  weights_table,
} from "./model/weights";
export { forward_embeddings, forward_layer, forward_states } from "./model/forward";
export { embed } from "./embedding/embed";

// The head of a classifier that reads pairs of texts, SPEC §8.6
export { classify, head_set_classifier, head_set_pooler } from "./model/head";

// A vector that another model computed, SPEC §9.6
export { vector_of_f32 } from "./vectors/given";

// Vectors: the index of this instance, SPEC §10
export { dot4_i16, dot_i16, dot_rows_i16, is_admitted } from "./vectors/dot";
export {
  vectors_add,
  vectors_exact,
  vectors_exact_candidates,
  vectors_find,
  vectors_hits,
  vectors_id_input,
  vectors_ids,
  vectors_init,
  vectors_nodes,
  vectors_remove,
  vectors_search,
  vectors_vector_input,
} from "./vectors/vector_index";
export { label_of, vector_of } from "./vectors/nodes";
export { ranks_identity, ranks_make } from "./vectors/ranks";
export { canonical_bytes, save_canonical, save_digests, save_lists, save_vectors } from "./vectors/save";
export {
  load_begin,
  load_canonical,
  load_graph_begin,
  load_graph_end,
  load_lists,
  load_lists_begin,
  load_lists_end,
  load_lists_reserve,
  load_nodes,
} from "./vectors/load";
export { pairs_lists } from "./vectors/pairs";
export {
  bulk_adjacency,
  bulk_adjacency_begin,
  bulk_begin,
  bulk_end,
  bulk_links,
  bulk_lists,
  bulk_out,
} from "./vectors/bulk";

// Sparse vectors: the index of this instance, SPEC §24
export {
  sparse_add,
  sparse_chunks,
  sparse_having,
  sparse_hits,
  sparse_id_input,
  sparse_init,
  sparse_ready,
  sparse_row_input,
  sparse_search,
} from "./vectors/sparse";

// Ranking: fusion of ranked lists and diversification, SPEC §16
export { rank_fuse } from "./rank/fusion";
export { rank_diversify, rank_diversify_by } from "./rank/diversity";
