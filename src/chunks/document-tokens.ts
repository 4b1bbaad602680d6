import type { Tokenizer } from "../text/tokenizer.ts";

/** The text is tokenised in parts of about this many bytes: some milliseconds, and little of the engine's memory. */
const PART_BYTES = 1 << 16;
const TOKENS_MAX = 0x7fff_ffff;

/**
 * The words of a document and their tokens. Tokens never reach over a word, and what a word becomes depends on nothing
 * outside it, so any range that begins and ends between words has as many tokens alone as it has here. SPEC §11.1
 */
export interface DocumentTokens {
  /** The first byte of each word. */
  readonly starts: Uint32Array;
  /** The number of tokens before each word, and in the end of all. */
  readonly before: Uint32Array;
  readonly words: number;
}

/** Tokenises a document, with a pause after each part. */
export function* documentTokens(
  tokenizer: Tokenizer,
  text: Uint8Array,
  partBytes = PART_BYTES,
): Generator<void, DocumentTokens> {
  const isContinuation = continuations(tokenizer);
  // A word has at least one byte; prose has one in five or six.
  let starts = new Uint32Array(64 + (text.length >> 2));
  let before = new Uint32Array(starts.length);
  let words = 0;
  let count = 0;
  for (let from = 0; from < text.length; ) {
    const to = wordBoundary(text, from + partBytes);
    const { ids, offsets } = tokenizer.tokenizeCanonical(text.subarray(from, to), TOKENS_MAX);
    if (words + ids.length >= starts.length) {
      const room = Math.max(2 * starts.length, words + ids.length + 1);
      starts = grown(starts, room);
      before = grown(before, room);
    }
    // The first and the last are specials.
    for (let i = 1; i < ids.length - 1; i++) {
      const start = from + offsets[2 * i]!;
      if (isContinuation[ids[i]!] === 0) {
        starts[words] = start;
        before[words++] = count;
      } else if (start < starts[words - 1]!) {
        // Marks of a word can change places.
        starts[words - 1] = start;
      }
      count++;
    }
    from = to;
    if (from < text.length) yield;
  }
  before[words] = count;
  return { starts, before, words };
}

/**
 * The first place from `at` on that no word reaches over; the end if there is none. A space, an LF, a punctuation
 * character of ASCII and an ideograph (U+5000–9FFF are all of that kind) end the word before them. SPEC §6.2
 */
function wordBoundary(text: Uint8Array, at: number): number {
  for (let i = at; i < text.length; i++) if (ENDS_WORD[text[i]!] === 1) return i;
  return text.length;
}

/** By first byte of a character. */
const ENDS_WORD = new Uint8Array(256);
ENDS_WORD[0x0a] = 1;
for (let byte = 0x20; byte < 0x7f; byte++)
  if (!/[0-9A-Za-z]/.test(String.fromCharCode(byte))) ENDS_WORD[byte] = 1;
for (let byte = 0xe5; byte <= 0xe9; byte++) ENDS_WORD[byte] = 1;

function grown(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(array);
  return larger;
}

const known = new WeakMap<Tokenizer, Uint8Array>();

/** Per token, 1 if it continues a word. No word begins with `##`: `#` is a word of its own. */
function continuations(tokenizer: Tokenizer): Uint8Array {
  let flags = known.get(tokenizer);
  if (flags === undefined) {
    flags = Uint8Array.from(tokenizer.tokens, (token) => (token.startsWith("##") ? 1 : 0));
    known.set(tokenizer, flags);
  }
  return flags;
}
