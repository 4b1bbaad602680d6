import { IN_HEADINGS, NO_WORDS, type WordList } from "../store/word-list.ts";

/**
 * Returns the chunks that have a phrase, and how often, from the lists of its tokens with their positions. The tokens
 * follow each other within the text or within the headings. The phrase may overlap with itself. SPEC §15.8, §25.2
 */
export function phraseList(tokens: readonly WordList[]): WordList {
  const rarest = tokens.reduce((best, list, i) => (list.size < tokens[best]!.size ? i : best), 0);
  const { size: most, chunks: candidates } = tokens[rarest]!;
  const chunks = new Float64Array(most);
  const times = new Uint32Array(most);
  /** In each list, the first chunk that is not before the candidate. */
  const places = tokens.map(() => 0);
  let size = 0;
  for (let i = 0; i < most; i++) {
    const chunk = candidates[i]!;
    let isInAll = true;
    for (const [j, list] of tokens.entries()) {
      places[j] = firstFrom(list, places[j]!, chunk);
      isInAll &&= places[j]! < list.size && list.chunks[places[j]!] === chunk;
    }
    const count = isInAll ? countStarts(tokens, places, rarest) : 0;
    if (count === 0) continue;
    chunks[size] = chunk;
    times[size++] = count;
  }
  return { ...NO_WORDS, size, chunks, times };
}

/** Returns the place of the first chunk that is not before the given one, from a place on. */
function firstFrom({ size, chunks }: WordList, from: number, chunk: number): number {
  let low = from;
  let step = 1;
  while (low + step < size && chunks[low + step]! <= chunk) {
    low += step;
    step *= 2;
  }
  let high = Math.min(size, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chunks[middle]! < chunk) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Counts the places of one chunk at which the tokens follow each other. */
function countStarts(tokens: readonly WordList[], places: readonly number[], rarest: number): number {
  const cursors = tokens.map(({ starts }, j) => starts[places[j]!]!);
  const ends = tokens.map(({ times }, j) => cursors[j]! + times[places[j]!]!);
  const { positions } = tokens[rarest]!;
  let count = 0;
  for (let at = cursors[rarest]!; at < ends[rarest]!; at++) {
    const start = positions[at]! - rarest;
    if (positions[at]! % IN_HEADINGS < rarest) continue; // the phrase would begin before the first word
    let isThere = true;
    for (const [j, list] of tokens.entries()) {
      if (j === rarest) continue;
      while (cursors[j]! < ends[j]! && list.positions[cursors[j]!]! < start + j) cursors[j]!++;
      isThere &&= cursors[j]! < ends[j]! && list.positions[cursors[j]!] === start + j;
    }
    if (isThere) count++;
  }
  return count;
}
