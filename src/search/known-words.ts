import { tokenOf } from "./token.ts";
import { vocabularyWord } from "./vocabulary-word.ts";
import { asciiLowerCase, eachWord } from "./words.ts";

/** A token, and how often the pass that saw it last has met it. */
export interface KnownToken {
  /** The two halves of its hash. SPEC §16.6 */
  readonly high: number;
  readonly low: number;
  times: number;
  pass: number;
}

/** A word as it is written, and what is derived from it. */
export interface KnownWord {
  readonly written: string;
  readonly token: KnownToken;
  /** The word as the vocabulary holds it; null if its spelling is not looked at. SPEC §15.9 */
  readonly vocabulary: string | null;
  pass: number;
}

// Words repeat, and folding, stemming and hashing cost much more than a look into this table. A word has a few places in
// it, which depend on its hash; a new one may take the place of another. So no text can make a look slow.
const PLACES = 1 << 16;
const PLACES_PER_WORD = 4;
const words: (KnownWord | undefined)[] = new Array(PLACES).fill(undefined);
/** Longer words hardly repeat. */
const UNITS_MAX = 64;

/** Within a pass each token is one object, which carries its own count. */
const tokens = new Map<string, KnownToken>();
const TOKENS_MAX = 32_768;
let pass = 0;

/** Begins a pass over the texts of one chunk. Returns its number. Passes do not overlap. */
export function beginPass(): number {
  if (tokens.size >= TOKENS_MAX) {
    words.fill(undefined);
    tokens.clear();
  }
  return ++pass;
}

/** Calls back with each word of a text, in order. */
export function eachKnownWord(text: string, take: (word: KnownWord) => void): void {
  eachWord(text, (start, end) => take(knownWord(text, start, end)));
}

function knownWord(text: string, start: number, end: number): KnownWord {
  if (end - start > UNITS_MAX) return learn(text.slice(start, end));
  let hash = 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
  const first = (hash ^ (hash >>> 15)) & (PLACES - PLACES_PER_WORD);
  let place = first;
  for (; place < first + PLACES_PER_WORD; place++) {
    const word = words[place];
    if (word === undefined) break;
    if (isAt(text, start, end, word.written)) return word;
  }
  if (place === first + PLACES_PER_WORD) place = first + (hash & (PLACES_PER_WORD - 1));
  const word = learn(text.slice(start, end));
  words[place] = word;
  return word;
}

/** Compares without a copy: a slice and its hash would cost more than all else here. */
function isAt(text: string, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false;
  for (let i = 0; i < word.length; i++) if (text.charCodeAt(start + i) !== word.charCodeAt(i)) return false;
  return true;
}

function learn(written: string): KnownWord {
  const lower = asciiLowerCase(written);
  const name = tokenOf(lower);
  let token = tokens.get(name);
  if (token === undefined) {
    token = { high: tokenHash(name, HIGH_BASIS), low: tokenHash(name, LOW_BASIS), times: 0, pass: 0 };
    tokens.set(name, token);
  }
  return { written: copyOf(written), token, vocabulary: vocabularyWord(lower), pass: 0 };
}

/** A slice would keep the whole text that it is a part of in memory. */
function copyOf(text: string): string {
  let copy = "";
  for (let at = 0; at < text.length; at++) copy += text[at];
  return copy;
}

/** The two halves of a token's hash are FNV-1a from these bases, finished by MurmurHash3's mixer. SPEC §16.6 */
const HIGH_BASIS = 0x811c9dc5;
const LOW_BASIS = 0x9747b28c;

function tokenHash(token: string, basis: number): number {
  let hash = basis;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
