import type { Database } from "./database.ts";
import { damaged, eachPiece, type Run, readRuns } from "./word-pages.ts";

/** The chunks that have a token, by rowid ascending. Rowids depend on history, so nothing may depend on their order. */
export interface WordList {
  readonly size: number;
  /** Their rowids. Only the first `size` count. */
  readonly chunks: Float64Array;
  /** How often each has the token, in its text and its headings. */
  readonly times: Uint32Array;
  /** Where the positions of each begin; empty if none were wanted. */
  readonly starts: Uint32Array;
  /** Each is the number of a word of the text, or of the headings, with `IN_HEADINGS` added. */
  readonly positions: Uint32Array;
}

/** Stands in a position for a word of the headings. */
export const IN_HEADINGS = 2 ** 31;

export const NO_WORDS: WordList = {
  size: 0,
  chunks: new Float64Array(0),
  times: new Uint32Array(0),
  starts: new Uint32Array(0),
  positions: new Uint32Array(0),
};

/** Reads lists of tokens from FTS5's index, on one state of the database. SPEC §25.2 */
export class WordIndex {
  readonly #database: Database;
  #runs: readonly Run[] | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the chunks that have a token, given by its bytes. */
  list(token: Uint8Array, withPositions = false): WordList {
    this.#runs ??= readRuns(this.#database);
    const builder = new ListBuilder(this.#database, withPositions);
    let list: Entries | null = null;
    for (const run of this.#runs) {
      eachPiece(this.#database, run, token, (page, from, end, firstRowid) =>
        builder.take(page, from, end, firstRowid),
      );
      const older = builder.finish();
      if (older.size > 0) list = list === null ? older : merged(list, older);
    }
    return list === null ? NO_WORDS : { ...present(list), positions: builder.positions };
  }
}

type Entries = Omit<WordList, "positions">;

/**
 * Decodes one list: for each chunk its rowid (on each page the first as it is, the others as distances), the number of
 * bytes of its positions times two, plus one if the chunk was removed, and its positions: varints, 1 before the number
 * of a column, otherwise the distance to the position before it, plus two.
 */
class ListBuilder {
  readonly #database: Database;
  readonly #withPositions: boolean;
  #size = 0;
  #chunks = new Float64Array(256);
  #times = new Uint32Array(256);
  #starts = new Uint32Array(0);
  /** Of all runs. */
  positions = new Uint32Array(0);
  #positionCount = 0;
  /** Bytes of positions that are on the next page, and where reading them has got to. */
  #left = 0;
  #chunk = 0;
  #column = 0;
  #offset = 0;
  #isColumnNext = false;

  constructor(database: Database, withPositions: boolean) {
    this.#database = database;
    this.#withPositions = withPositions;
    if (withPositions) this.#starts = new Uint32Array(256);
  }

