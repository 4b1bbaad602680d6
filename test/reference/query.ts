// Queries (SPEC §15), written for clarity. Word characters are told by their category in Unicode 17.0.0, which agrees with
// the tables of SQLite's tokenizer wherever a character was assigned long ago; vectors use no others.
import { canonicalText, codePoints, encode } from "./text.ts";
import { category, isWhiteSpace } from "./unicode.ts";

export interface Query {
  phrases: string[];
  terms: string[];
  excluded: string[];
  semanticText: string;
  isCommon: boolean;
}

/** SPEC §15.1 */
const APART: readonly [number, number][] = [
  [0x3005, 0x3007],
  [0x3040, 0x30ff],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xff66, 0xff9f],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b820, 0x2ceaf],
  [0x2f800, 0x2fa1f],
];
const isApart = (c: number): boolean => APART.some(([from, to]) => from <= c && c <= to);

const decoder = new TextDecoder("utf-8", { ignoreBOM: true }); // a U+FEFF is a character like any other
const fromCodePoints = (text: readonly number[]): string => decoder.decode(encode(text));
const toCodePoints = (text: string): number[] => codePoints(new TextEncoder().encode(text));

export function searchText(text: string): string {
  const characters = toCodePoints(text);
  const isBlank = (c: number): boolean => c === 0x20 || c === 0x0a;
  return fromCodePoints(
    characters.flatMap((c, i) => {
      const before = characters[i - 1];
      if (before === undefined || isBlank(before) || isBlank(c)) return [c];
      return isApart(before) || isApart(c) ? [0x20, c] : [c];
    }),
  );
}

/** SPEC §15.2: categories L*, N* and Co. */
const isWordCharacter = (c: number): boolean => /(_Letter|_Number|Private_Use)$/.test(category(c));
/** The bits of SQLite's sqlite3Fts5UnicodeIsdiacritic. */
const isMark = (c: number): boolean =>
  c >= 768 && c < 800
    ? ((0x08029fdf >>> (c - 768)) & 1) === 1
    : c >= 800 && c < 832
      ? ((0x000361f8 >>> (c - 800)) & 1) === 1
      : false;

/** SPEC §15.2 */
export function words(text: string): string[] {
  const found: number[][] = [];
  let isOpen = false;
  for (const c of toCodePoints(text)) {
    const continues: boolean = isWordCharacter(c) || (isOpen && isMark(c));
    if (continues && !isOpen) found.push([]);
    if (continues) found.at(-1)!.push(c >= 0x41 && c <= 0x5a ? c + 32 : c);
    isOpen = continues;
  }
  return found.map(fromCodePoints);
}

/** SPEC §15.4 */
export const STOP_WORDS =
  `a an and are as at be been but by can could did do does for from had has have how i if in
 into is it its me my no not of on or our so than that the their them then there these they this those to us was we
 were what when where which who why will with would you your`.split(/\s+/);

type Part = [kind: "phrase" | "term" | "excluded", text: string];

const isQuote = (c: number): boolean => [0x22, 0x201c, 0x201d, 0x201e].includes(c);

/** SPEC §15.3 */
function parts(text: readonly number[]): Part[] {
  const found: Part[] = [];
  let at = 0;
  while (at < text.length) {
    if (isWhiteSpace(text[at]!)) {
      at++;
      continue;
    }
    const isDash = text[at] === 0x2d && (at === 0 || isWhiteSpace(text[at - 1]!));
    const start = isDash ? at + 1 : at;
    if (start < text.length && isQuote(text[start]!)) {
      let close = start + 1;
      while (close < text.length && !isQuote(text[close]!)) close++;
      const opens = close < text.length && (start === 0 || !isWordCharacter(text[start - 1]!));
      if (opens) found.push([isDash ? "excluded" : "phrase", fromCodePoints(text.slice(start + 1, close))]);
      at = opens ? close + 1 : start + 1;
      continue;
    }
    at = start;
    while (at < text.length && !isWhiteSpace(text[at]!) && !isQuote(text[at]!)) at++;
    if (at > start) found.push([isDash ? "excluded" : "term", fromCodePoints(text.slice(start, at))]);
  }
  return found;
}

