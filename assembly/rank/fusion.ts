/**
 * Weighted reciprocal rank fusion of any number of ranked lists, in binary32. SPEC §16.1
 *
 * Items are numbers below `items`; each list names items, best first, none of them twice:
 *
 *     lengths   u32 per list
 *     lists     u32 per entry, the lists one after the other
 *     weights   bits of a real per list
 */
import { add, div, from_u32, le, real_from_bits, real_to_bits } from "../arith/real";
import { BAD_CONSTANT, BAD_WEIGHT, ITEM_TWICE, NO_ITEM, NO_MEMORY } from "../codes";
import { alloc, memory_mark, memory_release } from "../memory";

/** 10⁶ as binary32: the largest constant and the largest weight. */
const LIMIT: u32 = 0x49742400;

/**
 * scores (bits per item), channels (u32 per item: how many lists contain it) = the fusion of `count` lists. Lists
 * ascending, ranks ascending within each: score = add(score, div(weight, add(k, f32(rank)))), ranks from 1. Returns 0,
 * NO_MEMORY, BAD_CONSTANT, BAD_WEIGHT, NO_ITEM or ITEM_TWICE; after a failure scores and channels are undefined.
 */
export function rank_fuse(
  scores: usize,
  channels: usize,
  items: u32,
  lists: usize,
  lengths: usize,
  weights: usize,
  count: u32,
  k_bits: u32,
): i32 {
  if (!is_admitted_parameter(k_bits)) return BAD_CONSTANT;
  const mark = memory_mark();
  const seen = alloc((<usize>items) << 2); // (item): 1 + the last list that named it
  if (seen == 0) return NO_MEMORY;
  memory.fill(scores, 0, (<usize>items) << 2); // +0
  memory.fill(channels, 0, (<usize>items) << 2);
  memory.fill(seen, 0, (<usize>items) << 2);
  let code: i32 = 0;
  for (let list: u32 = 0; list < count && code == 0; list++) {
    const length = load<u32>(lengths + ((<usize>list) << 2));
    code = fuse_list(
      scores,
      channels,
      seen,
      items,
      lists,
      length,
      list + 1,
      load<u32>(weights + ((<usize>list) << 2)),
      k_bits,
    );
    lists += (<usize>length) << 2;
  }
  memory_release(mark);
  return code;
}

function fuse_list(
  scores: usize,
  channels: usize,
  seen: usize,
  items: u32,
  list: usize,
  length: u32,
  stamp: u32,
  weight_bits: u32,
  k_bits: u32,
): i32 {
  if (!is_admitted_parameter(weight_bits)) return BAD_WEIGHT;
  const weight = real_from_bits(weight_bits);
  const k = real_from_bits(k_bits);
  for (let rank: u32 = 1; rank <= length; rank++, list += 4) {
    const item = load<u32>(list);
    if (item >= items) return NO_ITEM;
    const at = (<usize>item) << 2;
    if (load<u32>(seen + at) == stamp) return ITEM_TWICE;
    store<u32>(seen + at, stamp);
    store<u32>(channels + at, load<u32>(channels + at) + 1);
    const score = add(real_from_bits(load<u32>(scores + at)), div(weight, add(k, from_u32(rank))));
    store<u32>(scores + at, real_to_bits(score));
  }
  return 0;
}

/** Returns whether the value lies from +0 to 10⁶; no NaN, no sign (so −0 is refused). */
function is_admitted_parameter(bits: u32): bool {
  return bits >> 31 == 0 && le(real_from_bits(bits), real_from_bits(LIMIT));
}
