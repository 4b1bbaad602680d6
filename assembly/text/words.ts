/**
 * The words of a text, after BERT's normaliser and pre-tokenizer: controls are dropped, ideographs are separated, text
 * is decomposed, nonspacing marks are dropped, letters become lower case, and the text is split at white space and
 * around punctuation. SPEC §6.2
 *
 * One word is held at a time, as UTF-8, with the source bytes that each of its bytes comes from.
 */
import {
  character_flags,
  character_record,
  DROP,
  decompose,
  IDEOGRAPH,
  NFC_CHECK,
  NONSPACING,
  PUNCTUATION,
  record_flags,
  record_to_lower,
  SPACE,
} from "./character";
import { CODE_POINT, utf8_decode, utf8_encode } from "./utf8";

/** A longer word is unknown as a whole, so its characters are only counted. */
const CHARACTERS_MAX: u32 = 100;

export const WORD_BYTES_MAX: u32 = CHARACTERS_MAX * 4;
/** The word, `word_length()` bytes. */
export const WORD_BYTES = memory.data(WORD_BYTES_MAX, 4);

/**
 * For a word that is not plain, per character: code point | class << 24 · first source byte · end of its source bytes.
 */
const CHARACTERS = memory.data(100 * 12, 4);
/** For a word that is not plain, per byte: the number of its character. */
const CHARACTER_OF_BYTE = memory.data(WORD_BYTES_MAX, 4);
const PARTS = memory.data(4 * 4, 4);

let text_start: usize = 0;
let text_at: usize = 0;
let text_end: usize = 0;

let length: u32 = 0;
/** Plain: ASCII letters and digits in a row, so that byte i comes from source byte first_byte + i. */
let plain: bool = false;
let first_byte: u32 = 0;
let end_byte: u32 = 0;
let count: u32 = 0;
/** The first of the marks at the word's end that canonical ordering may still move. */
let marks_from: u32 = 0;

export function words_begin(text: usize, bytes: u32): void {
  text_start = text;
  text_at = text;
  text_end = text + bytes;
}

/** Returns how many bytes the word has; 0 if it has more than CHARACTERS_MAX characters. */
export function word_length(): u32 {
  return length;
}

/** Returns where the source of the bytes from `first` up to `end` starts. */
export function word_source_start(first: u32, end: u32): u32 {
  if (plain) return first_byte + first;
  const last = <u32>load<u8>(CHARACTER_OF_BYTE + end - 1);
  let start = u32.MAX_VALUE;
  // Marks may have been reordered, so this is the minimum of all.
  for (let i = <u32>load<u8>(CHARACTER_OF_BYTE + first); i <= last; i++)
    start = min<u32>(start, load<u32>(CHARACTERS + <usize>i * 12, 4));
  return start;
}

/** Returns where the source of the bytes from `first` up to `end` ends. */
export function word_source_end(first: u32, end: u32): u32 {
  if (plain) return first_byte + end;
  const last = <u32>load<u8>(CHARACTER_OF_BYTE + end - 1);
  let source_end: u32 = 0;
  for (let i = <u32>load<u8>(CHARACTER_OF_BYTE + first); i <= last; i++)
    source_end = max<u32>(source_end, load<u32>(CHARACTERS + <usize>i * 12, 8));
  return source_end;
}

export function word_start(): u32 {
  return first_byte;
}
export function word_end(): u32 {
  return end_byte;
}

/** Reads to the end of the next word; false if there is none. */
export function words_next(): bool {
  if (read_plain_word()) return true;
  count = 0;
  marks_from = 0;
  plain = false;
  if (!read_word()) return false;
  length = count <= CHARACTERS_MAX ? write_word() : 0;
  return true;
}

/**
 * Handles the common case: a word of ASCII letters and digits, followed by ASCII white space, punctuation or the end.
 */
