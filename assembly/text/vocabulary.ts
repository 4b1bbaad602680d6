/**
 * The vocabulary of a WordPiece model, in the arena: token bytes → id by open addressing. SPEC §6.1
 *
 *     header   count · slots · shift · tokens · unknown · first · last · longest start · longest continuation   9 × u32
 *     tokens   address of each token's record, by id                                                    count × u32
 *     slots    hash · id + 1, or 0 · 0 when free                                       2^(32 − shift) × (u32, u32)
 *     records  length u16, then that many bytes; as the host wrote them
 *
 * A token that starts with "##" (and is longer) continues a word; it is looked up by what follows the "##". A record of
 * length 0 is an id that no text can produce: the specials.
 */
import { BAD_RECORDS, DUPLICATE_TOKEN, ID_OUT_OF_RANGE, NO_MEMORY } from "../codes";
import { alloc, failed_allocs, memory_mark, memory_release } from "../memory";

export const UNKNOWN: usize = 16;
export const FIRST: usize = 20;
export const LAST: usize = 24;
const COUNT: usize = 0;
const SLOTS: usize = 4;
const SHIFT: usize = 8;
const TOKENS: usize = 12;
const LONGEST_START: usize = 28;
const LONGEST_CONTINUATION: usize = 32;
const HEADER_BYTES: usize = 36;

export const COUNT_MAX: u32 = 1 << 20;

/**
 * Builds the table over `count` records in the `length` bytes at `records`. The records stay in use, so the caller must
 * leave them in place. Returns the vocabulary's address, or BAD_RECORDS, ID_OUT_OF_RANGE, DUPLICATE_TOKEN or NO_MEMORY.
 * No address, read as i32, equals one of these: the table needs more space than the last bytes of memory have.
 */
export function vocabulary_load(records: usize, length: u32, count: u32, unk: u32, cls: u32, sep: u32): i32 {
  if (count == 0 || count > COUNT_MAX) return BAD_RECORDS;
  if (unk >= count || cls >= count || sep >= count) return ID_OUT_OF_RANGE;
  const mark = memory_mark();
  const shift: u32 = clz<u32>(count * 2 - 1);
  const slot_bytes: usize = 8 << (32 - shift);
  const failed = failed_allocs;
  const vocabulary = alloc(HEADER_BYTES);
  const tokens = alloc((<usize>count) << 2);
  const slots = alloc(slot_bytes);
  if (failed_allocs != failed) {
    memory_release(mark);
    return NO_MEMORY;
  }
  memory.fill(slots, 0, slot_bytes);
  store<u32>(vocabulary, count, COUNT);
  store<u32>(vocabulary, <u32>slots, SLOTS);
  store<u32>(vocabulary, shift, SHIFT);
  store<u32>(vocabulary, <u32>tokens, TOKENS);
  store<u32>(vocabulary, unk, UNKNOWN);
  store<u32>(vocabulary, cls, FIRST);
  store<u32>(vocabulary, sep, LAST);
  store<u32>(vocabulary, 0, LONGEST_START);
  store<u32>(vocabulary, 0, LONGEST_CONTINUATION);
  const code = insert_all(vocabulary, records, length, count);
  if (code < 0) {
    memory_release(mark);
    return code;
  }
  return <i32>vocabulary;
}

function insert_all(vocabulary: usize, records: usize, length: u32, count: u32): i32 {
  const tokens = <usize>load<u32>(vocabulary, TOKENS);
  const end = records + length;
  let at = records;
  for (let id: u32 = 0; id < count; id++) {
    if (at + 2 > end) return BAD_RECORDS;
    const bytes = <u32>load<u16>(at);
    if (at + 2 + bytes > end) return BAD_RECORDS;
    store<u32>(tokens + ((<usize>id) << 2), <u32>at);
    if (bytes > 0 && !insert(vocabulary, id, at + 2, bytes)) return DUPLICATE_TOKEN;
    at += 2 + bytes;
  }
  return at == end ? 0 : BAD_RECORDS;
}

function insert(vocabulary: usize, id: u32, bytes: usize, length: u32): bool {
  const continues = is_continuation(bytes, length);
  if (continues) {
    bytes += 2;
    length -= 2;
  }
  const longest_at = vocabulary + (continues ? LONGEST_CONTINUATION : LONGEST_START);
  if (length > load<u32>(longest_at)) store<u32>(longest_at, length);
  let hash = hash_start(continues);
  for (let i: u32 = 0; i < length; i++) hash = hash_next(hash, load<u8>(bytes + i));
  if (vocabulary_find(vocabulary, bytes, length, hash, continues) >= 0) return false;
  const slots = <usize>load<u32>(vocabulary, SLOTS);
  const shift = load<u32>(vocabulary, SHIFT);
  const mask: u32 = u32.MAX_VALUE >> shift;
  let slot = slot_of(hash, shift);
  while (load<u32>(slots + ((<usize>slot) << 3), 4) != 0) slot = (slot + 1) & mask;
  store<u32>(slots + ((<usize>slot) << 3), hash);
  store<u32>(slots + ((<usize>slot) << 3), id + 1, 4);
  return true;
}

function is_continuation(bytes: usize, length: u32): bool {
  return length > 2 && load<u16>(bytes) == 0x2323;
}

/** FNV-1a over the bytes, with different initial values for starts and continuations. */
export function hash_start(continues: bool): u32 {
  return continues ? 0x9747b28c : 0x811c9dc5;
}

export function hash_next(hash: u32, byte: u8): u32 {
  return (hash ^ <u32>byte) * 0x01000193;
}

function slot_of(hash: u32, shift: u32): u32 {
  return (hash * 0x9e3779b1) >> shift;
}

/** Returns the length in bytes of the longest token that can start or continue a word. */
export function vocabulary_longest(vocabulary: usize, continues: bool): u32 {
  return load<u32>(vocabulary + (continues ? LONGEST_CONTINUATION : LONGEST_START));
}

/** Returns the id of the token with these bytes and this hash, or −1. */
export function vocabulary_find(
  vocabulary: usize,
  bytes: usize,
  length: u32,
  hash: u32,
  continues: bool,
): i32 {
  const slots = <usize>load<u32>(vocabulary, SLOTS);
  const tokens = <usize>load<u32>(vocabulary, TOKENS);
  const shift = load<u32>(vocabulary, SHIFT);
  const mask: u32 = u32.MAX_VALUE >> shift;
  let slot = slot_of(hash, shift);
  while (true) {
    const at = slots + ((<usize>slot) << 3);
    const held = load<u32>(at, 4);
    if (held == 0) return -1;
    if (load<u32>(at) == hash) {
      const record = <usize>load<u32>(tokens + ((<usize>(held - 1)) << 2));
      if (holds(record, bytes, length, continues)) return <i32>(held - 1);
    }
    slot = (slot + 1) & mask;
  }
}

function holds(record: usize, bytes: usize, length: u32, continues: bool): bool {
  const held = <u32>load<u16>(record);
  if (is_continuation(record + 2, held) != continues) return false;
  const skipped: u32 = continues ? 2 : 0;
  if (held != length + skipped) return false;
  return memory.compare(record + 2 + skipped, bytes, length) == 0;
}
