import type { Tokenizer } from "../text/tokenizer.ts";
import { lineEnd } from "./block.ts";

/** The text is tokenised in parts of whole lines, about as long: keeps the engine's memory small. */
const PART_BYTES = 1 << 18;
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

export function documentTokens(tokenizer: Tokenizer, text: Uint8Array): DocumentTokens {
  const isContinuation = continuations(tokenizer);
  // A word has at least one byte; prose has one in five or six.
  let starts = new Uint32Array(64 + (text.length >> 2));
  let before = new Uint32Array(starts.length);
  let words = 0;
  let count = 0;
  for (let from = 0; from < text.length; ) {
    const to = Math.min(text.length, lineEnd(text, Math.min(from + PART_BYTES, text.length)) + 1);
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
  }
  before[words] = count;
  return { starts, before, words };
}

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
