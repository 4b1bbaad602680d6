// WordPiece (SPEC §6), step after step over whole lists; every character carries the bytes it comes from.
import { canonicallyOrdered, decode, decomposed, encode, type Read } from "./text.ts";
import { category, combiningClass, isWhiteSpace, lowerCase } from "./unicode.ts";

/** Token → id, and the specials, whose tokens no text can produce. */
export interface Vocabulary {
  readonly ids: ReadonlyMap<string, number>;
  readonly unk: number;
  readonly cls: number;
  readonly sep: number;
  readonly specials: ReadonlySet<number>;
}

export interface Tokens {
  readonly ids: number[];
  readonly offsets: [number, number][];
  readonly truncated: boolean;
}

/** The vocabulary of a Hugging Face tokenizer.json. SPEC §6.1 */
export function vocabularyOf(json: string): Vocabulary {
  const file = JSON.parse(json) as {
    added_tokens: { id: number }[];
    model: { vocab: Record<string, number>; unk_token: string };
  };
  const ids = new Map(Object.entries(file.model.vocab));
  return {
    ids,
    unk: ids.get(file.model.unk_token)!,
    cls: ids.get("[CLS]")!,
    sep: ids.get("[SEP]")!,
    specials: new Set(file.added_tokens.map(({ id }) => id)),
  };
}

const SPACE = 0x20;
const LONGEST_WORD = 100;

export const IDEOGRAPHS: readonly [number, number][] = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b920, 0x2ceaf],
  [0x2f800, 0x2fa1f],
];

export function isDropped(c: number): boolean {
  if (c === 0xfffd) return true;
  if (c === 0x09 || c === 0x0a || c === 0x0d) return false;
  return ["Control", "Format", "Private_Use"].includes(category(c));
}

export function isPunctuation(c: number): boolean {
  const isAscii =
    (c >= 0x21 && c <= 0x2f) ||
    (c >= 0x3a && c <= 0x40) ||
    (c >= 0x5b && c <= 0x60) ||
    (c >= 0x7b && c <= 0x7e);
  return isAscii || category(c).endsWith("_Punctuation");
}

/** The words of a text. SPEC §6.2 */
export function words(bytes: Uint8Array): Read[][] {
  const cleaned = decode(bytes)
    .filter(({ c }) => !isDropped(c))
    .map((read) => (isWhiteSpace(read.c) ? { ...read, c: SPACE } : read));
  const apart = cleaned.flatMap((read) => {
    const gap = { ...read, c: SPACE };
    return IDEOGRAPHS.some(([first, last]) => read.c >= first && read.c <= last) ? [gap, read, gap] : [read];
  });
  const parts = apart.flatMap((read) => decomposed(read.c).map((c) => ({ ...read, c })));
  const lowered = canonicallyOrdered(parts, ({ c }) => combiningClass(c))
    .filter(({ c }) => category(c) !== "Nonspacing_Mark")
    .flatMap((read) => lowerCase(read.c).map((c) => ({ ...read, c })));
  const out: Read[][] = [];
  let word: Read[] = [];
  const endWord = () => {
    if (word.length > 0) out.push(word);
    word = [];
  };
  for (const read of lowered) {
    if (isWhiteSpace(read.c)) endWord();
    else if (isPunctuation(read.c)) {
      endWord();
      out.push([read]);
    } else word.push(read);
  }
  endWord();
  return out;
}

function covers(word: readonly Read[]): [number, number] {
  return word.reduce<[number, number]>(
    ([start, end], read) => [Math.min(start, read.start), Math.max(end, read.end)],
    [Number.POSITIVE_INFINITY, 0],
  );
}

/** The tokens of one word: [id, start, end]. SPEC §6.3 */
export function pieces(vocabulary: Vocabulary, word: readonly Read[]): [number, number, number][] {
  const unknown: [number, number, number][] = [[vocabulary.unk, ...covers(word)]];
  if (word.length > LONGEST_WORD) return unknown;
  const out: [number, number, number][] = [];
  let at = 0;
  while (at < word.length) {
    let end = word.length;
    let id: number | undefined;
    for (; end > at; end--) {
      const text = String.fromCodePoint(...word.slice(at, end).map(({ c }) => c));
      id = vocabulary.ids.get(at > 0 ? `##${text}` : text);
      if (id !== undefined && !vocabulary.specials.has(id)) break;
    }
    if (end === at) return unknown;
    out.push([id!, ...covers(word.slice(at, end))]);
    at = end;
  }
  return out;
}

/** SPEC §6.3 */
export function tokenize(vocabulary: Vocabulary, text: Uint8Array, limit: number): Tokens {
  const found = words(text).flatMap((word) => pieces(vocabulary, word));
  const kept = found.slice(0, limit - 2);
  return {
    ids: [vocabulary.cls, ...kept.map(([id]) => id), vocabulary.sep],
    offsets: [[0, 0], ...kept.map(([, start, end]): [number, number] => [start, end]), [0, 0]],
    truncated: found.length > kept.length,
  };
}

/** The same for a string that is well-formed. */
export const tokenizeString = (vocabulary: Vocabulary, text: string, limit: number): Tokens =>
  tokenize(vocabulary, encode(Array.from(text, (character) => character.codePointAt(0)!)), limit);
