/**
 * What the pinned Unicode tables contain for one code point. SPEC §5.2
 *
 *     c ─ CHARACTER_INDEX[c >> 7] ─ CHARACTER_LEAVES[… + c & 127] ─ record ┬ RECORD_FLAGS    flags | class << 8
 *                                                                          └ RECORD_TO_LOWER lower(c) − c
 *     c ─ DECOMPOSITION_INDEX[c >> 5] ─ DECOMPOSITION_LEAVES[… + c & 31] ─ start << 2 | length−1 ─ DECOMPOSITION_PARTS
 *
 * scripts/generate-unicode.mjs writes the tables and uses the same bits.
 */
import {
  CHARACTER_INDEX,
  CHARACTER_LEAVES,
  DECOMPOSITION_INDEX,
  DECOMPOSITION_LEAVES,
  DECOMPOSITION_PARTS,
  RECORD_FLAGS,
  RECORD_TO_LOWER,
} from "./tables.generated";

/** Tokens omit it: Cc, Cf and Co except tab, line feed and carriage return, and U+FFFD. SPEC §6.2 */
export const DROP: u32 = 1;
/** White_Space. */
export const SPACE: u32 = 2;
/** ASCII punctuation, or category P. */
export const PUNCTUATION: u32 = 4;
/** A word by itself: the ideographs of SPEC §6.2. */
export const IDEOGRAPH: u32 = 8;
/** Category Mn. */
export const NONSPACING: u32 = 16;
/** Has a canonical decomposition (including Hangul syllables). */
export const DECOMPOSES: u32 = 32;
/** NFC_Quick_Check is not Yes. */
export const NFC_CHECK: u32 = 64;

/** Hangul by formula: syllable = 0xAC00 + (L·21 + V)·28 + T. */
export const HANGUL_FIRST: u32 = 0xac00;
export const HANGUL_COUNT: u32 = 11172;
export const JAMO_L: u32 = 0x1100;
export const JAMO_V: u32 = 0x1161;
export const JAMO_T: u32 = 0x11a7;
export const JAMO_L_COUNT: u32 = 19;
export const JAMO_V_COUNT: u32 = 21;
export const JAMO_T_COUNT: u32 = 28;

export function character_record(c: u32): u32 {
  const block = <u32>load<u8>(CHARACTER_INDEX + (c >> 7));
  return <u32>load<u8>(CHARACTER_LEAVES + ((block << 7) | (c & 127)));
}

/** Returns the flags in the low byte, Canonical_Combining_Class above it. */
export function record_flags(record: u32): u32 {
  return <u32>load<u16>(RECORD_FLAGS + (record << 1));
}

/** Returns what to add to a character of this record for its lower case; 0 if it has none. */
export function record_to_lower(record: u32): u32 {
  return load<u32>(RECORD_TO_LOWER + (record << 2));
}

export function character_flags(c: u32): u32 {
  return record_flags(character_record(c));
}

/** Writes the full canonical decomposition of c, each part as code point | class << 24; returns the count. */
export function decompose(out: usize, c: u32, flags: u32): u32 {
  if ((flags & DECOMPOSES) == 0) {
    store<u32>(out, c | ((flags >> 8) << 24));
    return 1;
  }
  const syllable = c - HANGUL_FIRST;
  if (syllable < HANGUL_COUNT) {
    const tail = syllable % JAMO_T_COUNT;
    store<u32>(out, JAMO_L + syllable / (JAMO_V_COUNT * JAMO_T_COUNT));
    store<u32>(out, JAMO_V + ((syllable / JAMO_T_COUNT) % JAMO_V_COUNT), 4);
    if (tail == 0) return 2;
    store<u32>(out, JAMO_T + tail, 8);
    return 3;
  }
  const entry = decomposition_entry(c);
  const count = (entry & 3) + 1;
  memory.copy(out, DECOMPOSITION_PARTS + ((entry >> 2) << 2), count << 2);
  return count;
}

/** Returns how many parts `decompose` writes. */
export function decomposed_count(c: u32, flags: u32): u32 {
  if ((flags & DECOMPOSES) == 0) return 1;
  const syllable = c - HANGUL_FIRST;
  if (syllable < HANGUL_COUNT) return syllable % JAMO_T_COUNT == 0 ? 2 : 3;
  return (decomposition_entry(c) & 3) + 1;
}

function decomposition_entry(c: u32): u32 {
  const block = <u32>load<u8>(DECOMPOSITION_INDEX + (c >> 5));
  return <u32>load<u16>(DECOMPOSITION_LEAVES + (((block << 5) | (c & 31)) << 1));
}
