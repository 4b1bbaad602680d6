import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "../store/database.ts";
import type { WordTotals } from "./bm25.ts";
import { chunksWithToken } from "./term-frequencies.ts";
import { tokenBytes, tokenOf } from "./token.ts";

/** The chunks that are counted: all of a library, or those of some documents. SPEC §25.2 */
export interface CountedChunks {
  /** Their number and the sum of their tokens. */
  readonly totals: WordTotals;
  /** Whether a chunk, given by its rowid, is counted. */
  has(chunk: number): boolean;
  /** The number of tokens in all columns of a chunk, given by its rowid. */
  tokensOf(chunk: number): number;
}

/** How often the counted chunks have some items. */
export interface ItemCounts {
  /** The number of chunks that have each item, in the order of the items. */
  readonly having: readonly number[];
  /** For each chunk that has at least one item, by rowid: how often it has each, in the order of the items. */
  readonly counts: ReadonlyMap<number, Uint32Array>;
}

/** Counts every chunk of the library, from FTS5's own records of totals and lengths. SPEC §25.2 */
export function allChunks(database: Database): CountedChunks {
  const block = database.get<{ wordTotals: Uint8Array }>(
    "SELECT block AS wordTotals FROM search_data WHERE id = 1",
  )?.wordTotals;
  // FTS5 writes the record with the first row.
  const [chunks = 0, ...columns] = block === undefined ? [] : varints(database, block);
  return {
    totals: { chunks, tokens: sum(columns) },
    has: () => true,
    tokensOf: (chunk) => tokensOf(database, chunk),
  };
}

/** Counts the chunks of some documents alone, as if the library held nothing else. SPEC §25.2 */
export function chunksOfDocuments(database: Database, documentIds: Iterable<Uint8Array>): CountedChunks {
  const lengths = new Map<number, number>();
  const sql =
    "SELECT chunk, sz AS wordLengths FROM chunks JOIN search_docsize ON id = chunk WHERE documentId = ?";
  for (const documentId of documentIds) {
    database.each(sql, [documentId], (row) => {
      lengths.set(row.value(0) as number, sum(varints(database, row.blobView(1))));
    });
  }
  return {
    totals: { chunks: lengths.size, tokens: sum(lengths.values()) },
    has: (chunk) => lengths.has(chunk),
    tokensOf: (chunk) => lengths.get(chunk) ?? tokensOf(database, chunk),
  };
}

/** Returns how often the counted chunks have each item (SPEC §15.2), where FTS5 finds it. SPEC §25.2 */
export function countItems(
  database: Database,
  items: readonly string[],
  counted: CountedChunks = allChunks(database),
): ItemCounts {
  prepareInstances(database);
  const ofItem = new Map<string, ReadonlyMap<number, number>>();
  for (const item of items) if (!ofItem.has(item)) ofItem.set(item, chunksWithItem(database, item, counted));
  const counts = new Map<number, Uint32Array>();
  for (const [index, item] of items.entries()) {
    for (const [chunk, times] of ofItem.get(item)!) {
      const row = counts.get(chunk) ?? new Uint32Array(items.length);
      row[index] = times;
      counts.set(chunk, row);
    }
  }
  return { having: items.map((item) => ofItem.get(item)!.size), counts };
}

/** Returns the counted chunks that have an item, by rowid, with how often. */
function chunksWithItem(
  database: Database,
  item: string,
  counted: CountedChunks,
): ReadonlyMap<number, number> {
  const tokens = item.split(" ").map(tokenOf);
  return tokens.length === 1
    ? chunksWithWord(database, tokens[0]!, counted)
    : chunksWithPhrase(database, tokens, counted);
}

function chunksWithWord(database: Database, token: string, counted: CountedChunks): Map<number, number> {
  const times = new Map<number, number>();
  const sql = "SELECT doc AS chunk FROM temp.searchInstances WHERE term = CAST(? AS TEXT)";
  // Instances of a chunk come together, but nothing depends on that.
  database.each(sql, [tokenBytes(token)], (row) => {
    const chunk = row.value(0) as number;
    if (counted.has(chunk)) times.set(chunk, (times.get(chunk) ?? 0) + 1);
  });
  return times;
}

/** Headings are a column after the text. No chunk has so many tokens that their positions could meet. */
const HEADINGS_FROM = 2 ** 40;

/** Tokens of a phrase follow each other within one column. The rarest is read first, to remember as little as possible. */
function chunksWithPhrase(
  database: Database,
  tokens: readonly string[],
  counted: CountedChunks,
): Map<number, number> {
  const rarestFirst = tokens
    .map((token, index) => ({ token, index, chunks: chunksWithToken(database, token) }))
    .sort((a, b) => a.chunks - b.chunks || a.index - b.index);
  if (rarestFirst[0]!.chunks === 0) return new Map();
  const sql =
    "SELECT doc AS chunk, col = 'headings' AS isHeading, offset AS position FROM temp.searchInstances WHERE term = CAST(? AS TEXT)";
  /** The places, by chunk, where the phrase can begin after what was read so far. */
  let starts: Map<number, Set<number>> | null = null;
  for (const { token, index } of rarestFirst) {
    const next = new Map<number, Set<number>>();
    database.each(sql, [tokenBytes(token)], (row) => {
      const chunk = row.value(0) as number;
      const start = (row.value(1) as number) * HEADINGS_FROM + (row.value(2) as number) - index;
      if (starts === null ? !counted.has(chunk) : starts.get(chunk)?.has(start) !== true) return;
      const places = next.get(chunk);
      if (places === undefined) next.set(chunk, new Set([start]));
      else places.add(start);
    });
    starts = next;
  }
  return new Map(Array.from(starts!, ([chunk, places]) => [chunk, places.size]));
}

function tokensOf(database: Database, chunk: number): number {
  const lengths = database.get<{ wordLengths: Uint8Array }>(
    "SELECT sz AS wordLengths FROM search_docsize WHERE id = ?",
    [chunk],
  )?.wordLengths;
  if (lengths === undefined) throw damaged(database, `no length of chunk ${chunk}`);
  return sum(varints(database, lengths));
}

/** Reads SQLite's variable-length integers: seven bits a byte, the highest first; the high bit says that more follow. */
function varints(database: Database, bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (!Number.isSafeInteger(value)) throw damaged(database, "a count above 2^53");
    if (byte >= 128) continue;
    numbers.push(value);
    value = 0;
  }
  return numbers;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const each of numbers) total += each;
  return total;
}

function prepareInstances(database: Database): void {
  if (database.get("SELECT 1 AS there FROM temp.sqlite_schema WHERE name = 'searchInstances'") !== undefined)
    return;
  database.exec("CREATE VIRTUAL TABLE temp.searchInstances USING fts5vocab ('main', 'search', 'instance')");
}

function damaged(database: Database, problem: string): SelfsameError {
  return new SelfsameError(
    "DATABASE_CORRUPT",
    `expected ${database.name} to have FTS5's counts, got ${problem}`,
    "Restore a copy, or move the file away and index again",
  );
}
