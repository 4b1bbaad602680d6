import type { Database } from "../store/database.ts";
import { BLOCK_CHUNKS, blockOf, lengthAt, readBlock, readBlocks, storedLength } from "../store/lengths.ts";
import type { WordList } from "../store/word-list.ts";
import { type Bm25Scoring, itemScore, lengthFactor, type WordTotals } from "./bm25.ts";

/** A chunk, by rowid, and its score: negative, lower is better. */
export interface ScoredChunk {
  readonly chunk: number;
  readonly bm25: number;
}

/** Chunks of neighbouring rowids. */
interface Block {
  readonly lengths: Uint8Array;
  readonly scores: Float64Array;
  /** The places of the chunks that have a score. */
  readonly scored: Uint16Array;
  count: number;
}

/**
 * Adds up BM25 for any number of chunks, item after item, so that the sum of each chunk has the order of the items.
 * Chunks are kept in blocks of neighbouring rowids, as their lengths are stored. SPEC §25.3, §25.4
 */
export class ScoreBoard {
  readonly #database: Database;
  readonly #totals: WordTotals;
  readonly #scoring: Bm25Scoring;
  readonly #blocks = new Map<number, Block>();
  /** The lengths of all chunks, by block; null if they were not needed so far. */
  #lengths: ReadonlyMap<number, Uint8Array> | null = null;
  /** K by the number of tokens, for usual lengths: it takes two divisions. 0: not computed yet. */
  readonly #factors = new Float64Array(1024);

  constructor(database: Database, totals: WordTotals, scoring: Bm25Scoring) {
    this.#database = database;
    this.#totals = totals;
    this.#scoring = scoring;
  }

  /** Adds an item to the scores of the chunks that have it. */
  add({ size, chunks, times }: WordList, idf: number): void {
    if (size === 0) return;
    this.#readLengths(blockOf(chunks[0]!), blockOf(chunks[size - 1]!), size);
    let number = -1;
    let block: Block | null = null;
    for (let i = 0; i < size; i++) {
      const chunk = chunks[i]!;
      const wanted = blockOf(chunk);
      if (block === null || wanted !== number) {
        number = wanted;
        block = this.#block(number);
      }
      const at = chunk - number * BLOCK_CHUNKS;
      const length = lengthAt(block.lengths, at);
      const factor =
        length === 0
          ? lengthFactor(this.#totals, storedLength(this.#database, chunk))
          : this.#factorOf(length);
      // Every item adds more than 0.
      if (block.scores[at] === 0) block.scored[block.count++] = at;
      block.scores[at]! += itemScore(idf, times[i]!, factor, this.#scoring);
    }
  }

  /** Returns the first k chunks, and all that tie with the last of them, in no particular order. */
  best(k: number): ScoredChunk[] {
    const greatest = new Greatest(k);
    for (const { scores, scored, count } of this.#blocks.values())
      for (let i = 0; i < count; i++) {
        const score = scores[scored[i]!]!;
        if (score > greatest.least) greatest.add(score);
      }
    const best: ScoredChunk[] = [];
    for (const [number, { scores, scored, count }] of this.#blocks)
      for (let i = 0; i < count; i++) {
        const score = scores[scored[i]!]!;
        if (score >= greatest.least)
          best.push({ chunk: number * BLOCK_CHUNKS + scored[i]!, bm25: -1 * score });
      }
    return best;
  }

  #factorOf(length: number): number {
    const known = this.#factors[length];
    if (known !== undefined && known > 0) return known;
    const factor = lengthFactor(this.#totals, length);
    this.#factors[length] = factor; // beyond the end, nothing is kept
    return factor;
  }

  /** Reads the lengths of all blocks at once, if a list will need most of them. */
  #readLengths(first: number, last: number, size: number): void {
    if (this.#lengths !== null || last - first < 8 || size < last - first) return;
    this.#lengths = readBlocks(this.#database);
  }

  #block(number: number): Block {
    const known = this.#blocks.get(number);
    if (known !== undefined) return known;
    const block = {
      lengths: this.#lengths?.get(number) ?? readBlock(this.#database, number),
      scores: new Float64Array(BLOCK_CHUNKS),
      scored: new Uint16Array(BLOCK_CHUNKS),
      count: 0,
    };
    this.#blocks.set(number, block);
    return block;
  }
}

/** The k greatest of many numbers above 0, as a heap with the least on top. */
class Greatest {
  readonly #heap: Float64Array;
  #size = 0;

  constructor(k: number) {
    this.#heap = new Float64Array(k);
  }

  /** The k-th greatest so far; 0 while there are fewer. */
  get least(): number {
    return this.#size < this.#heap.length ? 0 : this.#heap[0]!;
  }

  add(number: number): void {
    const heap = this.#heap;
    if (this.#size < heap.length) {
      let at = this.#size++;
      for (; at > 0 && heap[(at - 1) >> 1]! > number; at = (at - 1) >> 1) heap[at] = heap[(at - 1) >> 1]!;
      heap[at] = number;
      return;
    }
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= number) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = number;
  }
}
