import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { canonicalText } from "../text/canonical.ts";
import { isSetApart, searchText } from "../text/search-text.ts";
import { WHITE_SPACE } from "../text/white-space.ts";
import { STOP_WORDS } from "./stop-words.ts";
import { isWordCharacter, wordsOf } from "./words.ts";

/** A parsed query. Phrases, terms and excluded items are words joined by single spaces, without duplicates. */
export interface ParsedQuery {
  /** Each one is required of chunks that the lexical channel finds. */
  readonly phrases: readonly string[];
  /** Each one improves the rank of the chunks that contain it. Without phrases, at least one must occur. */
  readonly terms: readonly string[];
  /** No channel returns a chunk that contains one of these. */
  readonly excluded: readonly string[];
  /** The text to embed: the query without excluded items and quotation marks. Empty if no word is left. */
  readonly semanticText: string;
  /** Whether all words of the query are stop words. They are then searched for all the same. */
  readonly isCommon: boolean;
}

/** Limits for phrases, terms and excluded items, each: this many items, with this many words in total. */
export const ITEMS_MAX = 64;
export const WORDS_MAX = 128;

type Kind = "phrase" | "term" | "excluded";

/** A part of the query, verbatim. */
interface Part {
  readonly kind: Kind;
  readonly text: string;
}

/** The most UTF-16 units of a query. A search reads 256 tokens and 64 terms of it. SPEC §15 */
const QUERY_MAX = 100_000;

/** Parses a query. Any string of at most QUERY_MAX units is valid. SPEC §15.3 @throws {SelfsameError} BAD_ARGUMENT */
export function parseQuery(engine: Engine, query: string): ParsedQuery {
  return parseCanonicalQuery(canonicalQuery(engine, query));
}

/** Returns a query in canonical form. @throws {SelfsameError} BAD_ARGUMENT if it is longer than QUERY_MAX */
export function canonicalQuery(engine: Engine, query: string): string {
  if (query.length <= QUERY_MAX) return canonicalText(engine, query);
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected a query of at most ${QUERY_MAX} characters, got ${query.length}`,
    "Shorten it to a question, or to its most important sentence",
    { details: { argument: "query", got: query.length } },
  );
}

/** Like `parseQuery`, for a query in canonical form, with or without the LF at its end. */
export function parseCanonicalQuery(query: string): ParsedQuery {
  const parts = partsOf(query);
  const phrases = new Set<string>();
  const terms = new Set<string>();
  const excluded = new Set<string>();
  for (const { kind, text } of parts) {
    if (kind === "phrase") addItem(phrases, text);
    else if (kind === "excluded") addItem(excluded, text);
    else for (const term of termsOf(text)) terms.add(term);
  }
  return {
    phrases: fitting(phrases),
    terms: fitting(chosenTerms(terms, phrases)),
    isCommon: phrases.size === 0 && terms.size > 0 && [...terms].every((term) => STOP_WORDS.has(term)),
    excluded: fitting(excluded),
    semanticText: semanticTextOf(parts),
  };
}

/**
 * Returns whether a query has no word to search for: it is empty, or all of its words are excluded.
 *
 * @example
 * asksForNothing("-draft") // true
 */
export function asksForNothing(query: string): boolean {
  return semanticTextOf(partsOf(query)) === "";
}

const QUOTE = /["\u201c\u201d\u201e]/;

/** Splits the text into quoted and unquoted parts. SPEC §15.3 */
function partsOf(text: string): Part[] {
  const characters = Array.from(text);
  const parts: Part[] = [];
  let word = "";
  let isExcluded = false;
  const end = () => {
    if (word !== "") parts.push({ kind: isExcluded ? "excluded" : "term", text: word });
    word = "";
    isExcluded = false;
  };
  // The last quotation mark has no closing one after it.
  let lastQuote = characters.length - 1;
  while (lastQuote >= 0 && !QUOTE.test(characters[lastQuote]!)) lastQuote--;
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (WHITE_SPACE.test(character)) {
      end();
    } else if (QUOTE.test(character)) {
      const isAfterWord = at > 0 && isWordCharacter(characters[at - 1]!.codePointAt(0)!);
      // A dash directly before a quotation mark applies to the phrase.
      const isPhraseExcluded = isExcluded && word === "";
      end();
      if (isAfterWord || at >= lastQuote) continue;
      let close = at + 1;
      while (!QUOTE.test(characters[close]!)) close++;
      parts.push({
        kind: isPhraseExcluded ? "excluded" : "phrase",
        text: characters.slice(at + 1, close).join(""),
      });
      at = close;
    } else if (character === "-" && (at === 0 || WHITE_SPACE.test(characters[at - 1]!))) {
      isExcluded = true;
    } else {
      word += character;
    }
  }
  end();
  return parts;
}

/**
 * Adds the words of a phrase or an exclusion as one item. It keeps all words, since items are compared before any is
 * cut.
 */
function addItem(items: Set<string>, text: string): void {
  const words = wordsOf(searchText(text));
  if (words.length > 0) items.add(words.join(" "));
}

/**
 * Returns the terms of an unquoted part. Each run of characters that are set apart gives its pairs of neighbours (or
 * its single character). The text between such runs gives its words as one term. SPEC §15.3
 */
function termsOf(part: string): string[] {
  const terms: string[] = [];
  let run: string[] = [];
  let rest = "";
  const endRun = () => {
    if (run.length === 1) terms.push(run[0]!);
    for (let i = 1; i < run.length; i++) terms.push(`${run[i - 1]} ${run[i]}`);
    run = [];
  };
  const endRest = () => {
    const words = wordsOf(rest);
    if (words.length > 0) terms.push(words.join(" "));
    rest = "";
  };
  for (const character of part) {
    const codePoint = character.codePointAt(0)!;
    if (isSetApart(codePoint) && isWordCharacter(codePoint)) {
      endRest();
      run.push(character);
    } else {
      endRun();
      rest += character;
    }
  }
  endRun();
  endRest();
  return terms;
}

/** Removes stop words, unless the query has nothing else, and terms that are also phrases. SPEC §15.4 */
function chosenTerms(terms: ReadonlySet<string>, phrases: ReadonlySet<string>): string[] {
  const others = [...terms].filter((term) => !phrases.has(term));
  const telling = others.filter((term) => !STOP_WORDS.has(term));
  return telling.length === 0 && phrases.size === 0 ? others : telling;
}

/**
 * Returns as many items as the limits allow, in order. An item with too many words is cut and is the last. Without a
 * limit, a query of 100 KB, all phrases, kept SQLite busy for seconds and took 400 MB.
 */
function fitting(items: Iterable<string>): string[] {
  const taken = new Set<string>();
  let left = WORDS_MAX;
  for (const item of items) {
    if (taken.size === ITEMS_MAX || left === 0) break;
    const words = item.split(" ").slice(0, left);
    taken.add(words.join(" "));
    left -= words.length;
  }
  return [...taken];
}

/** Returns what is not excluded, verbatim, with one space for each run of white space. SPEC §15.6 */
function semanticTextOf(parts: readonly Part[]): string {
  const kept = parts.filter(({ kind }) => kind !== "excluded").map(({ text }) => text);
  if (!kept.some((text) => wordsOf(text, 1).length > 0)) return "";
  return kept
    .flatMap((text) => text.split(WHITE_SPACE))
    .filter((word) => word !== "")
    .join(" ");
}
