/**
 * Unicode normalisation forms C and D of UTF-8 bytes (UAX #15), by the pinned tables. SPEC §5.2
 *
 * Text that is already normal is copied. Where it is not, the segment around that position (from the last character
 * that nothing before it can change, to the next such character) is decomposed, ordered, and for NFC composed.
 */
import { NO_MEMORY } from "../codes";
import { alloc, memory_mark, memory_release } from "../memory";
import {
  character_flags,
  DECOMPOSES,
  decompose,
  decomposed_count,
  HANGUL_COUNT,
  HANGUL_FIRST,
  JAMO_L,
  JAMO_L_COUNT,
  JAMO_T,
  JAMO_T_COUNT,
  JAMO_V,
  JAMO_V_COUNT,
  NFC_CHECK,
} from "./character";
import { COMPOSITION_SLOTS } from "./tables.generated";
import { ascii_run, CODE_POINT, utf8_decode, utf8_encode } from "./utf8";

/**
 * Above this many marks in a row, a counting sort by class beats moving one by one; an attacker's megabyte stays
 * linear.
 */
const LONG_RUN: u32 = 24;
const CLASS_COUNTS = memory.data(256 * 4, 4);

/** Writes NFC of `length` bytes; `out` has space for 3·length. Returns the length written, or NO_MEMORY. */
export function nfc(out: usize, text: usize, length: u32): i32 {
  const end = normalise(out, text, length, NFC_CHECK);
  return end == 0 ? NO_MEMORY : <i32>(end - out);
}

/** Writes NFD of `length` bytes; `out` has space for 3·length. Returns the length written, or NO_MEMORY. */
export function nfd(out: usize, text: usize, length: u32): i32 {
  const end = normalise(out, text, length, DECOMPOSES);
  return end == 0 ? NO_MEMORY : <i32>(end - out);
}

/**
 * Writes the normal form whose quick check is the flag `check`; returns the end of what it wrote, or 0 if memory is
 * short.
 */
export function normalise(out: usize, text: usize, length: u32, check: u32): usize {
  const end = text + length;
  let at = text;
  // The last boundary: its position in the input and in the output.
  let from = at;
  let to = out;
  let last_class: u32 = 0;
  while (at < end) {
    if (load<u8>(at) < 0x80) {
      const run = ascii_run(at, end);
      memory.copy(out, at, run);
      at += run;
      out += run;
      from = at - 1;
      to = out - 1;
      last_class = 0;
      continue;
    }
    const read = utf8_decode(at, end);
    const c = read & CODE_POINT;
    const flags = character_flags(c);
    const combining = flags >> 8;
    if ((flags & check) == 0 && (combining == 0 || combining >= last_class)) {
      if (combining == 0) {
        from = at;
        to = out;
      }
      last_class = combining;
      out = utf8_encode(out, c);
      at += read >> 24;
      continue;
    }
    at = segment_end(at, end, check);
    out = normalise_segment(to, from, at, check == NFC_CHECK);
    if (out == 0) return 0;
    from = at;
    to = out;
    last_class = 0;
  }
  return out;
}

/**
 * Returns the next boundary after the character at `at`: a starter that passes the check, so that nothing before
 * changes it.
 */
function segment_end(at: usize, end: usize, check: u32): usize {
  at += utf8_decode(at, end) >> 24;
  while (at < end) {
    const read = utf8_decode(at, end);
    const flags = character_flags(read & CODE_POINT);
    if (flags >> 8 == 0 && (flags & check) == 0) return at;
    at += read >> 24;
  }
  return at;
}

function normalise_segment(out: usize, from: usize, end: usize, composes: bool): usize {
  const mark = memory_mark();
  let room: u32 = 0;
  for (let at = from; at < end; ) {
    const read = utf8_decode(at, end);
    const c = read & CODE_POINT;
    room += decomposed_count(c, character_flags(c));
    at += read >> 24;
  }
  const parts = alloc((<usize>room) << 2);
  if (parts == 0) return 0;
  let count: u32 = 0;
  for (let at = from; at < end; ) {
    const read = utf8_decode(at, end);
    const c = read & CODE_POINT;
    count += decompose(parts + ((<usize>count) << 2), c, character_flags(c));
    at += read >> 24;
  }
  if (!order_marks(parts, count)) {
    memory_release(mark);
    return 0;
  }
  if (composes) count = compose(parts, count);
  for (let i: u32 = 0; i < count; i++)
    out = utf8_encode(out, load<u32>(parts + ((<usize>i) << 2)) & CODE_POINT);
  memory_release(mark);
  return out;
}

