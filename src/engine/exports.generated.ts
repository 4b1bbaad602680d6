// Written by scripts/generate-exports.mjs from assembly/; do not edit.

/**
 * What every build exports: functions of numbers (pointers, lengths, bit patterns, 0 or 1 for a bool), and the memory.
 * WebAssembly passes 32 bits without a sign, and JavaScript reads them with one.
 */
export interface EngineExports {
  /** All of the engine's state. */
  readonly memory: WebAssembly.Memory;
  /** Returns the address of 16-byte aligned bytes, contents undefined; 0 if memory cannot grow. Unsigned: read it as `>>> 0`. */
  alloc(bytes: number): number;
  /** In assembly/memory.ts. Unsigned: read it as `>>> 0`. */
  memory_mark(): number;
  /** In assembly/memory.ts. */
  memory_release(mark: number): void;
  /**
   * Returns the bits of op(a, b, c), bits in and out. Lane −1 is the plain operation; 0 … 3 is that lane of a vector
   * whose other lanes hold 1.0. NaN is returned as 7fc00000; an unknown op gives 0. Unsigned: read it as `>>> 0`.
   */
  probe(op: number, a: number, b: number, c: number, lane: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_abs(a: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_add(a: number, b: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_div(a: number, b: number): number;
  /** Comparisons return 1 or 0. Unsigned: read it as `>>> 0`. */
  f32_eq(a: number, b: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_erf(a: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_exp(a: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_from_f16(half: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_from_i32(x: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_from_u32(x: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_le(a: number, b: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_lt(a: number, b: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_max(a: number, b: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_min(a: number, b: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_mul(a: number, b: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_neg(a: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_sqrt(a: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_sub(a: number, b: number): number;
  /** In assembly/arith/conformance.ts. Unsigned: read it as `>>> 0`. */
  f32_tanh(a: number): number;
  /** In assembly/arith/conformance.ts. */
  f32_to_i32_near_even(a: number): number;
  /** In assembly/arith/conformance.ts. */
  f32_to_i32_trunc(a: number): number;
  /**
   * out[i] = a[i] ∘ b[i] for i < n, on arrays of bit patterns (4-byte words; `b` may be anything if the operation has one
   * operand). The build `simd` computes in f32x4 lanes, which are then what is tested, except for the last n mod 4.
   * Returns 0, or UNKNOWN_OPERATION. SPEC §2.13
   */
  f32_many(operation: number, out: number, a: number, b: number, n: number): number;
  /**
   * Runs 16,384 steps. Each applies all operations to four pairs of operands, once one by one and once as `f32_many` does
   * (by lanes, in the build that has lanes). The digest is the same for every build and host: 5b31f317. Calling it needs
   * nothing but an engine that runs wasm. SPEC §2.14
   */
  self_test(): number;
  /**
   * Runs every kernel on rows of 1 to 64 elements, so that whole vectors, their tails and the transitions between them
   * are all covered. The digest is the same for every build and host: e79e2720. SPEC §7.8
   */
  self_test_kernels(): number;
  /**
   * Runs a model with drawn weights and mixes the embeddings of seven drawn texts of 1 to 31 tokens: all of
   * SPEC §8 and §9. The instance must hold no model, and holds none afterwards. The digest is the same for every build
   * and host: 54e6309b. SPEC §9.5
   */
  self_test_forward(): number;
  /**
   * Runs 240 additions, updates and removals among 256 ids. Three times on the way, it mixes in the digest of the graph
   * and the results of searches. The instance must hold no index, and holds none afterwards. The digest is the same for
   * every build and host: 9e7b790f. SPEC §10.9
   */
  self_test_graph(): number;
  /** out_ptr (32 bytes) = BLAKE3 of the len bytes at in_ptr. Any length; out may overlap in. */
  blake3(out_ptr: number, in_ptr: number, len: number): void;
  /**
   * out_ptr (4, 32 bytes) = BLAKE3 of four inputs of len bytes each, `stride` bytes apart. Inputs that fit one chunk and
   * consist of whole quarters of a block, as vectors do, share the lanes.
   */
  blake3_4(out_ptr: number, in_ptr: number, stride: number, len: number): void;
  /** Writes the canonical text of `length` bytes at `text`; returns its length, or NO_MEMORY. */
  canonical_text(out: number, text: number, length: number): number;
  /**
   * Returns the space that `canonical_text` may need for these bytes: ASCII keeps its size, anything else (and NUL) grows
   * at most threefold. Unsigned: read it as `>>> 0`.
   */
  canonical_text_capacity(text: number, length: number): number;
  /** Writes NFC of `length` bytes; `out` has space for 3·length. Returns the length written, or NO_MEMORY. */
  nfc(out: number, text: number, length: number): number;
  /** Writes NFD of `length` bytes; `out` has space for 3·length. Returns the length written, or NO_MEMORY. */
  nfd(out: number, text: number, length: number): number;
  /**
   * Builds the table over `count` records in the `length` bytes at `records`. The records stay in use, so the caller must
   * leave them in place. Returns the vocabulary's address, or BAD_RECORDS, ID_OUT_OF_RANGE, DUPLICATE_TOKEN or NO_MEMORY.
   * No address, read as i32, equals one of these: the table needs more space than the last bytes of memory have.
   */
  vocabulary_load(records: number, length: number, count: number, unk: number, cls: number, sep: number): number;
  /**
   * Writes the ids of the tokens of `length` UTF-8 bytes at `text` (u32 each) and, unless `offsets` is 0, the bytes that
   * each covers (start u32, end u32; 0, 0 for specials): [CLS], at most limit − 2 tokens, [SEP]. Returns the count, or
   * LIMIT_TOO_SMALL. `tokenize_truncated` then tells whether the text had more.
   */
  tokenize(vocabulary: number, ids: number, offsets: number, text: number, length: number, limit: number): number;
  /** Returns 1 if the last `tokenize` left tokens out. */
  tokenize_truncated(): number;
  /** SPEC §7.7 */
  kernel_gelu(out: number, x: number, n: number): void;
  /** SPEC §7.5 */
  kernel_layernorm(out: number, x: number, gamma: number, beta: number, n: number, eps_bits: number): void;
  /** out (rows, n) i32 = a (rows, k) i16 · w (n, k) i16, all row-major; k even, n a multiple of 8. SPEC §7.3 */
  kernel_matmul(out: number, a: number, w: number, rows: number, k: number, n: number): number;
  /** Runs the product alone, on operands laid out as in panels.ts, for benchmarks. */
  kernel_matmul_panels(out: number, left: number, right: number, rows: number, k: number, n: number): void;
  /** out (n) i16, scale (1) from x (n). Returns 0 or NON_FINITE. SPEC §7.1 */
  kernel_quantise_row(out: number, scale: number, x: number, n: number, levels: number): number;
  /** out (n, rounded up to even) i16 from scores (n). Returns the sum P. SPEC §7.6 */
  kernel_softmax(out: number, scores: number, n: number): number;
  /** q (n, k) i16 and scales (n) from w (n, k). Returns Q, or NON_FINITE, LEVELS_TOO_FEW, NO_MEMORY. SPEC §7.2 */
  kernel_weight_levels(q: number, scales: number, w: number, n: number, k: number): number;
  /** Allocates memory for one model of the given shape. Returns 0, CONFIG_REFUSED or NO_MEMORY. SPEC §8 */
  model_create(hidden: number, layers: number, heads: number, intermediate: number, vocabulary: number, positions: number, limit: number, eps_bits: number, tables_f16: number, with_head: number): number;
  /** Returns 0, or NON_FINITE if a table contains a NaN or an infinity. */
  weights_check_table(which: number): number;
  /** Sets `n` biases of a linear layer, starting at output `first`. Returns 0 or NON_FINITE. */
  weights_set_bias(layer: number, kind: number, first: number, n: number, data: number, is_f16: number): number;
  /** Sets `rows` outputs of one of a layer's linear layers, as `set_rows` does. */
  weights_set_linear(layer: number, kind: number, first: number, rows: number, data: number, is_f16: number): number;
  /** Sets one of the vectors of `hidden` elements. Returns 0 or NON_FINITE. */
  weights_set_vector(vector: number, data: number, is_f16: number): number;
  /** Returns the address where the host puts the bytes of a table; weights_check_table then checks them. Unsigned: read it as `>>> 0`. */
  weights_table(which: number): number;
  /** x (n, hidden) = the embeddings of ids (n) i32, `first` of them of type 0. Returns 0 or IDS_REFUSED. SPEC §8.3 */
  forward_embeddings(ids: number, n: number, first: number): number;
  /** Runs x (n, hidden) through one layer. Returns 0 or NON_FINITE. SPEC §8.5 */
  forward_layer(layer: number, n: number): number;
  /** Returns the address of the states, for vectors: (n, hidden) bit patterns. Unsigned: read it as `>>> 0`. */
  forward_states(): number;
  /** out (hidden) i16 = the embedding of ids (n) i32. Returns 0, IDS_REFUSED or NON_FINITE. SPEC §9 */
  embed(out: number, ids: number, n: number): number;
  /**
   * out (1) = the logit of a pair, ids (n) i32, whose first `first` tokens have type 0 and whose others have type 1.
   * Returns 0, IDS_REFUSED or NON_FINITE. The model must have a head. SPEC §8.6
   */
  classify(out: number, ids: number, n: number, first: number): number;
  /** Sets the classifier: weights (hidden), bias (1). Returns 0 or NON_FINITE. */
  head_set_classifier(weights: number, weights_f16: number, bias: number, bias_f16: number): number;
  /** Sets the pooler: weights (hidden, hidden), bias (hidden). Returns 0, NON_FINITE or LEVELS_TOO_FEW. */
  head_set_pooler(weights: number, weights_f16: number, bias: number, bias_f16: number): number;
  /**
   * out (n) i16 = the vector of the given binary32 numbers x (n), which are replaced by their unit vector. n is a multiple
   * of 8 up to 4,096. Returns 0, NON_FINITE, or NOT_ADMITTED if the squares of x are too small to add up. SPEC §9.6
   */
  vector_of_f32(out: number, x: number, n: number): number;
  /** out[0…3] = q·a, q·b, q·c, q·d. Reads q once; one transposition adds up all four. */
  dot4_i16(out: number, q: number, a: number, b: number, c: number, d: number, bytes: number): void;
  /** Returns Σ a[i]·b[i]. */
  dot_i16(a: number, b: number, bytes: number): number;
  /**
   * out[i] = q · row i, for `count` consecutive rows. Each row is read from end to end, so that memory is read in one
   * stream. With four rows side by side, as in dot4_i16, the prefetcher loses track (measured: a quarter of the speed
   * beyond the caches).
   */
  dot_rows_i16(out: number, q: number, rows: number, count: number, bytes: number): void;
  /** Returns whether an index accepts the vector. SPEC §10.1 */
  is_admitted(v: number, bytes: number): number;
  /**
   * Assigns the vector to the id. Returns ADDED, UPDATED or UNCHANGED; or NO_MEMORY or NOT_ADMITTED, and then nothing has
   * changed.
   */
  vectors_add(): number;
  /** Finds the first k of all hits. */
  vectors_exact(k: number): number;
  /** Finds the first k hits among the ids (candidates, 16 bytes) at `ids`. */
  vectors_exact_candidates(k: number, ids: number, candidates: number): number;
  /** Returns the address of the vector of the id, or 0. Unsigned: read it as `>>> 0`. */
  vectors_find(): number;
  /** Returns the address of the hits of the last search, valid until the next call. Unsigned: read it as `>>> 0`. */
  vectors_hits(): number;
  /** In assembly/vectors/vector_index.ts. Unsigned: read it as `>>> 0`. */
  vectors_id_input(): number;
  /** Returns how many ids are held. Unsigned: read it as `>>> 0`. */
  vectors_ids(): number;
  /** Creates an empty index that replaces the one before; returns 0 or NO_MEMORY. dim is a multiple of 8 up to 4,096. */
  vectors_init(dim: number, with_graph: number): number;
  /** Returns how many distinct vectors are held. Unsigned: read it as `>>> 0`. */
  vectors_nodes(): number;
  /** Removes the id. Returns 1; 0 if it was not held; or NO_MEMORY, and then nothing has changed. */
  vectors_remove(): number;
  /** Finds the first k hits by the graph. Returns the count, NO_MEMORY or NOT_ADMITTED. k and ef are at least 1. */
  vectors_search(k: number, ef: number): number;
  /** In assembly/vectors/vector_index.ts. Unsigned: read it as `>>> 0`. */
  vectors_vector_input(): number;
  /** In assembly/vectors/nodes.ts. Unsigned: read it as `>>> 0`. */
  label_of(slot: number): number;
  /** In assembly/vectors/nodes.ts. Unsigned: read it as `>>> 0`. */
  vector_of(slot: number): number;
  /** Sets ranks equal to slots, for a worker that was given n vectors in priority order; false if memory is short. */
  ranks_identity(n: number): number;
  /** Ranks all nodes; false if memory is short. */
  ranks_make(): number;
  /** Returns how many bytes save_canonical writes. Unsigned: read it as `>>> 0`. */
  canonical_bytes(): number;
  /** out (canonical_bytes) = the canonical bytes; false if memory is short. SPEC §10.6 */
  save_canonical(out: number): number;
  /** out (32 · n) = the digests of all nodes, rank ascending. */
  save_digests(out: number): void;
  /** out (528 · count) = the lists of ranks first … first+count−1 and their Out sets. SPEC §10.8 */
  save_lists(out: number, first: number, count: number): void;
  /** out (count, vector_bytes) = the vectors of ranks first … first+count−1. */
  save_vectors(out: number, first: number, count: number): void;
  /** Reserves space for n nodes and m ids. The host then copies vectors and digests into slots, a block at a time. */
  load_begin(n: number, m: number, with_graph: number): number;
  /** Reads ids, and adjacency if there is a graph, from the canonical bytes. The host has checked their header. */
  load_canonical(bytes: number, length: number, with_graph: number): number;
  /** Reserves space for the graph of all nodes. */
  load_graph_begin(): number;
  /** Makes the graph searchable. Before it can be changed, its lists must be loaded. */
  load_graph_end(): void;
  /** Loads the cache (528 · count bytes) of ranks first … first+count−1; runs come in ascending order. */
  load_lists(bytes: number, first: number, count: number): number;
  /** Allocates scratch for the lists. After a failure they can be loaded again, as long as nothing else has changed. */
  load_lists_begin(): number;
  /** Checks that adjacency holds all links at both ends, so that every level is connected. */
  load_lists_end(): number;
  /** Reserves the space of the lists, which stays. */
  load_lists_reserve(): number;
  /** Adopts the next `count` slots of one block, whose vectors and digests are in place. */
  load_nodes(count: number): number;
  /** out (rows, LIST_BYTES) = the lists of ranks first … first+rows−1; false if memory is short. */
  pairs_lists(out: number, first: number, rows: number): number;
  /** In assembly/vectors/bulk.ts. */
  bulk_adjacency(first: number, rows: number): void;
  /** Reserves memory for the Adj steps that follow; false if memory is short. */
  bulk_adjacency_begin(): number;
  /** Reserves memory for everything; false if memory is short. The host then marks, makes ranks, and releases at the end. */
  bulk_begin(): number;
  /** In assembly/vectors/bulk.ts. */
  bulk_end(): void;
  /** Sets the links of all nodes, in priority order; false if memory is short. */
  bulk_links(): number;
  /** Reads the lists (rows, LIST_BYTES) of ranks first … first+rows−1, as pairs.ts wrote them. */
  bulk_lists(lists: number, first: number, rows: number): void;
  /** In assembly/vectors/bulk.ts. */
  bulk_out(first: number, rows: number): void;
  /**
   * Adds the chunk whose id and row of `count` entries were written. Ids come in ascending order. Returns 0, NOT_ASCENDING,
   * or BAD_ENTRY if there are more chunks or entries than announced, or a term or a weight that cannot be.
   */
  sparse_add(count: number): number;
  /** Returns how many chunks are held. Unsigned: read it as `>>> 0`. */
  sparse_chunks(): number;
  /** Returns how many chunks have a term. Unsigned: read it as `>>> 0`. */
  sparse_having(term: number): number;
  /** Returns the address of the hits of the last search, valid until the next call. Unsigned: read it as `>>> 0`. */
  sparse_hits(): number;
  /** Where the host writes the id of the next chunk. Unsigned: read it as `>>> 0`. */
  sparse_id_input(): number;
  /** Makes room for an index that replaces the one before. Returns 0 or NO_MEMORY. */
  sparse_init(chunk_count: number, term_count: number, entry_count: number): number;
  /** Makes the postings of all rows that were added and frees the rows. */
  sparse_ready(): void;
  /** Where the host writes the row of the next chunk. Unsigned: read it as `>>> 0`. */
  sparse_row_input(): number;
  /**
   * Finds the first k chunks by (score descending, id ascending) among those that share a term with the query. The query is
   * `count` pairs (term, weight) at `query`. If `candidates` is not −1, only the chunks with one of the ids (16 bytes each, in
   * any order) at `candidate_ids` are found. Returns the number of hits, NO_MEMORY, or BAD_ENTRY for a term or weight that
   * cannot be. SPEC §24.2
   */
  sparse_search(query: number, count: number, k: number, candidate_ids: number, candidates: number): number;
  /**
   * scores (bits per item), channels (u32 per item: how many lists contain it) = the fusion of `count` lists. Lists
   * ascending, ranks ascending within each: score = add(score, div(weight, add(k, f32(rank)))), ranks from 1. Returns 0,
   * NO_MEMORY, BAD_CONSTANT, BAD_WEIGHT, NO_ITEM or ITEM_TWICE; after a failure scores and channels are undefined.
   */
  rank_fuse(scores: number, channels: number, items: number, lists: number, lengths: number, weights: number, count: number, k_bits: number): number;
  /**
   * out (u32 each) = the numbers of the first `count` rows (all, if there are fewer) in diversified order. Each next row
   * has the largest λ·dot(row, query) − (1000−λ)·max over chosen of dot(row, chosen), where the maximum of nothing is 0;
   * among equal ones, the first row wins. Returns how many were written, or NO_MEMORY, BAD_LAMBDA or BAD_ROW.
   */
  rank_diversify(out: number, rows: number, query: number, items: number, bytes: number, lambda: number, count: number): number;
  /**
   * The same with the relevance of each row given (i32 each, at most 2³⁰ in absolute value) instead of its dot product with
   * a query. SPEC §26.9
   */
  rank_diversify_by(out: number, rows: number, relevance: number, items: number, bytes: number, lambda: number, count: number): number;
}

/** Memory cannot grow. */
export const NO_MEMORY = -1;
/** `f32_many`: there is no such operation. */
export const UNKNOWN_OPERATION = -2;
/** A vocabulary has no tokens, too many, or records that are not well-formed. */
export const BAD_RECORDS = -3;
/** The id of a special token is not in the vocabulary. */
export const ID_OUT_OF_RANGE = -4;
/** A token occurs twice in a vocabulary. */
export const DUPLICATE_TOKEN = -5;
/** `tokenize`: a limit below 2 has no room for [CLS] and [SEP]. */
export const LIMIT_TOO_SMALL = -6;
/** A value to quantise is NaN or infinite. SPEC §7.1 */
export const NON_FINITE = -7;
/** The weights leave fewer than 1023 activation levels: the model would be too coarse. SPEC §7.2 */
export const LEVELS_TOO_FEW = -8;
/** SPEC §8 does not admit a model of this shape. */
export const CONFIG_REFUSED = -9;
/** A text has no tokens, more than the model's limit, or one that is not in its vocabulary. */
export const IDS_REFUSED = -10;
/** SPEC §10.1 does not admit this vector. */
export const NOT_ADMITTED = -11;
export const WRONG_DIGEST = -12;
export const NOT_ASCENDING = -13;
export const BAD_IDS = -14;
export const BAD_ADJACENCY = -15;
export const BAD_LENGTH = -16;
export const BAD_LIST = -17;
export const BAD_OUT = -18;
export const MISSING_LINK = -19;
/** The constant of a fusion is not in 0 … 10⁶. */
export const BAD_CONSTANT = -20;
/** The weight of a list is not in 0 … 10⁶. */
export const BAD_WEIGHT = -21;
/** A list names an item that does not exist. */
export const NO_ITEM = -22;
/** A list names an item twice. */
export const ITEM_TWICE = -23;
/** λ is not in 0 … 1000. */
export const BAD_LAMBDA = -24;
/** The length of a row is not a multiple of 16 bytes, or a row is not admitted. */
export const BAD_ROW = -25;
/** A sparse vector has a term or a weight that cannot be, or is longer than announced. */
export const BAD_ENTRY = -26;
export const ADDED = 0;
export const UPDATED = 1;
export const UNCHANGED = 2;
export const TABLE_WORD = 0;
export const TABLE_POSITION = 1;
export const LINEAR_QUERY_KEY_VALUE = 0;
export const LINEAR_ATTENTION_OUTPUT = 1;
export const LINEAR_INTERMEDIATE = 2;
export const LINEAR_OUTPUT = 3;
export const VECTOR_TYPE = 0;
export const VECTOR_EMBEDDING_GAMMA = 1;
export const VECTOR_EMBEDDING_BETA = 2;
/** + 4·layer: attention gamma, attention beta, output gamma, output beta. */
export const VECTOR_LAYER = 3;
/** The row of token type 1, which only a classifier reads. No layer has this number. */
export const VECTOR_TYPE_SECOND = 1000000;
