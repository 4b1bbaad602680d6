/**
 * Canonical text: UTF-8 in form NFC, lines ended by LF alone, no white space at the end of a line, one LF at the end.
 * SPEC §5.3
 */
import { NO_MEMORY } from "../codes";
import { alloc, memory_mark, memory_release } from "../memory";
import { character_flags, NFC_CHECK, SPACE } from "./character";
import { normalise } from "./normalise";
import {
  CODE_POINT,
  EVERY_BYTE,
  HIGH_BITS,
  REPLACEMENT,
  utf8_before,
  utf8_decode,
  utf8_encode,
} from "./utf8";

const LF: u8 = 0x0a;
const CR: u8 = 0x0d;

/**
 * Returns the space that `canonical_text` may need for these bytes: ASCII keeps its size, anything else (and NUL) grows
 * at most threefold.
 */
export function canonical_text_capacity(text: usize, length: u32): u32 {
  let capacity: u32 = length + 1;
  const end = text + length;
  let at = text;
  while (at < end) {
    // A word of eight bytes between 0x01 and 0x7f adds nothing.
    if (at + 8 <= end) {
      const word = load<u64>(at);
      if (((word | (word - EVERY_BYTE)) & HIGH_BITS) == 0) {
        at += 8;
        continue;
      }
    }
    const byte = load<u8>(at);
    if (byte == 0 || byte >= 0x80) capacity += 2;
    at++;
  }
  return capacity;
}

/** Writes the canonical text of `length` bytes at `text`; returns its length, or NO_MEMORY. */
export function canonical_text(out: usize, text: usize, length: u32): i32 {
  while (length >= 3 && load<u8>(text) == 0xef && load<u8>(text, 1) == 0xbb && load<u8>(text, 2) == 0xbf) {
    text += 3;
    length -= 3;
  }
  const mark = memory_mark();
  const composed = alloc(canonical_text_capacity(text, length));
  if (composed == 0) return NO_MEMORY;
  const end = normalise(composed, text, length, NFC_CHECK);
  const written: i32 = end == 0 ? NO_MEMORY : <i32>(canonical_lines(out, composed, end) - out);
  memory_release(mark);
  return written;
}

/** Reads well-formed NFC text; returns the end of what it wrote. */
function canonical_lines(out: usize, text: usize, end: usize): usize {
  const start = out;
  let line = out;
  let at = text;
  while (at < end) {
    // Copies eight bytes at a time while none is under 0x0e, where NUL, LF and CR are.
    while (at + 8 <= end) {
      const word = load<u64>(at);
      if ((word - 0x0e * EVERY_BYTE) & ~word & HIGH_BITS) break;
      store<u64>(out, word);
      at += 8;
      out += 8;
    }
    if (at >= end) break;
    const byte = load<u8>(at++);
    if (byte == LF || byte == CR) {
      if (byte == CR && at < end && load<u8>(at) == LF) at++;
      out = without_trailing_space(line, out);
      store<u8>(out++, LF);
      line = out;
    } else if (byte == 0) {
      out = utf8_encode(out, REPLACEMENT);
    } else {
      store<u8>(out++, byte);
    }
  }
  out = without_trailing_space(start, out);
  if (out > start) store<u8>(out++, LF);
  return out;
}

function without_trailing_space(start: usize, end: usize): usize {
  while (end > start) {
    const before = utf8_before(end, start);
    if ((character_flags(utf8_decode(before, end) & CODE_POINT) & SPACE) == 0) break;
    end = before;
  }
  return end;
}
