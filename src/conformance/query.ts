import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { exclusionExpression, matchExpression } from "../search/match.ts";
import { nearestWord, type ReadWords } from "../search/near-words.ts";
import { type ParsedQuery, parseQuery } from "../search/parse-query.ts";
import { selectTerms } from "../search/select-terms.ts";
import { foldedCharacter, tokenBytes, tokenOf } from "../search/token.ts";
import { isMark, isWordCharacter } from "../search/words.ts";
import { searchText } from "../text/search-text.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { type Outcome, Tally } from "./outcome.ts";

interface QueryCase extends Omit<ParsedQuery, "semanticText"> {
  readonly name: string;
  readonly text: string;
  readonly times: number;
  readonly semanticText?: string;
  readonly semanticLength: number;
  readonly match: string | null;
  readonly exclusion: string | null;
}

/** test-vectors/query.json */
export interface QueryVectors {
  readonly cases: readonly QueryCase[];
  readonly searchText: readonly { readonly text: string; readonly searchText: string }[];
  readonly selections: readonly {
    readonly terms: Readonly<Record<string, number | undefined>>;
    readonly budget: number;
    readonly kept: readonly string[];
  }[];
  readonly spelling: {
    readonly vocabulary: Readonly<Record<string, number>>;
    readonly cases: readonly { readonly word: string; readonly nearest: string | null }[];
  };
  readonly characters: Readonly<Record<"words" | "marks" | "folds", string>>;
  readonly tokens: readonly { readonly word: string; readonly token: string }[];
}

/** SPEC §15 */
export function checkQuery(engine: Engine, vectors: QueryVectors): Outcome {
  const tally = new Tally("query");
  const print = JSON.stringify;
  for (const each of vectors.cases) {
    const got = parseQuery(engine, each.text.repeat(each.times));
    tally.record(each.name, [
      ["phrases", print(each.phrases), print(got.phrases)],
      ["terms", print(each.terms), print(got.terms)],
      ["excluded", print(each.excluded), print(got.excluded)],
      ["semantic text", each.semanticText ?? got.semanticText, got.semanticText],
      ["stop words alone", `${each.isCommon}`, `${got.isCommon}`],
      ["its length", `${each.semanticLength}`, `${got.semanticText.length}`],
      ["match", `${each.match}`, `${matchExpression(got)}`],
      ["exclusion", `${each.exclusion}`, `${exclusionExpression(got.excluded)}`],
    ]);
  }
  for (const each of vectors.searchText) {
    tally.record(`search text of ${print(each.text)}`, [
      ["text", each.searchText, searchText(each.text)],
      ["twice", each.searchText, searchText(each.searchText)],
    ]);
  }
  for (const { terms, budget, kept } of vectors.selections) {
    const frequencies = Object.entries(terms).map(([term, chunks]) => ({ term, chunks: chunks! }));
    const got = selectTerms(frequencies, budget);
    tally.record(`selection of ${print(terms)} within ${budget}`, [["kept", kept.join(" "), got.join(" ")]]);
  }
  const vocabulary = Object.entries(vectors.spelling.vocabulary)
    .map(([word, chunks]) => ({ word, chunks }))
    .sort((a, b) => compareUtf8(a.word, b.word));
  const read: ReadWords = (from, end) =>
    vocabulary
      .filter(({ word }) => compareUtf8(word, from) >= 0 && (end === null || compareUtf8(word, end) < 0))
      .slice(0, 2);
  for (const { word, nearest } of vectors.spelling.cases) {
    tally.record(`nearest to ${print(word)}`, [["word", `${nearest}`, `${nearestWord(read, word)}`]]);
  }
  for (const [name, expected] of Object.entries(vectors.characters)) {
    tally.record(`characters: ${name}`, [[name, expected, CHARACTERS[name as keyof typeof CHARACTERS]()]]);
  }
  for (const { word, token } of vectors.tokens) {
    tally.record(`token of ${print(word)}`, [["token", token, toHex(tokenBytes(tokenOf(word)))]]);
  }
  return tally.outcome();
}

/** The character classes, printed as in the vectors. */
const CHARACTERS: Readonly<Record<keyof QueryVectors["characters"], () => string>> = {
  words: () => rangesOf(isWordCharacter),
  marks: () => rangesOf((c) => isMark(c) && !isWordCharacter(c)),
  folds: () => {
    const folds: string[] = [];
    for (let c = 0; c < CODE_POINTS; c++) {
      const to = isSurrogate(c) || !isWordCharacter(c) ? c : foldedCharacter(c);
      if (to !== c) folds.push(`${c.toString(16)}:${to.toString(16)}`);
    }
    return folds.join(" ");
  },
};

const CODE_POINTS = 0x110000;
const isSurrogate = (c: number) => c >= 0xd800 && c <= 0xdfff;

/** Returns the ranges as `first-last`, or as a single code point, in hexadecimal. */
function rangesOf(has: (codePoint: number) => boolean): string {
  const ranges: string[] = [];
  let first = -1;
  for (let c = 0; c <= CODE_POINTS; c++) {
    const isIn = c < CODE_POINTS && !isSurrogate(c) && has(c);
    if (isIn && first < 0) first = c;
    if (isIn || first < 0) continue;
    ranges.push(first === c - 1 ? first.toString(16) : `${first.toString(16)}-${(c - 1).toString(16)}`);
    first = -1;
  }
  return ranges.join(" ");
}
