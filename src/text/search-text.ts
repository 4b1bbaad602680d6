/**
 * Text as the lexical index sees it. In scripts that write words without spaces, each character is separated and
 * becomes its own token. SQLite's tokenizer would keep a whole sentence of them as one word. SPEC §15.1
 */

/** First and last code points of the ranges that are separated. */
const SET_APART: readonly (readonly [first: number, last: number])[] = [
  [0x3005, 0x3007], // iteration mark, closing mark, ideographic zero
  [0x3040, 0x30ff], // Hiragana, Katakana
  [0x31f0, 0x31ff], // Katakana phonetic extensions
  [0x3400, 0x4dbf], // ideographs, extension A
  [0x4e00, 0x9fff], // ideographs
  [0xac00, 0xd7a3], // Hangul syllables
  [0xf900, 0xfaff], // compatibility ideographs
  [0xff66, 0xff9f], // halfwidth Katakana
  [0x20000, 0x2a6df], // ideographs, extensions B to E
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b820, 0x2ceaf],
  [0x2f800, 0x2fa1f], // compatibility ideographs, supplement
];

/** Any of these UTF-16 units may start a character that is separated. Text without one is left unchanged. */
const MAY_BE_SET_APART =
  /[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\ud840-\ud87e\uf900-\ufaff\uff66-\uff9f]/;

export function isSetApart(codePoint: number): boolean {
  return codePoint >= 0x3005 && SET_APART.some(([first, last]) => codePoint >= first && codePoint <= last);
}

/**
 * Returns the text with a space between any two neighbours if at least one of them is a separated character and neither
 * is a space or a line feed. Applying it twice gives the same result as once.
 */
export function searchText(text: string): string {
  if (!MAY_BE_SET_APART.test(text)) return text;
  let out = "";
  walk(text, (character, isSpaced) => {
    out += isSpaced ? ` ${character}` : character;
  });
  return out;
}

/**
 * Maps positions in `searchText(text)` to positions in `text`, both in UTF-8 bytes. Positions must ascend. A position
 * at an inserted space maps to the character after it.
 */
export function textOffsets(text: string, searchOffsets: readonly number[]): number[] {
  if (!MAY_BE_SET_APART.test(text)) return [...searchOffsets];
  const offsets: number[] = [];
  let from = 0; // bytes of text
  let to = 0; // bytes of search text
  walk(text, (character, isSpaced) => {
    const bytes = utf8Length(character.codePointAt(0)!);
    const space = isSpaced ? 1 : 0;
    while (offsets.length < searchOffsets.length && searchOffsets[offsets.length]! < to + space + bytes) {
      offsets.push(from + Math.max(0, searchOffsets[offsets.length]! - to - space));
    }
    from += bytes;
    to += space + bytes;
  });
  while (offsets.length < searchOffsets.length) offsets.push(from);
  return offsets;
}

/** Visits each character and tells whether a space goes before it. */
function walk(text: string, visit: (character: string, isSpaced: boolean) => void): void {
  let isLastSpace = true;
  let isLastSetApart = false;
  for (const character of text) {
    const isSpace = character === " " || character === "\n";
    const isApart = isSetApart(character.codePointAt(0)!);
    visit(character, !isLastSpace && !isSpace && (isApart || isLastSetApart));
    isLastSpace = isSpace;
    isLastSetApart = isApart;
  }
}

/** Returns the length of a text in UTF-8 bytes. */
export function utf8LengthOf(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Two for each half of a surrogate pair: the pair is two units and four bytes.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