function read_plain_word(): bool {
  let at = text_at;
  while (at < text_end && (load<u8>(at) == 0x20 || load<u8>(at) == 0x0a)) at++;
  text_at = at;
  const stop = min<usize>(text_end, at + CHARACTERS_MAX + 1);
  let n: u32 = 0;
  let byte: u32 = 0;
  while (at < stop) {
    byte = <u32>load<u8>(at);
    const lower = byte | 0x20;
    if (lower - 0x61 < 26) store<u8>(WORD_BYTES + n, <u8>lower);
    else if (byte - 0x30 < 10) store<u8>(WORD_BYTES + n, <u8>byte);
    else break;
    at++;
    n++;
  }
  if (n == 0 || n > CHARACTERS_MAX) return false;
  // Anything else may belong to the word: a mark, a letter, or a control to be dropped with more after it.
  if (at < text_end && (byte >= 0x7f || (byte < 0x20 && byte != 0x0a))) return false;
  plain = true;
  length = n;
  first_byte = <u32>(text_at - text_start);
  end_byte = first_byte + n;
  text_at = at;
  return true;
}

function read_word(): bool {
  while (text_at < text_end) {
    const read = utf8_decode(text_at, text_end);
    const c = read & CODE_POINT;
    const after = text_at + (read >> 24);
    const start = <u32>(text_at - text_start);
    const end = <u32>(after - text_start);
    const record = character_record(c);
    const flags = record_flags(record) & ~NFC_CHECK;
    if (flags == 0) {
      push_starter(c + record_to_lower(record), start, end);
    } else if (flags & DROP) {
      // Dropped before any other rule applies: the characters around it form one word.
    } else if (flags & SPACE) {
      if (count > 0) return true;
    } else {
      // The tables guarantee that punctuation comes first in a decomposition, with only nonspacing marks after it.
      const parts = decompose(PARTS, c, flags);
      if ((flags & IDEOGRAPH) != 0 || (character_flags(load<u32>(PARTS) & CODE_POINT) & PUNCTUATION) != 0) {
        if (count > 0) return true;
        push_starter(load<u32>(PARTS), start, end);
        text_at = after;
        return true;
      }
      for (let i: u32 = 0; i < parts; i++) push_part(load<u32>(PARTS + ((<usize>i) << 2)), start, end);
    }
    text_at = after;
  }
  return count > 0;
}

function push_part(part: u32, start: u32, end: u32): void {
  const c = part & CODE_POINT;
  const combining = part >> 24;
  const record = character_record(c);
  if (record_flags(record) & NONSPACING) {
    // Dropped only after ordering, so a mark of class 0 still separates the marks around it.
    if (combining == 0) marks_from = count;
  } else if (combining == 0) {
    push_starter(c + record_to_lower(record), start, end);
  } else {
    push_mark(part, combining, start, end);
  }
}

function push_starter(c: u32, start: u32, end: u32): void {
  if (count == 0) first_byte = start;
  end_byte = end;
  if (count < CHARACTERS_MAX) set_character(CHARACTERS + <usize>count * 12, c, start, end);
  count++;
  marks_from = count;
}

/** Inserts a mark that is kept (category Mc) after the marks whose class is not above its own. */
function push_mark(part: u32, combining: u32, start: u32, end: u32): void {
  if (count == 0) first_byte = start;
  end_byte = end;
  if (count < CHARACTERS_MAX) {
    let at = CHARACTERS + <usize>count * 12;
    const lowest = CHARACTERS + <usize>marks_from * 12;
    while (at > lowest && load<u32>(at - 12) >> 24 > combining) {
      memory.copy(at, at - 12, 12);
      at -= 12;
    }
    set_character(at, part, start, end);
  }
  count++;
}

function set_character(at: usize, part: u32, start: u32, end: u32): void {
  store<u32>(at, part);
  store<u32>(at, start, 4);
  store<u32>(at, end, 8);
}

/** Writes the word from CHARACTERS; returns its length in bytes. */
function write_word(): u32 {
  let at = WORD_BYTES;
  for (let i: u32 = 0; i < count; i++) {
    const next = utf8_encode(at, load<u32>(CHARACTERS + <usize>i * 12) & CODE_POINT);
    for (; at < next; at++) store<u8>(CHARACTER_OF_BYTE + (at - WORD_BYTES), <u8>i);
  }
  return <u32>(at - WORD_BYTES);
}
