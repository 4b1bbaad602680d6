/**
 * Splits a text into words as SQLite's tokenizer does (before it folds case and stems), so that it is known whether a
 * query has a word before SQLite sees it. SPEC §15.2
 */
import { MARK_RUNS, WORD_RUNS } from "./token-characters.generated.ts";

/** The edges of runs: a code point is inside if an odd number of edges is at or below it. */
function edgesOf(runs: string): Uint32Array {
  let edge = 0;
  return Uint32Array.from(runs.split(" "), (length) => {
    edge += Number.parseInt(length, 36);
    return edge;
  });
}

const WORD_EDGES = edgesOf(WORD_RUNS);
const MARK_EDGES = edgesOf(MARK_RUNS);

const IS_ASCII_WORD = Uint8Array.from({ length: 0x80 }, (_, c) => (isInside(WORD_EDGES, c) ? 1 : 0));

function isInside(edges: Uint32Array, codePoint: number): boolean {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (edges[middle]! <= codePoint) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

/** Returns whether a character starts or continues a word. */
export function isWordCharacter(codePoint: number): boolean {
  return codePoint < 0x80 ? IS_ASCII_WORD[codePoint] === 1 : isInside(WORD_EDGES, codePoint);
}

/** Returns whether a character continues a word and is left out of its token. */
export function isMark(codePoint: number): boolean {
  return codePoint >= 0x300 && isInside(MARK_EDGES, codePoint);
}

/** Returns the words in order, at most `limit` of them, with A to Z as a to z. */
export function wordsOf(text: string, limit = Number.POSITIVE_INFINITY): string[] {
  const words: string[] = [];
  eachWord(
    text,
    (start, end) => words.push(asciiLowerCase(text.slice(start, end))),
    () => words.length >= limit,
  );
  return words;
}

/** Calls back with the position of each word, in order, until `isEnough`. */
export function eachWord(
  text: string,
  take: (start: number, end: number) => void,
  isEnough: () => boolean = () => false,
): void {
  let start = -1;
  for (let at = 0, next = 0; at < text.length; at = next) {
    const unit = text.charCodeAt(at);
    const codePoint = unit < 0x80 ? unit : text.codePointAt(at)!;
    next = at + (codePoint > 0xffff ? 2 : 1);
    if (isWordCharacter(codePoint) || (start >= 0 && isMark(codePoint))) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      take(start, at);
      if (isEnough()) return;
      start = -1;
    }
  }
  if (start >= 0) take(start, text.length);
}

/** The host's toLowerCase maps more letters, and which ones depends on its Unicode version. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
