import { ID_BYTES, toHex } from "../engine/digest.ts";
import type { SparseHit, SparseSearch, SparseTerms } from "./sparse-index.ts";

/**
 * Sparse vectors of a set of chunks as a difference to those of another set: without some chunks, and with others. Its
 * answers are those of an index of the set. SPEC §24.2
 */
export class LayeredSparse implements SparseSearch {
  readonly #base: SparseSearch;
  readonly #gone: ReadonlySet<string>;
  /** The ids of `#gone`, 16 bytes each. */
  readonly #goneIds: Uint8Array;
  readonly #news: SparseSearch;

  /**
   * @param gone the ids of chunks of the base that the set does not have, or has with another vector; 16 bytes each
   * @param news the chunks of the set that the base does not have, or has with another vector
   */
  constructor(base: SparseSearch, gone: Uint8Array, news: SparseSearch) {
    this.#base = base;
    this.#goneIds = gone;
    this.#gone = new Set(
      Array.from({ length: gone.length / ID_BYTES }, (_, i) =>
        toHex(gone.subarray(i * ID_BYTES, (i + 1) * ID_BYTES)),
      ),
    );
    this.#news = news;
  }

  get size(): number {
    return this.#base.size - this.#gone.size + this.#news.size;
  }

  having(term: string): number {
    const all = this.#base.having(term);
    if (all === 0 || this.#gone.size === 0) return all + this.#news.having(term);
    const gone = this.#base.search({ terms: [term], weights: [1] }, this.#gone.size, this.#goneIds);
    return all - gone.length + this.#news.having(term);
  }

  search(query: SparseTerms, k: number, candidates: Uint8Array | null = null): SparseHit[] {
    const kept = this.#base
      .search(query, k + this.#gone.size, candidates)
      .filter(({ id }) => !this.#gone.has(id));
    return [...kept, ...this.#news.search(query, k, candidates)].sort(inOrder).slice(0, k);
  }
}

function inOrder(a: SparseHit, b: SparseHit): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1); // hexadecimal digits: the order of the bytes
}
