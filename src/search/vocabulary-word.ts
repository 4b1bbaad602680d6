import { isSetApart } from "../text/search-text.ts";
import { foldedCharacter } from "./token.ts";
import { isMark } from "./words.ts";

/** The fewest and the most characters of a word whose spelling is looked at. SPEC §15.9 */
const LENGTH_MIN = 4;
const LENGTH_MAX = 32;
const DIGIT = /[0-9]/;

/**
 * Returns a word as the vocabulary holds it: folded and without marks, but not stemmed. Null if its spelling is not
 * looked at: it is too short or too long, or has a digit or a character that is set apart. SPEC §15.9
 */
export function vocabularyWord(word: string): string | null {
  if (word.length < LENGTH_MIN || DIGIT.test(word)) return null;
  let folded = "";
  let length = 0;
  for (const character of word) {
    const codePoint = character.codePointAt(0)!;
    if (isMark(codePoint)) continue;
    if (isSetApart(codePoint) || length === LENGTH_MAX) return null;
    folded += String.fromCodePoint(foldedCharacter(codePoint));
    length++;
  }
  return length < LENGTH_MIN ? null : folded;
}
