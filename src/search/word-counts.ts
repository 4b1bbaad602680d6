import type { Database } from "../store/database.ts";
import { lengthIn, storedLength } from "../store/lengths.ts";
import { Varints } from "../store/word-pages.ts";
import type { WordTotals } from "./bm25.ts";
import { WordLists } from "./word-lists.ts";

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

/** Returns FTS5's own record of the number of chunks and of tokens. SPEC §25.2 */
export function wordTotals(database: Database): WordTotals {
  const block = database.get<{ wordTotals: Uint8Array }>(
    "SELECT block AS wordTotals FROM search_data WHERE id = 1",
  )?.wordTotals;
  if (block === undefined || block.length === 0) return { chunks: 0, tokens: 0 }; // it comes with the first row
  const reader = new Varints(database, block, 0, block.length);
  const chunks = reader.next();
  return { chunks, tokens: lengthIn(database, block.subarray(reader.at)) };
}

/** Counts every chunk of the library. SPEC §25.2 */
export function allChunks(database: Database): CountedChunks {
  return {
    totals: wordTotals(database),
    has: () => true,
    tokensOf: (chunk) => storedLength(database, chunk),
  };
}

/** Counts the chunks of some documents alone, as if the library held nothing else. SPEC §25.2 */
export function chunksOfDocuments(database: Database, documentIds: Iterable<Uint8Array>): CountedChunks {
  const lengths = new Map<number, number>();
  const sql =
    "SELECT chunk, sz AS wordLengths FROM chunks JOIN search_docsize ON id = chunk WHERE documentId = ?";
  let tokens = 0;
  for (const documentId of documentIds) {
    database.each(sql, [documentId], (row) => {
      const length = lengthIn(database, row.blobView(1));
      lengths.set(row.value(0) as number, length);
      tokens += length;
    });
  }
  return {
    totals: { chunks: lengths.size, tokens },
    has: (chunk) => lengths.has(chunk),
    tokensOf: (chunk) => lengths.get(chunk) ?? storedLength(database, chunk),
  };
}

/** Returns how often the counted chunks have each item (SPEC §15.2), where FTS5 finds it. SPEC §25.2 */
export function countItems(
  database: Database,
  items: readonly string[],
  counted: CountedChunks = allChunks(database),
  lists = new WordLists(database),
): ItemCounts {
  const counts = new Map<number, Uint32Array>();
  const having = items.map((item, index) => {
    const { size, chunks, times } = lists.of(item);
    let among = 0;
    for (let i = 0; i < size; i++) {
      const chunk = chunks[i]!;
      if (!counted.has(chunk)) continue;
      among++;
      const row = counts.get(chunk) ?? new Uint32Array(items.length);
      row[index] = times[i]!;
      counts.set(chunk, row);
    }
    return among;
  });
  return { having, counts };
}
