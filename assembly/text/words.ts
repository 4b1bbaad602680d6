/**
 * The words of a text, after BERT's normaliser and pre-tokenizer: controls dropped, ideographs set apart,
 * decomposed, nonspacing marks dropped, lower case, split at white space and around punctuation. SPEC §6.2
 *
 * One word is held at a time, character by character, each with the source bytes it comes from.
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
import { utf8_decode } from "./utf8";

const CODE_POINT: u32 = 0x1fffff;
/** A longer word is unknown as a whole, so its characters are only counted. */
export const WORD_CHARACTERS_MAX: u32 = 100;

/** Per character of the word: code point | class << 24 · first source byte · end of its source bytes. */
const CHARACTERS = memory.data(100 * 12, 4);
const PARTS = memory.data(4 * 4, 4);

let text_start: usize = 0;
let text_at: usize = 0;
let text_end: usize = 0;

let count: u32 = 0;
/** The first of the marks at the word's end, those that canonical ordering may still move. */
let marks_from: u32 = 0;
let first_byte: u32 = 0;
let end_byte: u32 = 0;

export function words_begin(text: usize, length: u32): void {
  text_start = text;
  text_at = text;
  text_end = text + length;
}

/** How many characters the word has; only the first WORD_CHARACTERS_MAX can be asked for. */
export function word_characters(): u32 {
  return count;
}
export function word_start(): u32 {
  return first_byte;
}
export function word_end(): u32 {
  return end_byte;
}
export function word_character(i: u32): u32 {
  return load<u32>(CHARACTERS + <usize>i * 12) & CODE_POINT;
}
export function word_character_start(i: u32): u32 {
  return load<u32>(CHARACTERS + <usize>i * 12, 4);
}
export function word_character_end(i: u32): u32 {
  return load<u32>(CHARACTERS + <usize>i * 12, 8);
}

/** Reads on to the end of the next word; false when there is none. */
export function words_next(): bool {
  count = 0;
  marks_from = 0;
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
      // Gone before anything else looks: what stands around it is one word.
    } else if (flags & SPACE) {
      if (count > 0) return true;
    } else {
      // The tables hold that punctuation comes first in a decomposition, with only nonspacing marks behind it.
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
    // Dropped only after ordering, so one of class 0 still keeps the marks around it apart.
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
  if (count < WORD_CHARACTERS_MAX) {
    const at = CHARACTERS + <usize>count * 12;
    store<u32>(at, c);
    store<u32>(at, start, 4);
    store<u32>(at, end, 8);
  }
  count++;
  marks_from = count;
}

/** A mark that is kept (category Mc) goes behind the marks whose class is not above its own. */
function push_mark(part: u32, combining: u32, start: u32, end: u32): void {
  if (count == 0) first_byte = start;
  end_byte = end;
  if (count < WORD_CHARACTERS_MAX) {
    let at = CHARACTERS + <usize>count * 12;
    const lowest = CHARACTERS + <usize>marks_from * 12;
    while (at > lowest && load<u32>(at - 12) >> 24 > combining) {
      memory.copy(at, at - 12, 12);
      at -= 12;
    }
    store<u32>(at, part);
    store<u32>(at, start, 4);
    store<u32>(at, end, 8);
  }
  count++;
}
