import { ask, type ListsQuestion, type SearchPipeline } from "./ground.ts";
import { bestWord } from "./near-words.ts";
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

/**
 * Replaces words that occur in no chunk by the nearest words that do. Phrases are left as they are. SPEC §15.9
 *
 * @param next what the channels are asked if nothing is replaced
 */
export function* spell(
  terms: readonly string[],
  phrases: readonly string[],
  next: ListsQuestion,
): SearchPipeline<Spelled> {
  const words = [...new Set(terms.flatMap((term) => term.split(" ")))].filter(isLookedUp);
  const occurs = words.length === 0 ? [] : yield* ask("occurring", words, next);
  const unknown = words.filter((_, i) => !occurs[i]!).slice(0, CORRECTIONS_MAX);
  if (unknown.length === 0) return { terms, corrections: [] };
  const near = yield* ask("nearWords", unknown);
  const nearestOf = new Map(unknown.map((word, i) => [word, bestWord(near[i]!)]));
  const corrections = new Map<string, string>();
  let left = CORRECTIONS_MAX;
  const corrected = (word: string): string => {
    const known = corrections.get(word);
    if (known !== undefined) return known;
    if (left === 0 || !nearestOf.has(word)) return word;
    left--; // a word without a near one counts wherever it stands
    const nearest = nearestOf.get(word) ?? null;
    if (nearest !== null) corrections.set(word, nearest);
    return nearest ?? word;
  };
  const spelled = terms.map((term) => term.split(" ").map(corrected).join(" "));
  return {
    terms: [...new Set(spelled)].filter((term) => !phrases.includes(term)),
    corrections: Array.from(corrections, ([from, to]) => ({ from, to })),
  };
}

function isLookedUp(word: string): boolean {
  return !STOP_WORDS.has(word) && vocabularyWord(word) !== null;
}
