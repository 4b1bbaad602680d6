/**
 * Where FTS5 keeps the list of a token: its index is a few sorted runs, each of which is a sequence of pages. The layout
 * is that of the pinned SQLite (SPEC §14.4), as its source describes it (fts5_index.c). Reading it here is what makes a
 * common word cheap: through MATCH, every chunk that has the word costs a call and a lookup. SPEC §25.2
 *
 *     search_data, id 10               the runs: cookie (4), then varints: levels, runs, writes;
 *                                      for each level: merges, runs; for each run: its id, first page, last page
 *     search_data, run · 2^37 + page   a page:
 *       0        2                     offset of the first rowid on the page; 0: there is none
 *       2        2                     offset of the footer
 *       4        …                     terms with their lists, or the rest of a list from the page before
 *       footer   …                     varints: the offset of the first term, then distances to the next ones
 *     search_idx (segid, term, pgno)   for each page with terms, a text from which on they are there; pgno is page · 2
 */
import type { SelfsameError } from "../errors/selfsame-error.ts";
import type { Database } from "./database.ts";
import { damagedRow } from "./failure.ts";

/** One sorted run of FTS5's index. */
export interface Run {
  readonly id: number;
  readonly firstPage: number;
  readonly lastPage: number;
}

/** Takes a piece of a list: a page, where in it the piece begins and ends, and where its first rowid is. */
export type TakePiece = (page: Uint8Array, from: number, end: number, firstRowid: number) => void;

const STRUCTURE_ID = 10;
const PAGES_PER_RUN = 2 ** 37;
/** Tokens of the index without prefixes begin with this byte. */
const MAIN_INDEX = 0x30;
const HEADER_BYTES = 4;
/** The pages of a run, from the one on that has a term if any has. Pages before the first were merged into another run. */
const SELECT_PAGES = `
  SELECT block AS wordPage FROM search_data
  WHERE id BETWEEN ?1 + max(?2, coalesce(
      (SELECT pgno >> 1 FROM search_idx WHERE segid = ?4 AND term <= ?5 ORDER BY term DESC LIMIT 1), 0))
    AND ?1 + ?3
  ORDER BY id`;
/** More than FTS5 ever makes: it merges 16 runs of a level at the latest. */
const RUNS_MAX = 2000;

/** Returns the runs of the index, the newest first: of a chunk that several have, the first says what holds. */
export function readRuns(database: Database): Run[] {
  const block = database.get<{ wordRuns: Uint8Array }>(
    `SELECT block AS wordRuns FROM search_data WHERE id = ${STRUCTURE_ID}`,
  )?.wordRuns;
  if (block === undefined) throw damaged(database, "no structure record");
  const reader = new Varints(database, block, 4, block.length);
  const levels = reader.next();
  const total = reader.next();
  reader.next();
  if (levels > RUNS_MAX || total > RUNS_MAX) throw damaged(database, `${total} runs in ${levels} levels`);
  const runs: Run[] = [];
  for (let level = 0; level < levels; level++) {
    reader.next();
    const count = reader.next();
    if (count > total) throw damaged(database, `${count} of ${total} runs in one level`);
    const ofLevel: Run[] = [];
    for (let run = 0; run < count; run++) {
      const [id, firstPage, lastPage] = [reader.next(), reader.next(), reader.next()];
      if (firstPage > 0) ofLevel.push({ id, firstPage, lastPage }); // 0: all of it was merged
    }
    runs.push(...ofLevel.reverse());
  }
  return runs;
}

/** Calls back with the pieces of a token's list in one run, in order. */
export function eachPiece(database: Database, run: Run, token: Uint8Array, take: TakePiece): void {
  const term = new Uint8Array(token.length + 1);
  term[0] = MAIN_INDEX;
  term.set(token, 1);
  let isFirst = true;
  database.until(SELECT_PAGES, [run.id * PAGES_PER_RUN, run.firstPage, run.lastPage, run.id, term], (row) => {
    const bytes = row.blobView(0);
    if (bytes.length < HEADER_BYTES) throw damaged(database, "a page without a header");
    const footer = u16(bytes, 2);
    if (footer < HEADER_BYTES || footer > bytes.length) throw damaged(database, "a page without a footer");
    if (!isFirst) return continued(database, bytes, footer, take);
    isFirst = false;
    return begun(database, bytes, footer, term, take);
  });
  if (isFirst) throw damaged(database, "a run without the page that its index names");
}

/**
 * Looks for a term on a page. Terms are in the order of their bytes, and each says how many bytes it shares with the one
 * before it. Returns whether its list may go on with the next page.
 */
function begun(
  database: Database,
  page: Uint8Array,
  footer: number,
  term: Uint8Array,
  take: TakePiece,
): boolean {
  const offsets = new Varints(database, page, footer, page.length);
  let offset = 0;
  let same = 0; // bytes that the last term, which is less, has in common with the one that is looked for
  while (!offsets.isAtEnd) {
    const isFirst = offset === 0;
    offset += offsets.next();
    const reader = new Varints(database, page, offset, footer);
    const shared = isFirst ? 0 : reader.next();
    const length = reader.next();
    const end = reader.at + length;
    if (end > footer) throw damaged(database, "a term beyond its page");
    if (shared < same) return false;
    if (shared > same) continue;
    let at = reader.at;
    for (; at < end && same < term.length && page[at] === term[same]; at++) same++;
    if (at < end) {
      if (same === term.length || page[at]! > term[same]!) return false;
      continue;
    }
    if (same < term.length) continue;
    const isLast = offsets.isAtEnd;
    const listEnd = isLast ? footer : offset + offsets.next();
    if (listEnd < end || listEnd > footer) throw damaged(database, "a list beyond its page");
    take(page, end, listEnd, end);
    return isLast;
  }
  return false;
}

/** Passes on the part of a page that continues a list; returns whether the next page may, too. */
function continued(database: Database, page: Uint8Array, footer: number, take: TakePiece): boolean {
  const hasTerms = footer < page.length;
  const end = hasTerms ? new Varints(database, page, footer, page.length).next() : footer;
  if (end < HEADER_BYTES || end > footer) throw damaged(database, "a term beyond its page");
  const rowid = u16(page, 0);
  // A first rowid behind the first term belongs to that one.
  take(page, HEADER_BYTES, end, rowid === 0 || rowid >= end ? end : rowid);
  return !hasTerms;
}

/** Reads SQLite's variable-length integers: seven bits a byte, the highest first; the high bit says that more follow. */
export class Varints {
  at: number;
  readonly #database: Database;
  readonly #bytes: Uint8Array;
  readonly #end: number;

  constructor(database: Database, bytes: Uint8Array, at: number, end: number) {
    this.#database = database;
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#end;
  }

  next(): number {
    let value = 0;
    while (this.at < this.#end) {
      const byte = this.#bytes[this.at++]!;
      value = value * 128 + (byte & 127);
      if (!Number.isSafeInteger(value)) throw damaged(this.#database, "a count above 2^53");
      if (byte < 128) return value;
    }
    throw damaged(this.#database, "a count that does not end");
  }
}

function u16(bytes: Uint8Array, at: number): number {
  return bytes[at]! * 256 + bytes[at + 1]!;
}

/** Reports that FTS5's index is not what FTS5 writes. */
export function damaged(database: Database, problem: string): SelfsameError {
  return damagedRow(database.name, `${problem} in the word index`);
}
