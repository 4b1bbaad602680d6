/**
 * The vocabulary of the model `tiny`, in the order of its ids: enough pieces that text in several scripts splits into
 * words, continuations and [UNK]s, few enough to read. Letters stand as the normaliser leaves them: lower case, no
 * accents, Hangul in jamo.
 */
export function tinyVocabulary(): string[] {
  const tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
  tokens.push(...PUNCTUATION);
  for (const letters of [DIGITS, LATIN, GREEK, CYRILLIC, KANA, JAMO, SEMITIC]) {
    tokens.push(...letters, ...[...letters].map((letter) => `##${letter}`));
  }
  tokens.push(...IDEOGRAPHS);
  tokens.push(...WORDS.split(" "), ...ENDINGS.split(" ").map((ending) => `##${ending}`));
  return tokens;
}

const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~–—‘’“”…。、「」¿¡";
const DIGITS = "0123456789";
const LATIN = "abcdefghijklmnopqrstuvwxyzßæø";
const GREEK = "αβγδεζηθικλμνξοπρσςτυφχψω";
const CYRILLIC = "абвгдежзиклмнопрстуфхцчшщъыьэюя";
const KANA = "あいうかきくしてとなにのはをんアイスンー";
// Half of the jamo that common syllables need, so that some Korean words are [UNK]; escaped, since editors join them.
const JAMO =
  "\u1100\u1102\u1103\u1106\u1109\u110b\u110c\u1112" +
  "\u1161\u1165\u1169\u116e\u1173\u1175\u11a8\u11ab\u11af\u11b7\u11bc";
const SEMITIC = "אבהוילמנרשתابتدسلمنوي";
// Set apart by spaces before the split, so they never continue a word.
const IDEOGRAPHS = "一人日本中国大小水火山文字同的是不";

const WORDS =
  "the of and to in is it that for on with as was at by an be this from or have not but all are they we you he she " +
  "one two three same text word chunk order device search query index vector number bit tie first last time day " +
  "quick brown fox jump over lazy dog cat bird tree house water fire light night how what where when why who which " +
  "can will do does make find give take see know think read write break hold keep open close un re pre dis over " +
  "inter bank revenue fell percent note mail phone laptop memory file path name hash model";
const ENDINGS =
  "s es ed er est ing ly ness ment tion able ful less al ic ive ous ist ism ity en ern ary ory ship ward th st nd rd " +
  "able ized ization ing's ck ll ss tt ee oo ea ou ai in on an re or at it is un ter der ver";
