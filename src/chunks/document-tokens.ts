import type { Tokenizer } from "../text/tokenizer.ts";

/**
 * The text is tokenised in parts of about this many bytes: a few milliseconds each, and little of the engine's memory.
 */
const PART_BYTES = 1 << 16;
const TOKENS_MAX = 0x7fff_ffff;

/**
 * The words of a document and their tokens. A token never spans two words, and the tokens of a word depend on nothing
 * outside it. So any range that starts and ends between words has as many tokens alone as it has here. SPEC §11.1
 */
export interface DocumentTokens {
  /** The position of the first byte of each word. */
  readonly starts: Uint32Array;
  /** The number of tokens before each word, and at the end the total. */
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
  // A word has at least one byte; prose has about one word per five or six bytes.
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
    // The first and the last are special tokens.
    for (let i = 1; i < ids.length - 1; i++) {
      const start = from + offsets[2 * i]!;
      if (isContinuation[ids[i]!] === 0) {
        starts[words] = start;
        before[words++] = count;
      } else if (start < starts[words - 1]!) {
        // Combining marks of a word can change places.
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
 * Returns the first position from `at` on that is not inside a word, or the end if there is none. A space, an LF, an
 * ASCII punctuation character and an ideograph (all of U+5000–9FFF are ideographs) end the word before them. SPEC §6.2
 */
function wordBoundary(text: Uint8Array, at: number): number {
  for (let i = at; i < text.length; i++) if (ENDS_WORD[text[i]!] === 1) return i;
  return text.length;
}

/** Indexed by the first byte of a character. */
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

/** For each token, 1 if it continues a word. No word starts with `##`: `#` is a word by itself. */
function continuations(tokenizer: Tokenizer): Uint8Array {
  let flags = known.get(tokenizer);
  if (flags === undefined) {
    flags = Uint8Array.from(tokenizer.tokens, (token) => (token.startsWith("##") ? 1 : 0));
    known.set(tokenizer, flags);
  }
  return flags;
}
