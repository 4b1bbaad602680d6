/** The shape of the one model that an instance holds. SPEC §8 */
import { CONFIG_REFUSED } from "../codes";

export let hidden: i32 = 0; // width of a token's state
export let layers: i32 = 0;
export let heads: i32 = 0;
export let head_dim: i32 = 0; // hidden / heads
export let intermediate: i32 = 0; // width inside the feed-forward part
export let vocabulary: i32 = 0;
export let positions: i32 = 0;
export let limit: i32 = 0; // the most tokens of a text, including [CLS] and [SEP]
export let eps_bits: u32 = 0; // LayerNorm's epsilon
export let has_head: bool = false; // whether the model ends in a classifier

/** Returns 0, or CONFIG_REFUSED if SPEC §8 does not admit the shape. The host checks first and explains. */
export function config_set(
  new_hidden: i32,
  new_layers: i32,
  new_heads: i32,
  new_intermediate: i32,
  new_vocabulary: i32,
  new_positions: i32,
  new_limit: i32,
  new_eps_bits: u32,
  new_has_head: bool,
): i32 {
  if (new_hidden < 8 || new_hidden > 4096 || new_hidden % 8 != 0) return CONFIG_REFUSED;
  if (new_heads < 1 || new_hidden % new_heads != 0 || (new_hidden / new_heads) % 8 != 0)
    return CONFIG_REFUSED;
  if (new_hidden / new_heads > 512) return CONFIG_REFUSED; // 512 · 2047² is the most that the i32 of a score can hold
  if (new_intermediate < 8 || new_intermediate > 32768 || new_intermediate % 8 != 0) return CONFIG_REFUSED;
  if (new_layers < 1 || new_layers > 64) return CONFIG_REFUSED;
  if (new_vocabulary < 1 || new_vocabulary > 1 << 20) return CONFIG_REFUSED;
  if (new_limit < 2 || new_limit > new_positions || new_positions > 8192) return CONFIG_REFUSED;
  hidden = new_hidden;
  layers = new_layers;
  heads = new_heads;
  head_dim = new_hidden / new_heads;
  intermediate = new_intermediate;
  vocabulary = new_vocabulary;
  positions = new_positions;
  limit = new_limit;
  eps_bits = new_eps_bits;
  has_head = new_has_head;
  return 0;
}

/** Removes the model: every text is refused again, since none has at most 0 tokens. */
export function config_clear(): void {
  hidden = 0;
  limit = 0;
  has_head = false;
}
