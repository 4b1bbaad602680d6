import type { Database } from "../store/database.ts";
import { compareUtf8 } from "../text/utf8-order.ts";
import { EditDistances } from "./edit-distance.ts";
import { vocabularyWord } from "./vocabulary-word.ts";

/** From this many characters on, a distance of 2 is near; below, 1. SPEC §15.9 */
const TWO_EDITS_FROM = 7;
/** Words are read from the vocabulary in groups of this many. */
const BATCH = 64;

/** Returns of each word whether a chunk has it, in any of the forms that share its stem. */
export function wordsOccur(database: Database, words: readonly string[]): boolean[] {
  const asWritten = "SELECT 1 AS found FROM words WHERE word = ?";
  const byStem = "SELECT 1 AS found FROM search WHERE search MATCH ? LIMIT 1";
  return words.map(
    (word) =>
      database.get(asWritten, [vocabularyWord(word)]) !== undefined ||
      database.get(byStem, [`"${word}"`]) !== undefined,
  );
}

/** A word of the documents, and the number of chunks that have it. */
export interface VocabularyWord {
  readonly word: string;
  readonly chunks: number;
}

/** Reads words in the order of their bytes: the first ones from `from` on and, unless it is null, before `end`. */
export type ReadWords = (from: string, end: string | null) => readonly VocabularyWord[];

/** Returns the words of a vocabulary that are nearest to each word. */
export function wordsNear(database: Database, words: readonly string[]): NearWords[] {
  const read: ReadWords = (from, end) =>
    database.all<VocabularyWord>(
      `SELECT word, chunks FROM words WHERE word >= ? ${end === null ? "" : "AND word < ?"} ORDER BY word LIMIT ${BATCH}`,
      end === null ? [from] : [from, end],
    );
  return words.map((word) => nearWords(read, vocabularyWord(word)!));
}

/** The words of a vocabulary at the least distance from another word, by their bytes; none if none is near enough. */
export interface NearWords {
  readonly distance: number;
  readonly words: readonly VocabularyWord[];
}

/** Returns the word of the vocabulary that is nearest; null if none is near enough. SPEC §15.9 */
export function nearestWord(read: ReadWords, word: string): string | null {
  return bestWord(nearWords(read, word));
}

/**
 * Returns the words of the vocabulary at the least distance. The words are read in their order. As soon as a prefix is too
 * far, all words with that prefix are passed over, so only a small part of a large vocabulary is read. SPEC §15.9
 */
export function nearWords(read: ReadWords, word: string): NearWords {
  const characters = Array.from(word);
  const distances = new EditDistances(characters, characters.length >= TWO_EDITS_FROM ? 2 : 1);
  const end = afterPrefix(characters.slice(0, 1));
  let [distance, words]: [number, VocabularyWord[]] = [Number.MAX_SAFE_INTEGER, []];
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
      if (!("distance" in found) || found.distance > distance) continue;
      if (found.distance < distance) [distance, words] = [found.distance, []];
      words.push(row);
    }
  }
  return { distance, words };
}

/** Returns the word that most chunks have, of equal ones the first by bytes; null if there is none. SPEC §15.9 */
export function bestWord({ words }: NearWords): string | null {
  let best: VocabularyWord | null = null;
  for (const each of words) if (best === null || each.chunks > best.chunks) best = each;
  return best?.word ?? null;
}

/** Returns the least string that is greater than every string with this prefix; null if there is none. */
function afterPrefix(prefix: readonly string[]): string | null {
  const codePoint = prefix.at(-1)?.codePointAt(0);
  if (codePoint === undefined) return null;
  if (codePoint === 0x10ffff) return afterPrefix(prefix.slice(0, -1));
  const next = codePoint === 0xd7ff ? 0xe000 : codePoint + 1; // surrogates are no characters
  return prefix.slice(0, -1).join("") + String.fromCodePoint(next);
}
