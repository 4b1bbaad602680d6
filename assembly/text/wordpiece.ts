/** WordPiece: splits each word into the longest tokens that the vocabulary holds, from the left. SPEC §6.3 */
import { LIMIT_TOO_SMALL } from "../codes";
import {
  FIRST,
  hash_next,
  hash_start,
  LAST,
  UNKNOWN,
  vocabulary_find,
  vocabulary_longest,
} from "./vocabulary";
import {
  WORD_BYTES,
  WORD_BYTES_MAX,
  word_end,
  word_length,
  word_source_end,
  word_source_start,
  word_start,
  words_begin,
  words_next,
} from "./words";

/** Per byte, from where a token may start: the hash of the bytes up to and including it. */
const HASHES = memory.data(WORD_BYTES_MAX * 4, 4);
/** The word's tokens: id · first byte · end byte, of the word. */
const PIECES = memory.data(WORD_BYTES_MAX * 12, 4);

/** The smallest limit: space for the two specials. */
const LIMIT_MIN: u32 = 2;

let out_ids: usize = 0;
let out_offsets: usize = 0;
let out_count: u32 = 0;
let out_room: u32 = 0;
let truncated: bool = false;

/**
 * Writes the ids of the tokens of `length` UTF-8 bytes at `text` (u32 each) and, unless `offsets` is 0, the bytes that
 * each covers (start u32, end u32; 0, 0 for specials): [CLS], at most limit − 2 tokens, [SEP]. Returns the count, or
 * LIMIT_TOO_SMALL. `tokenize_truncated` then tells whether the text had more.
 */
export function tokenize(
  vocabulary: usize,
  ids: usize,
  offsets: usize,
  text: usize,
  length: u32,
  limit: u32,
): i32 {
  if (limit < LIMIT_MIN) return LIMIT_TOO_SMALL;
  out_ids = ids;
  out_offsets = offsets;
  out_count = 0;
  out_room = limit - 1;
  truncated = false;
  emit(load<u32>(vocabulary, FIRST), 0, 0);
  words_begin(text, length);
  while (!truncated && words_next()) emit_word(vocabulary);
  out_room = limit;
  emit(load<u32>(vocabulary, LAST), 0, 0);
  return <i32>out_count;
}

/** Returns 1 if the last `tokenize` left tokens out. */
export function tokenize_truncated(): i32 {
  return truncated ? 1 : 0;
}

function emit(id: u32, start: u32, end: u32): void {
  if (out_count == out_room) {
    truncated = true;
    return;
  }
  store<u32>(out_ids + ((<usize>out_count) << 2), id);
  if (out_offsets != 0) {
    const at = out_offsets + ((<usize>out_count) << 3);
    store<u32>(at, start);
    store<u32>(at, end, 4);
  }
  out_count++;
}

function emit_word(vocabulary: usize): void {
  const pieces = split_word(vocabulary, word_length());
  if (pieces == 0) {
    emit(load<u32>(vocabulary, UNKNOWN), word_start(), word_end());
    return;
  }
  for (let i: u32 = 0; i < pieces && !truncated; i++) {
    const piece = PIECES + <usize>i * 12;
    const first = load<u32>(piece, 4);
    const end = load<u32>(piece, 8);
    emit(load<u32>(piece), word_source_start(first, end), word_source_end(first, end));
  }
}

/**
 * Fills PIECES; returns the count, or 0 if the word is unknown: too long, or no token matches the start of some rest.
 */
function split_word(vocabulary: usize, length: u32): u32 {
  let pieces: u32 = 0;
  let at: u32 = 0;
  while (at < length) {
    const continues = at > 0;
    let taken = min<u32>(length - at, vocabulary_longest(vocabulary, continues));
    let hash = hash_start(continues);
    for (let i: u32 = 0; i < taken; i++) {
      hash = hash_next(hash, load<u8>(WORD_BYTES + at + i));
      store<u32>(HASHES + ((<usize>i) << 2), hash);
    }
    let id: i32 = -1;
    for (; taken > 0; taken--) {
      hash = load<u32>(HASHES + ((<usize>(taken - 1)) << 2));
      id = vocabulary_find(vocabulary, WORD_BYTES + at, taken, hash, continues);
      if (id >= 0) break;
    }
    if (id < 0) return 0;
    const piece = PIECES + <usize>pieces * 12;
    store<u32>(piece, <u32>id);
    store<u32>(piece, at, 4);
    store<u32>(piece, at + taken, 8);
    pieces++;
    at += taken;
  }
  return pieces;
}
