/**
 * The numbers that engine and host exchange. The host reads them from src/engine/exports.generated.ts, which
 * `npm run build:engine` writes from this file.
 */

// What a call returns instead of its result. A number means the same in every call.

/** Memory cannot grow. */
export const NO_MEMORY: i32 = -1;
/** `f32_many`: there is no such operation. */
export const UNKNOWN_OPERATION: i32 = -2;

/** A vocabulary has no tokens, too many, or records that are not well-formed. */
export const BAD_RECORDS: i32 = -3;
/** The id of a special token is not in the vocabulary. */
export const ID_OUT_OF_RANGE: i32 = -4;
/** A token occurs twice in a vocabulary. */
export const DUPLICATE_TOKEN: i32 = -5;
/** `tokenize`: a limit below 2 has no room for [CLS] and [SEP]. */
export const LIMIT_TOO_SMALL: i32 = -6;

/** A value to quantise is NaN or infinite. SPEC §7.1 */
export const NON_FINITE: i32 = -7;
/** The weights leave fewer than 1023 activation levels: the model would be too coarse. SPEC §7.2 */
export const LEVELS_TOO_FEW: i32 = -8;
/** SPEC §8 does not admit a model of this shape. */
export const CONFIG_REFUSED: i32 = -9;
/** A text has no tokens, more than the model's limit, or one that is not in its vocabulary. */
export const IDS_REFUSED: i32 = -10;

/** SPEC §10.1 does not admit this vector. */
export const NOT_ADMITTED: i32 = -11;
// Damage to a saved index; src/vectors/snapshot.ts has a description of each for people.
export const WRONG_DIGEST: i32 = -12;
export const NOT_ASCENDING: i32 = -13;
export const BAD_IDS: i32 = -14;
export const BAD_ADJACENCY: i32 = -15;
export const BAD_LENGTH: i32 = -16;
export const BAD_LIST: i32 = -17;
export const BAD_OUT: i32 = -18;
export const MISSING_LINK: i32 = -19;

/** The constant of a fusion is not in 0 … 10⁶. */
export const BAD_CONSTANT: i32 = -20;
/** The weight of a list is not in 0 … 10⁶. */
export const BAD_WEIGHT: i32 = -21;
/** A list names an item that does not exist. */
export const NO_ITEM: i32 = -22;
/** A list names an item twice. */
export const ITEM_TWICE: i32 = -23;
/** λ is not in 0 … 1000. */
export const BAD_LAMBDA: i32 = -24;
/** The length of a row is not a multiple of 16 bytes, or a row is not admitted. */
export const BAD_ROW: i32 = -25;
/** A sparse vector has a term or a weight that cannot be, or is longer than announced. */
export const BAD_ENTRY: i32 = -26;

// What `vectors_add` did.
export const ADDED: i32 = 0;
export const UPDATED: i32 = 1;
export const UNCHANGED: i32 = 2;

// The tables of a model, for `weights_table` and `weights_check_table`.
export const TABLE_WORD: i32 = 0;
export const TABLE_POSITION: i32 = 1;

// The linear layers of a layer, for `weights_set_linear` and `weights_set_bias`.
export const LINEAR_QUERY_KEY_VALUE: i32 = 0;
export const LINEAR_ATTENTION_OUTPUT: i32 = 1;
export const LINEAR_INTERMEDIATE: i32 = 2;
export const LINEAR_OUTPUT: i32 = 3;

// The vectors of a model, for `weights_set_vector`.
export const VECTOR_TYPE: i32 = 0;
export const VECTOR_EMBEDDING_GAMMA: i32 = 1;
export const VECTOR_EMBEDDING_BETA: i32 = 2;
/** + 4·layer: attention gamma, attention beta, output gamma, output beta. */
export const VECTOR_LAYER: i32 = 3;
/** The row of token type 1, which only a classifier reads. No layer has this number. */
export const VECTOR_TYPE_SECOND: i32 = 1000000;
