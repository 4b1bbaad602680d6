// How @huggingface/tokenizers 0.2.0 departs from SPEC §6, as a model: the reference with single departures switched
// on. A difference between the engine and that library is explained when some departures give the library's ids.
import { canonicallyOrdered, decode, decomposed, encode } from "./text.ts";
import { IDEOGRAPHS, isDropped, isPunctuation, pieces, type Vocabulary } from "./tokens.ts";
import { category, combiningClass, isWhiteSpace, lowerCase } from "./unicode.ts";

export type Departure = "specials in text" | "ideographs beyond the BMP" | "lower case of the whole text";
export const DEPARTURES: readonly Departure[] = [
  "specials in text",
  "ideographs beyond the BMP",
  "lower case of the whole text",
];

const points = (text: string) => Array.from(text, (character) => character.codePointAt(0)!);

/** The ids that the library gives if these are its only departures; specials: the strings it looks for in a text. */
export function peerIds(
  vocabulary: Vocabulary,
  specials: readonly string[],
  text: string,
  departures: ReadonlySet<Departure>,
): number[] {
  const parts = departures.has("specials in text") ? splitAt(text, specials) : [text];
  const ids = parts.flatMap((part) =>
    departures.has("specials in text") && specials.includes(part)
      ? [vocabulary.ids.get(part)!]
      : partIds(vocabulary, part, departures),
  );
  return [vocabulary.cls, ...ids, vocabulary.sep];
}

function splitAt(text: string, specials: readonly string[]): string[] {
  const pattern = specials.map((special) => special.replace(/[[\]]/g, "\\$&")).join("|");
  return text.split(new RegExp(`(${pattern})`)).filter((part) => part !== "");
}

function partIds(vocabulary: Vocabulary, text: string, departures: ReadonlySet<Departure>): number[] {
  const onlyBmp = departures.has("ideographs beyond the BMP");
  let spaced = "";
  for (const c of points(text)) {
    if (isDropped(c) || (c >= 0xd800 && c <= 0xdfff)) continue;
    const isApart = IDEOGRAPHS.some(([first, last]) => c >= first && c <= last) && !(onlyBmp && c > 0xffff);
    const character = isWhiteSpace(c) ? " " : String.fromCodePoint(c);
    spaced += isApart ? ` ${character} ` : character;
  }
  // This is the host's own toLowerCase on purpose: it is what the library calls.
  const cased = departures.has("lower case of the whole text") ? spaced.toLowerCase() : spaced;
  const folded = canonicallyOrdered(points(cased).flatMap(decomposed), combiningClass)
    .filter((c) => category(c) !== "Nonspacing_Mark")
    .flatMap(lowerCaseUnless(departures.has("lower case of the whole text")));
  const words: number[][] = [[]];
  for (const c of folded) {
    if (isWhiteSpace(c)) words.push([]);
    else if (isPunctuation(c)) words.push([c], []);
    else words.at(-1)!.push(c);
  }
  return words
    .filter((word) => word.length > 0)
    .flatMap((word) => pieces(vocabulary, decode(encode(word))).map(([id]) => id));
}

const lowerCaseUnless = (done: boolean) => (c: number) => (done ? [c] : lowerCase(c));
