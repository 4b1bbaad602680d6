// The seal in the last 24 bytes of every page of a library's file. SQLite does not notice a changed bit inside a text,
// a vector or a block of the index. With the seal, damage is an error and never a different result.
//
//   0                             4072            4080            4088        4096
//   | what SQLite keeps           | state, u64    | journal, u64  | sum, u64  |     little-endian
//
// - state: the number of the transaction that wrote the page, below 2⁵². On page 1, the top bit is set while a
//   transaction is writing pages.
// - journal: on page 1, how many bytes of the rollback journal that transaction depends on. 0 elsewhere.
// - sum: over the 4088 bytes before it, and the page number. A page in the wrong place, or of zeros, does not pass.
//
// What page 1 says about transactions is explained in sealed-database.ts. SPEC §14.5

/** The size of every page of a library. */
export const PAGE_BYTES = 4096;
/** The number of bytes that SQLite leaves free at the end of each page. */
export const SEAL_BYTES = 24;

/** The position of the seal in its page. */
export const SEAL_OFFSET = PAGE_BYTES - SEAL_BYTES;

const STATE_WORD = SEAL_OFFSET / 4;
const JOURNAL_WORD = STATE_WORD + 2;
const SUM_WORD = JOURNAL_WORD + 2;
const OPEN_BIT = 0x8000_0000;
const HIGH_MASK = 0xf_ffff;
const WORD = 0x1_0000_0000;

/** The content of a seal, besides its sum. */
export interface Seal {
  /** The transaction that wrote the page. The first one is 1. */
  readonly transaction: number;
  /** True on page 1 while a transaction is writing pages. */
  readonly isOpen: boolean;
  /** On page 1: the number of bytes of the journal that this transaction depends on. */
  readonly journalBytes: number;
}

/** Writes the seal of page number `page` into its last bytes. */
export function sealPage(bytes: Uint8Array, page: number, seal: Seal): void {
  const words = wordsOf(bytes);
  words[STATE_WORD] = seal.transaction % WORD;
  words[STATE_WORD + 1] = Math.floor(seal.transaction / WORD) | (seal.isOpen ? OPEN_BIT : 0);
  words[JOURNAL_WORD] = seal.journalBytes % WORD;
  words[JOURNAL_WORD + 1] = Math.floor(seal.journalBytes / WORD);
  sumPage(words, page);
  words[SUM_WORD] = sums[0]!;
  words[SUM_WORD + 1] = sums[1]!;
  if (words.buffer !== bytes.buffer) bytes.set(new Uint8Array(words.buffer));
}

/** Returns the seal of page number `page`, or null if it does not match the page. */
export function sealOf(bytes: Uint8Array, page: number): Seal | null {
  if (bytes.byteLength !== PAGE_BYTES) return null;
  const words = wordsOf(bytes);
  sumPage(words, page);
  if (words[SUM_WORD] !== sums[0] || words[SUM_WORD + 1] !== sums[1]) return null;
  const high = words[STATE_WORD + 1]!;
  const transaction = (high & HIGH_MASK) * WORD + words[STATE_WORD]!;
  if (transaction === 0) return null;
  const journalBytes = words[JOURNAL_WORD + 1]! * WORD + words[JOURNAL_WORD]!;
  return { transaction, isOpen: high >= OPEN_BIT, journalBytes };
}

const sums = new Uint32Array(2);

function sumPage(words: Uint32Array, page: number): void {
  sum(words, JOURNAL_WORD, page, words[JOURNAL_WORD]!, words[JOURNAL_WORD + 1]!, sums);
}

/**
 * Computes 64 bits over the first `count` words, an even number, and three more numbers. Even words go through (a, b),
 * odd ones through (c, d). Each step is a bijection of its 64 bits, so a change in one word always changes the result.
 * Other damage passes with a probability of about 2⁻⁶⁴.
 */
export function sum(
  words: Uint32Array,
  count: number,
  start: number,
  low: number,
  high: number,
  out: Uint32Array,
): void {
  let a = Math.imul(start, 0x9e3779b1) ^ 0x73656c66;
  let b = 0x73616d65 ^ low;
  let c = Math.imul(start, 0x85ebca77) ^ 0x70616765;
  let d = 0x7365616c ^ high;
  for (let at = 0; at < count; at += 2) {
    a = Math.imul(a ^ words[at]!, 0xcc9e2d51);
    c = Math.imul(c ^ words[at + 1]!, 0x1b873593);
    a = (a << 13) | (a >>> 19);
    c = (c << 15) | (c >>> 17);
    b = (b + a) | 0;
    d = (d + c) | 0;
  }
  out[0] = mixed(a + Math.imul(d, 0x27d4eb2f));
  out[1] = mixed(b ^ Math.imul(c, 0x165667b1));
}

/** The finalizer of MurmurHash3: every bit of the result depends on every bit of the word. */
function mixed(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Returns the bytes as words; a copy only if they are not aligned. SQLite runs only on little-endian hosts. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const isAligned = bytes.byteOffset % 4 === 0;
  const source = isAligned ? bytes : bytes.slice();
  return new Uint32Array(source.buffer, isAligned ? bytes.byteOffset : 0, bytes.byteLength >> 2);
}
