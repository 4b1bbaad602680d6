/**
 * Returns the stem of a token: Porter's algorithm (1980) as FTS5 runs it, on bytes. A token of fewer than 3 or more
 * than 64 bytes is its own stem. Here a token is a string with one character per byte. Its letters a to z are
 * lower-case; every other byte counts as a consonant. The first byte never changes. SPEC §15.8
 */
export function stem(token: string): string {
  if (token.length < 3 || token.length > 64) return token;
  let word = withoutPlural(token);
  word = withoutEdIng(word);
  if (word.endsWith("y") && hasVowel(word, word.length - 1)) word = `${word.slice(0, -1)}i`;
  word = replaced(word, DERIVED, 0);
  word = replaced(word, ADJECTIVES, 0);
  word = replaced(word, ENDINGS, 1);
  if (word.endsWith("e")) {
    const rest = word.length - 1;
    const m = measure(word, rest);
    if (m > 1 || (m === 1 && !isShort(word, rest))) word = word.slice(0, -1);
  }
  return word.endsWith("ll") && measure(word, word.length - 1) > 1 ? word.slice(0, -1) : word;
}

type Suffix = readonly [suffix: string, instead: string];

/** Grouped by the second-to-last byte, which distinguishes most of them. */
type Suffixes = ReadonlyMap<number, readonly Suffix[]>;

function suffixes(list: readonly Suffix[]): Suffixes {
  const penultimate = ([suffix]: Suffix) => suffix.charCodeAt(suffix.length - 2);
  return new Map(
    list.map((one) => [penultimate(one), list.filter((each) => penultimate(each) === penultimate(one))]),
  );
}

// The first suffix that matches decides, whether or not the part before it is long enough.
const DERIVED = suffixes([
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["logi", "log"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
]);
const ADJECTIVES = suffixes([
  ["ical", "ic"],
  ["ness", ""],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ful", ""],
  ["ative", ""],
  ["alize", "al"],
]);
const ENDINGS = suffixes([
  ["al", ""],
  ["ance", ""],
  ["ence", ""],
  ["er", ""],
  ["ic", ""],
  ["able", ""],
  ["ible", ""],
  ["ant", ""],
  ["ement", ""],
  ["ment", ""],
  ["ent", ""],
  ["ion", ""],
  ["ou", ""],
  ["ism", ""],
  ["ate", ""],
  ["iti", ""],
  ["ous", ""],
  ["ive", ""],
  ["ize", ""],
]);

/** Replaces the suffix if the part before it has a measure above `moreThan`. */
function replaced(word: string, among: Suffixes, moreThan: number): string {
  for (const [suffix, instead] of among.get(word.charCodeAt(word.length - 2)) ?? []) {
    const rest = word.length - suffix.length;
    if (rest <= 0 || !word.endsWith(suffix)) continue;
    if (suffix === "ion" && word[rest - 1] !== "s" && word[rest - 1] !== "t") return word;
    return measure(word, rest) > moreThan ? word.slice(0, rest) + instead : word;
  }
  return word;
}

function withoutPlural(word: string): string {
  if (!word.endsWith("s") || word.endsWith("ss")) return word;
  const isLong = (word.endsWith("sses") && word.length > 4) || (word.endsWith("ies") && word.length > 3);
  return word.slice(0, isLong ? -2 : -1);
}

function withoutEdIng(word: string): string {
  if (word.length > 3 && word.endsWith("eed"))
    return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word;
  const suffix = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  const rest = word.length - suffix;
  return suffix > 0 && rest > 0 && hasVowel(word, rest) ? repaired(word.slice(0, rest)) : word;
}

/** Repairs a word after -ed or -ing was removed. */
function repaired(word: string): string {
  if (word.length > 2 && /(?:at|bl|iz)$/.test(word)) return `${word}e`;
  const last = word.charCodeAt(word.length - 1);
  if (!isVowel(last, false) && !/[lsz]$/.test(word) && word.charCodeAt(word.length - 2) === last)
    return word.slice(0, -1);
  return measure(word, word.length) === 1 && isShort(word, word.length) ? `${word}e` : word;
}

function isVowel(byte: number, yIsVowel: boolean): boolean {
  return (
    byte === 0x61 ||
    byte === 0x65 ||
    byte === 0x69 ||
    byte === 0x6f ||
    byte === 0x75 || // a e i o u
    (yIsVowel && byte === 0x79)
  );
}

/** Counts the runs of vowels that are followed by a consonant, in the first `length` bytes; 2 means two or more. */
function measure(word: string, length: number): number {
  let count = 0;
  let isConsonant = false;
  for (let i = 0; i < length; i++) {
    const wasVowel = i > 0 && !isConsonant;
    isConsonant = !isVowel(word.charCodeAt(i), isConsonant);
    if (isConsonant && wasVowel && ++count === 2) break;
  }
  return count;
}

function hasVowel(word: string, length: number): boolean {
  for (let i = 0; i < length; i++) if (isVowel(word.charCodeAt(i), i > 0)) return true;
  return false;
}

/** Returns whether the word ends in consonant, vowel, consonant, and the last is not w, x or y. */
function isShort(word: string, length: number): boolean {
  if (/[wxy]/.test(word[length - 1]!)) return false;
  let isConsonant = false;
  let last3 = 0;
  for (let i = 0; i < length; i++) {
    isConsonant = !isVowel(word.charCodeAt(i), isConsonant);
    last3 = ((last3 << 1) | (isConsonant ? 1 : 0)) & 7;
  }
  return last3 === 5;
}