  take(page: Uint8Array, from: number, end: number, firstRowid: number): void {
    if (this.#left > 0) {
      this.#readPositions(page, from, end);
      if (this.#left > 0) return;
    }
    const fast = this.#withPositions ? firstRowid : this.#takeWhole(page, firstRowid, end);
    this.#takeRest(page, fast, end, fast === firstRowid);
  }

  /**
   * Takes the chunks whose positions are all on this page, which are almost all. This is the loop that a search waits
   * for, so everything is at hand. Returns where the first other chunk begins.
   */
  #takeWhole(page: Uint8Array, from: number, end: number): number {
    let [chunk, size, chunks, times] = [0, this.#size, this.#chunks, this.#times];
    let at = from;
    while (at < end) {
      let next = at;
      let distance = page[next++]!;
      if (distance >= 128) {
        distance &= 127;
        let byte = 128;
        while (byte >= 128 && next < end && distance < 2 ** 40) {
          byte = page[next++]!;
          distance = distance * 128 + (byte & 127);
        }
      }
      const bytes = next < end ? page[next++]! : 255;
      const stop = next + (bytes >> 1);
      if (bytes >= 128 || stop > end) break;
      chunk += distance;
      if (size === chunks.length) {
        this.#size = size;
        this.#grow();
        [chunks, times] = [this.#chunks, this.#times];
      }
      chunks[size] = chunk;
      times[size++] = countPositions(page, next, stop);
      at = stop;
    }
    this.#size = size;
    this.#chunk = chunk;
    return at;
  }

  #takeRest(page: Uint8Array, from: number, end: number, isFirstOfPage: boolean): void {
    let at = from;
    let isFirst = isFirstOfPage;
    while (at < end) {
      let value = page[at++]!;
      if (value >= 128) [value, at] = this.#rest(page, value, at, end);
      this.#chunk = isFirst ? value : this.#chunk + value;
      isFirst = false;
      if (at >= end) throw damaged(this.#database, "a chunk without positions");
      let size = page[at++]!;
      if (size >= 128) [size, at] = this.#rest(page, size, at, end);
      if (this.#size === this.#chunks.length) this.#grow();
      this.#chunks[this.#size] = this.#chunk;
      this.#times[this.#size] = 0;
      if (this.#withPositions) this.#starts[this.#size] = this.#positionCount;
      this.#size++;
      this.#left = Math.floor(size / 2);
      this.#column = 0;
      this.#offset = 0;
      this.#isColumnNext = false;
      at = this.#readPositions(page, at, end);
    }
  }

  /** Returns the chunks of the run that was read, and starts the next one. */
  finish(): Entries {
    if (this.#left > 0) throw damaged(this.#database, "a list that does not end");
    const entries = {
      size: this.#size,
      chunks: this.#chunks.slice(0, this.#size),
      times: this.#times.slice(0, this.#size),
      starts: this.#withPositions ? this.#starts.slice(0, this.#size) : this.#starts,
    };
    this.#size = 0;
    return entries;
  }

  /** Reads positions of the last chunk up to the end of the page; returns where the next chunk begins. */
  #readPositions(page: Uint8Array, from: number, end: number): number {
    const stop = Math.min(end, from + this.#left);
    let times = 0;
    let at = from;
    while (at < stop) {
      let value = page[at++]!;
      if (value >= 128) [value, at] = this.#rest(page, value, at, stop);
      if (this.#isColumnNext) {
        this.#isColumnNext = false;
        this.#column = value;
        this.#offset = 0;
      } else if (value === 1) this.#isColumnNext = true;
      else {
        times++;
        if (this.#withPositions) this.#note(value - 2);
      }
    }
    this.#left -= at - from;
    this.#times[this.#size - 1]! += times;
    return at;
  }

  #note(distance: number): void {
    if (this.#positionCount === this.positions.length) {
      const grown = new Uint32Array(Math.max(256, this.positions.length * 2));
      grown.set(this.positions);
      this.positions = grown;
    }
    this.#offset += distance;
    this.positions[this.#positionCount++] = this.#offset + (this.#column === 0 ? 0 : IN_HEADINGS);
  }

  /** Reads the rest of an integer whose first byte says that more follow. */
  #rest(page: Uint8Array, first: number, from: number, end: number): [value: number, at: number] {
    let value = first & 127;
    for (let at = from; at < end; at++) {
      const byte = page[at]!;
      value = value * 128 + (byte & 127);
      if (value > Number.MAX_SAFE_INTEGER) break;
      if (byte < 128) return [value, at + 1];
    }
    throw damaged(this.#database, "a number that does not end");
  }

  #grow(): void {
    const room = this.#chunks.length * 2;
    const [chunks, times] = [new Float64Array(room), new Uint32Array(room)];
    chunks.set(this.#chunks);
    times.set(this.#times);
    this.#chunks = chunks;
    this.#times = times;
    if (!this.#withPositions) return;
    const starts = new Uint32Array(room);
    starts.set(this.#starts);
    this.#starts = starts;
  }
}

/** Counts the positions of a chunk that are all on one page. */
function countPositions(page: Uint8Array, from: number, end: number): number {
  let count = 0;
  let at = from;
  while (at < end) {
    const first = page[at++]!;
    if (first >= 128) while (at < end && page[at++]! >= 128);
    if (first === 1) while (at < end && page[at++]! >= 128);
    else count++;
  }
  return count;
}

/** Joins the lists of two runs: of a chunk that both have, the newer one says what holds. */
function merged(newer: Entries, older: Entries): Entries {
  const room = newer.size + older.size;
  const [chunks, times] = [new Float64Array(room), new Uint32Array(room)];
  const starts = new Uint32Array(newer.starts.length === 0 ? 0 : room);
  if (older.chunks[older.size - 1]! < newer.chunks[0]!) {
    // The usual case: what was added later has greater rowids.
    for (const [whole, part, rest] of [
      [chunks, older.chunks, newer.chunks],
      [times, older.times, newer.times],
      [starts, older.starts, newer.starts],
    ] as const) {
      whole.set(part.subarray(0, older.size));
      whole.set(rest.subarray(0, newer.size), Math.min(older.size, part.length));
    }
    return { size: room, chunks, times, starts };
  }
  let [i, j, size] = [0, 0, 0];
  while (i < newer.size || j < older.size) {
    const isNewer = j === older.size || (i < newer.size && newer.chunks[i]! <= older.chunks[j]!);
    const from = isNewer ? newer : older;
    const at = isNewer ? i++ : j++;
    const chunk = from.chunks[at]!;
    if (isNewer && j < older.size && older.chunks[j] === chunk) j++;
    chunks[size] = chunk;
    times[size] = from.times[at]!;
    if (starts.length > 0) starts[size] = from.starts[at]!;
    size++;
  }
  return { size, chunks, times, starts };
}

/** Leaves out the chunks that were removed. They have no positions. */
function present(list: Entries): Entries {
  const { chunks, times, starts } = list;
  let size = 0;
  for (let i = 0; i < list.size; i++) {
    if (times[i] === 0) continue;
    chunks[size] = chunks[i]!;
    times[size] = times[i]!;
    if (starts.length > 0) starts[size] = starts[i]!;
    size++;
  }
  return { size, chunks, times, starts };
}
