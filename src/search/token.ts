import { utf8 } from "../text/canonical.ts";
import { stem } from "./stem.ts";
import { FOLDED } from "./token-characters.generated.ts";
import { isMark } from "./words.ts";

/** What a code point becomes, where FTS5 folds it to another: its case and its diacritics. */
const FOLDS = readFolds(FOLDED);

/** Runs of `first count step target`, each number in base 36: the code points first + i·step become target + i·step. */
function readFolds(runs: string): ReadonlyMap<number, number> {
  const folds = new Map<number, number>();
  const numbers = runs.split(" ").map((each) => Number.parseInt(each, 36));
  for (let at = 0; at < numbers.length; at += 4) {
    const [first, count, step, target] = numbers.slice(at, at + 4) as [number, number, number, number];
    for (let i = 0; i < count; i++) folds.set(first + i * step, target + i * step);
  }
  return folds;
}

/** Of a word character. */
export function foldedCharacter(codePoint: number): number {
  if (codePoint < 0x80) return codePoint >= 0x41 && codePoint <= 0x5a ? codePoint + 32 : codePoint;
  return FOLDS.get(codePoint) ?? codePoint;
}

/** FTS5 cuts longer tokens off, within a character too. */
const TOKEN_BYTES_MAX = 32_768;

/**
 * The token that FTS5's `porter unicode61 remove_diacritics 2` makes of a word: folded, without its marks, its stem. A
 * string with one character per byte of UTF-8, since a stem may end within a character. SPEC §15.8
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

/** Byte by byte: a query may be one word of any length, and a call takes only so many arguments. */
function byteString(bytes: Uint8Array): string {
  let out = "";
  for (const byte of bytes) out += String.fromCharCode(byte);
  return out;
}

/** The bytes of a token. */
export function tokenBytes(token: string): Uint8Array {
  return Uint8Array.from(token, (byte) => byte.charCodeAt(0));
}
