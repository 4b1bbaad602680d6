import type { Database } from "../store/database.ts";
import { utf8 } from "../text/canonical.ts";
import { searchText, textOffsets } from "../text/search-text.ts";

/** `[start, end)` in the UTF-8 bytes of the chunk's text. */
export interface Highlight {
  readonly start: number;
  readonly end: number;
}

/** Pairs that open and close; one that the text does not hold is taken. Private characters, then noncharacters. */
const MARKS: readonly (readonly [string, string])[] = [
  ["\u0002", "\u0003"],
  ["\ue000", "\ue001"],
  ["\ufdd0", "\ufdd1"],
  ["\u{10fff0}", "\u{10fff1}"],
];

/** The tokens of a chunk's text that FTS5 really matched. None where every pair of marks stands in the text. SPEC §20.5 */
export function highlightsOf(
  database: Database,
  match: string,
  chunkId: Uint8Array,
  text: string,
): Highlight[] {
  const marks = MARKS.find(([open, close]) => !text.includes(open) && !text.includes(close));
  if (marks === undefined) return [];
  const row = database.get<{ marked: string }>(
    `SELECT highlight(search, 0, ?, ?) AS marked FROM search
     WHERE search MATCH ? AND rowid = (SELECT chunk FROM chunks WHERE chunkId = ?)`,
    [marks[0], marks[1], match, chunkId],
  );
  if (row === undefined) return [];
  const offsets: number[] = [];
  let at = 0;
  for (const piece of row.marked.split(new RegExp(`[${marks[0]}${marks[1]}]`, "u"))) {
    at += utf8(piece).length;
    offsets.push(at);
  }
  offsets.pop();
  const inText = searchText(text) === text ? offsets : textOffsets(text, offsets);
  return Array.from({ length: inText.length / 2 }, (_, i) => ({
    start: inText[2 * i]!,
    end: inText[2 * i + 1]!,
  }));
}