/** Applies canonical ordering: every run of marks is sorted by class, stably. Returns false if memory is short. */
function order_marks(parts: usize, count: u32): bool {
  let i: u32 = 0;
  while (i < count) {
    if (load<u32>(parts + ((<usize>i) << 2)) >> 24 == 0) {
      i++;
      continue;
    }
    const first = i;
    while (i < count && load<u32>(parts + ((<usize>i) << 2)) >> 24 != 0) i++;
    const run = parts + ((<usize>first) << 2);
    if (i - first <= LONG_RUN) insertion_sort(run, i - first);
    else if (!counting_sort(run, i - first)) return false;
  }
  return true;
}

function insertion_sort(run: usize, count: u32): void {
  for (let i: u32 = 1; i < count; i++) {
    const part = load<u32>(run + ((<usize>i) << 2));
    let at = run + ((<usize>i) << 2);
    while (at > run && load<u32>(at - 4) >> 24 > part >> 24) {
      store<u32>(at, load<u32>(at - 4));
      at -= 4;
    }
    store<u32>(at, part);
  }
}

function counting_sort(run: usize, count: u32): bool {
  const mark = memory_mark();
  const bytes = (<usize>count) << 2;
  const copy = alloc(bytes);
  if (copy == 0) return false;
  memory.copy(copy, run, bytes);
  memory.fill(CLASS_COUNTS, 0, 256 * 4);
  for (let at = copy; at < copy + bytes; at += 4) {
    const counter = CLASS_COUNTS + ((load<u32>(at) >> 24) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  let place: u32 = 0;
  for (let counter = CLASS_COUNTS; counter < CLASS_COUNTS + 256 * 4; counter += 4) {
    const held = load<u32>(counter);
    store<u32>(counter, place);
    place += held;
  }
  for (let at = copy; at < copy + bytes; at += 4) {
    const part = load<u32>(at);
    const counter = CLASS_COUNTS + ((part >> 24) << 2);
    store<u32>(run + ((<usize>load<u32>(counter)) << 2), part);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  memory_release(mark);
  return true;
}

/** Applies canonical composition in place; returns how many parts are left. */
function compose(parts: usize, count: u32): u32 {
  let kept: u32 = 0;
  let starter: u32 = u32.MAX_VALUE; // none yet; then starter + 1 == kept wraps to 0 == 0, which the test excludes
  let last_class: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const part = load<u32>(parts + ((<usize>i) << 2));
    const combining = part >> 24;
    if (starter != u32.MAX_VALUE && (starter + 1 == kept || last_class < combining)) {
      const at = parts + ((<usize>starter) << 2);
      const composite = composite_of(load<u32>(at), part & CODE_POINT);
      if (composite != 0) {
        store<u32>(at, composite);
        continue;
      }
    }
    if (combining == 0) starter = kept;
    last_class = combining;
    store<u32>(parts + ((<usize>kept) << 2), part);
    kept++;
  }
  return kept;
}

/** Returns the primary composite of a starter and the character after it, or 0. */
function composite_of(first: u32, second: u32): u32 {
  const vowel = second - JAMO_V;
  if (vowel < JAMO_V_COUNT) {
    const lead = first - JAMO_L;
    return lead < JAMO_L_COUNT ? HANGUL_FIRST + (lead * JAMO_V_COUNT + vowel) * JAMO_T_COUNT : 0;
  }
  const tail = second - JAMO_T;
  if (tail - 1 < JAMO_T_COUNT - 1) {
    const syllable = first - HANGUL_FIRST;
    return syllable < HANGUL_COUNT && syllable % JAMO_T_COUNT == 0 ? first + tail : 0;
  }
  // Open addressing over 2048 slots of (first, second, composite); scripts/generate-unicode.mjs uses the same hash.
  let slot = ((first * 0x9e3779b1) ^ (second * 0x85ebca6b)) >> 21;
  while (true) {
    const at = COMPOSITION_SLOTS + slot * 12;
    const held = load<u32>(at);
    if (held == 0) return 0;
    if (held == first && load<u32>(at, 4) == second) return load<u32>(at, 8);
    slot = (slot + 1) & 2047;
  }
}
