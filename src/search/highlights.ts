import { textOffsets, utf8LengthOf } from "../text/search-text.ts";
import type { ItemFinder } from "./occurrences.ts";

/** `[start, end)` in the UTF-8 bytes of the chunk's text. */
export interface Highlight {
  /** The first byte. */
  readonly start: number;
  /** The byte after the last. */
  readonly end: number;
}

/**
 * Returns where items occur in a chunk's text, which is indexed as `searchText`. Overlapping ranges are merged.
 * SPEC §20.5
 */
export function highlightsOf(finder: ItemFinder, text: string, searchText: string): Highlight[] {
  const spans: { start: number; end: number; lastWord: number }[] = [];
  for (const { start, end, firstWord, lastWord } of finder.in(searchText)) {
    const last = spans.at(-1);
    if (last === undefined || firstWord > last.lastWord) spans.push({ start, end, lastWord });
    else if (lastWord > last.lastWord) Object.assign(last, { end, lastWord });
  }
  const offsets = byteOffsets(
    searchText,
    spans.flatMap(({ start, end }) => [start, end]),
  );
  const inText = searchText === text ? offsets : textOffsets(text, offsets);
  return spans.map((_, i) => ({ start: inText[2 * i]!, end: inText[2 * i + 1]! }));
}

/** Converts ascending positions from UTF-16 units to UTF-8 bytes. */
function byteOffsets(text: string, positions: readonly number[]): number[] {
  let from = 0;
  let bytes = 0;
  return positions.map((position) => {
    bytes += utf8LengthOf(text.slice(from, position));
    from = position;
    return bytes;
  });
}
