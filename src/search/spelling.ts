import type { Database } from "../store/database.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { EditDistances } from "./edit-distance.ts";
import { STOP_WORDS } from "./stop-words.ts";
import { vocabularyWord } from "./vocabulary-word.ts";

/** A word of the query that no document has, and the word that was searched for instead. */
export interface Correction {
  /** The word as it was typed, with A to Z as a to z. */
  readonly from: string;
  /** A word of the documents. */
  readonly to: string;
}

export interface Spelled {
  readonly terms: readonly string[];
  readonly corrections: readonly Correction[];
}

/** At most this many words of a query are looked up. SPEC §15.9 */
const CORRECTIONS_MAX = 8;
/** From this many characters on, a distance of 2 is near; below, 1. SPEC §15.9 */
const TWO_EDITS_FROM = 7;
/** Words are read from the vocabulary in groups of this many. */
const BATCH = 64;

/** Replaces words that occur in no chunk by the nearest words that do. Phrases are left as they are. SPEC §15.9 */
export function spell(database: Database, terms: readonly string[], phrases: readonly string[]): Spelled {
  const corrections = new Map<string, string>();
  let left = CORRECTIONS_MAX;
  const corrected = (word: string): string => {
    const known = corrections.get(word);
    if (known !== undefined) return known;
    const folded = STOP_WORDS.has(word) ? null : vocabularyWord(word);
    if (folded === null || left === 0 || occurs(database, word, folded)) return word;
    left--;
    const nearest = nearestWord(wordsOf(database), folded);
    if (nearest !== null) corrections.set(word, nearest);
    return nearest ?? word;
  };
  const spelled = terms.map((term) => term.split(" ").map(corrected).join(" "));
  return {
    terms: [...new Set(spelled)].filter((term) => !phrases.includes(term)),
    corrections: Array.from(corrections, ([from, to]) => ({ from, to })),
  };
}

/** Returns whether a chunk has the word, in any of the forms that share its stem. */
function occurs(database: Database, word: string, folded: string): boolean {
  const asWritten = "SELECT 1 AS found FROM words WHERE word = ?";
  if (database.get(asWritten, [folded]) !== undefined) return true;
  const byStem = "SELECT 1 AS found FROM search WHERE search MATCH ? LIMIT 1";
  return database.get(byStem, [`"${word}"`]) !== undefined;
}

/** A word of the documents, and the number of chunks that have it. */
export interface VocabularyWord {
  readonly word: string;
  readonly chunks: number;
}

/** Reads words in the order of their bytes: the first ones from `from` on and, unless it is null, before `end`. */
export type ReadWords = (from: string, end: string | null) => readonly VocabularyWord[];

function wordsOf(database: Database): ReadWords {
  return (from, end) =>
    database.all<VocabularyWord>(
      `SELECT word, chunks FROM words WHERE word >= ? ${end === null ? "" : "AND word < ?"} ORDER BY word LIMIT ${BATCH}`,
      end === null ? [from] : [from, end],
    );
}

/**
 * Returns the word of the vocabulary that is nearest: by distance, then by the number of chunks that have it, then by
 * bytes. Null if none is near enough. The words are read in their order. As soon as a prefix is too far, all words with
 * that prefix are passed over, so only a small part of a large vocabulary is read. SPEC §15.9
 */
export function nearestWord(read: ReadWords, word: string): string | null {
  const characters = Array.from(word);
  const distances = new EditDistances(characters, characters.length >= TWO_EDITS_FROM ? 2 : 1);
  const end = afterPrefix(characters.slice(0, 1));
  let best: (VocabularyWord & { readonly distance: number }) | null = null;
  let from: string | null = characters[0]!;
  while (from !== null && (end === null || compareUtf8(from, end) < 0)) {
    const rows = read(from, end);
    if (rows.length === 0) break;
    for (const row of rows) {
      if (from === null || compareUtf8(row.word, from) < 0) continue;
      const candidate = Array.from(row.word);
      const found = distances.to(candidate);
      const isPrefixDead = "deadPrefix" in found && found.deadPrefix < candidate.length;
      from = isPrefixDead ? afterPrefix(candidate.slice(0, found.deadPrefix)) : `${row.word}\0`;
      if ("distance" in found && (best === null || isBetter(row, found.distance, best)))
        best = { ...row, distance: found.distance };
    }
  }
  return best?.word ?? null;
}

/** Words come in the order of their bytes, so of equal ones the first stays. */
function isBetter(
  row: VocabularyWord,
  distance: number,
  best: VocabularyWord & { distance: number },
): boolean {
  return distance !== best.distance ? distance < best.distance : row.chunks > best.chunks;
}

/** Returns the least string that is greater than every string with this prefix; null if there is none. */
function afterPrefix(prefix: readonly string[]): string | null {
  const codePoint = prefix.at(-1)?.codePointAt(0);
  if (codePoint === undefined) return null;
  if (codePoint === 0x10ffff) return afterPrefix(prefix.slice(0, -1));
  const next = codePoint === 0xd7ff ? 0xe000 : codePoint + 1; // surrogates are no characters
  return prefix.slice(0, -1).join("") + String.fromCodePoint(next);
}
