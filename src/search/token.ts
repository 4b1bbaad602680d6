import { utf8 } from "../text/canonical.ts";
import { stem } from "./stem.ts";
import { FOLDED } from "./token-characters.generated.ts";
import { isMark } from "./words.ts";

/** The code points that FTS5 folds to another (case and diacritics), with what they become. */
const FOLDS = readFolds(FOLDED);

/**
 * Reads runs of `gap count step targetStep distance`, each number in base 36. A run starts `gap` after the start of the
 * one before it. Its code points first + i·step become first + distance + i·targetStep.
 */
function readFolds(runs: string): ReadonlyMap<number, number> {
  const folds = new Map<number, number>();
  const numbers = runs.split(" ").map((each) => Number.parseInt(each, 36));
  let first = 0;
  for (let at = 0; at < numbers.length; at += 5) {
    const [gap, count, step, targetStep, distance] = numbers.slice(at, at + 5) as [
      number,
      number,
      number,
      number,
      number,
    ];
    first += gap;
    for (let i = 0; i < count; i++) folds.set(first + i * step, first + distance + i * targetStep);
  }
  return folds;
}

/** Folds a word character. */
export function foldedCharacter(codePoint: number): number {
  if (codePoint < 0x80) return codePoint >= 0x41 && codePoint <= 0x5a ? codePoint + 32 : codePoint;
  return FOLDS.get(codePoint) ?? codePoint;
}

/** FTS5 truncates longer tokens, even within a character. */
const TOKEN_BYTES_MAX = 32_768;

/**
 * Returns the token that FTS5's `porter unicode61 remove_diacritics 2` makes of a word: folded, without marks, stemmed.
 * It is a string with one character per byte of UTF-8, since a stem may end within a character. SPEC §15.8
 */
export function tokenOf(word: string): string {
  let folded = "";
  let isAscii = true;
  for (const character of word) {
    const codePoint = character.codePointAt(0)!;
    if (isMark(codePoint)) continue;
    const to = foldedCharacter(codePoint);
    isAscii &&= to < 0x80;
    folded += String.fromCodePoint(to);
    if (folded.length >= TOKEN_BYTES_MAX) break;
  }
  return stem(isAscii ? folded : byteString(utf8(folded).subarray(0, TOKEN_BYTES_MAX)));
}

/** Converts byte by byte: a query may be one word of any length, and a call takes a limited number of arguments. */
function byteString(bytes: Uint8Array): string {
  let out = "";
  for (const byte of bytes) out += String.fromCharCode(byte);
  return out;
}

/** Returns the bytes of a token. */
export function tokenBytes(token: string): Uint8Array {
  return Uint8Array.from(token, (byte) => byte.charCodeAt(0));
}
