import type { Database } from "../store/database.ts";
import { textOffsets, utf8LengthOf } from "../text/search-text.ts";
import { inBatches } from "./places.ts";

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

/** A chunk's text, and that text as it is indexed. */
export interface MarkedText {
  readonly chunk: number;
  readonly text: string;
  readonly searchText: string;
}

/**
 * The tokens of chunks' texts that FTS5 matched, by rowid. None of a text that holds a mark of every pair. FTS5 is asked in
 * an index of these chunks alone: in that of 100,000 it takes ten times as long to find them again (measured). SPEC §20.5
 */
export function highlightsOf(
  database: Database,
  match: string,
  chunks: readonly MarkedText[],
): Map<number, Highlight[]> {
  const found = new Map<number, Highlight[]>();
  if (chunks.length === 0) return found;
  indexPage(
    database,
    chunks.map(({ chunk }) => chunk),
  );
  for (const [open, close] of MARKS) {
    const holds = ({ text }: MarkedText) => text.includes(open) || text.includes(close);
    const left = new Map(
      chunks.filter((each) => !found.has(each.chunk) && !holds(each)).map((each) => [each.chunk, each]),
    );
    if (left.size === 0) continue;
    const sql = "SELECT rowid AS chunk, highlight(page, 0, ?, ?) AS text FROM temp.page WHERE page MATCH ?";
    for (const { chunk, text } of database.all<{ chunk: number; text: string }>(sql, [open, close, match])) {
      const original = left.get(chunk);
      if (original !== undefined)
        found.set(chunk, spans(text.split(new RegExp(`[${open}${close}]`, "u")), original));
    }
  }
  return found;
}

/** From the pieces between marks: every second one is a match. */
function spans(pieces: readonly string[], { text, searchText }: MarkedText): Highlight[] {
  const offsets: number[] = [];
  let at = 0;
  for (const piece of pieces.slice(0, -1)) {
    at += utf8LengthOf(piece);
    offsets.push(at);
  }
  const inText = searchText === text ? offsets : textOffsets(text, offsets);
  return Array.from({ length: inText.length / 2 }, (_, i) => ({
    start: inText[2 * i]!,
    end: inText[2 * i + 1]!,
  }));
}

/** The same columns as `search` (see schema.ts), of these chunks alone. */
function indexPage(database: Database, chunks: readonly number[]): void {
  if (database.get("SELECT 1 AS there FROM temp.sqlite_schema WHERE name = 'page'") === undefined) {
    database.exec(`
      CREATE TEMP VIEW pageContent (chunk, text, headings) AS SELECT chunk, text, headings FROM main.indexed;
      CREATE VIRTUAL TABLE temp.page USING fts5 (
        text, headings,
        content = 'pageContent', content_rowid = 'chunk', columnsize = 0,
        tokenize = 'porter unicode61 remove_diacritics 2'
      );
    `);
  }
  database.run("INSERT INTO temp.page (page) VALUES ('delete-all')");
  inBatches(chunks, (slots, keys) => {
    const sql =
      "INSERT INTO temp.page (rowid, text, headings) SELECT chunk, text, headings FROM main.indexed";
    database.run(`${sql} WHERE chunk IN (${slots})`, keys);
  });
}