/** SPEC §15.3 */
function terms(text: string): string[] {
  const pieces: { isRun: boolean; text: number[] }[] = [];
  for (const c of toCodePoints(text)) {
    const isRun = isApart(c) && isWordCharacter(c);
    if (pieces.at(-1)?.isRun !== isRun) pieces.push({ isRun, text: [] });
    pieces.at(-1)!.text.push(c);
  }
  return pieces.flatMap((piece) => {
    if (!piece.isRun) return words(fromCodePoints(piece.text)).join(" ");
    if (piece.text.length === 1) return fromCodePoints(piece.text);
    return piece.text.slice(1).map((c, i) => `${fromCodePoints([piece.text[i]!])} ${fromCodePoints([c])}`);
  });
}

const distinct = (items: readonly string[]): string[] => [...new Set(items)].filter((item) => item !== "");

/** SPEC §15.4 */
function limited(items: readonly string[]): string[] {
  const out: string[] = [];
  let used = 0;
  for (const item of items) {
    if (distinct(out).length === 64 || used === 128) break;
    const cut = item.split(" ").slice(0, 128 - used);
    used += cut.length;
    out.push(cut.join(" "));
  }
  return distinct(out);
}

export function parseQuery(query: string): Query {
  const text = codePoints(canonicalText(new TextEncoder().encode(query)));
  const all = parts(text);
  const of = (kind: Part[0]): string[] => all.filter((part) => part[0] === kind).map((part) => part[1]);
  const phrases = distinct(of("phrase").map((phrase) => words(searchText(phrase)).join(" ")));
  const others = distinct(of("term").flatMap(terms)).filter((term) => !phrases.includes(term));
  const telling = others.filter((term) => !STOP_WORDS.includes(term));
  const kept = all.filter((part) => part[0] !== "excluded").map((part) => part[1]);
  const semantic = kept.flatMap((part) => {
    const pieces: number[][] = [[]];
    for (const c of toCodePoints(part)) {
      if (isWhiteSpace(c)) pieces.push([]);
      else pieces.at(-1)!.push(c);
    }
    return pieces.filter((piece) => piece.length > 0).map(fromCodePoints);
  });
  return {
    phrases: limited(phrases),
    terms: limited(telling.length === 0 && phrases.length === 0 ? others : telling),
    excluded: limited(distinct(of("excluded").map((item) => words(searchText(item)).join(" ")))),
    isCommon: phrases.length === 0 && others.length > 0 && telling.length === 0,
    semanticText: kept.some((part) => words(part).length > 0) ? semantic.join(" ") : "",
  };
}

const quoted = (items: readonly string[]): string[] =>
  [...items].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map((item) => `"${item}"`);

/** SPEC §15.5 */
export function match({
  phrases,
  terms,
  excluded,
}: Pick<Query, "phrases" | "terms" | "excluded">): string | null {
  let expression: string;
  if (phrases.length === 0 && terms.length === 0) return null;
  if (phrases.length === 0) expression = quoted(terms).join(" OR ");
  else if (terms.length === 0) expression = quoted(phrases).join(" AND ");
  else {
    const alternatives = [...quoted(phrases), ...quoted(terms)].join(" OR ");
    expression = `(${quoted(phrases).join(" AND ")}) AND (${alternatives})`;
  }
  return excluded.length === 0 ? expression : `(${expression}) NOT (${exclusion(excluded)})`;
}

export function exclusion(excluded: readonly string[]): string | null {
  return excluded.length === 0 ? null : quoted(excluded).join(" OR ");
}

/** SPEC §15.7 */
export const LEXICAL_BUDGET = 20_000;

/** SPEC §15.7, with sums in BigInt. */
export function selectTerms(
  frequencies: readonly (readonly [term: string, chunks: number])[],
  budget = LEXICAL_BUDGET,
): string[] {
  const isRarer = (i: number, j: number): boolean =>
    frequencies[i]![1] !== frequencies[j]![1] ? frequencies[i]![1] < frequencies[j]![1] : i < j;
  return frequencies
    .filter(([, chunks], i) => {
      const rarer = frequencies.filter((_, j) => isRarer(j, i)).reduce((sum, [, n]) => sum + BigInt(n), 0n);
      return rarer === 0n || rarer + BigInt(chunks) <= BigInt(budget);
    })
    .map(([term]) => term);
}
