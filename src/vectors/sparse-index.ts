import { writeU32 } from "../engine/byte-order.ts";
import { ID_BYTES, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { BAD_ENTRY, NO_MEMORY } from "../engine/exports.generated.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { outOfMemory } from "./vector.ts";

const ENTRY_BYTES = 8;
const HIT_BYTES = 24; // laid out in assembly/vectors/sparse.ts

/** The sparse vector of a query: each term once, with its integer weight. SPEC §24.1 */
export interface SparseTerms {
  readonly terms: readonly string[];
  /** Integers from 1 to 2²⁰ − 1, in the order of the terms. */
  readonly weights: readonly number[];
}

/** A chunk that shares a term with the query. */
export interface SparseHit {
  /** The chunk's id, in hexadecimal. */
  readonly id: string;
  /** The exact sum of products of integer weights, at most 2⁵². */
  readonly score: number;
}

/** What an index is made of. */
export interface SparseSource {
  readonly chunks: number;
  /** One more than the largest number of a term. */
  readonly termNumbers: number;
  /** The number of entries of all chunks together. */
  readonly entries: number;
  /** Calls `visit` with each term and its number. */
  eachTerm(visit: (number: number, term: string) => void): void;
  /**
   * Calls `visit` with each chunk, by id ascending: 16 bytes, and pairs (term number, weight) as u32, little-endian. Without
   * it, chunks are given to `add`, and then `finish` is called.
   */
  eachChunk?(visit: (id: Uint8Array, entries: Uint8Array) => void): void;
}

/** What a search needs of sparse vectors. */
export interface SparseSearch {
  /** How many chunks there are. */
  readonly size: number;
  /** Returns how many chunks have a term. */
  having(term: string): number;
  /** Returns the first k chunks by (score descending, id ascending) that share a term with the query. */
  search(query: SparseTerms, k: number, candidates?: Uint8Array | null): SparseHit[];
}

/**
 * The sparse vectors of a set of chunks in an engine that it does not share: postings by term, exact integer scores. Its
 * answers depend on the set alone. SPEC §24.2
 */
export class SparseIndex implements SparseSearch {
  readonly #engine: Engine;
  readonly #numbers = new Map<string, number>();
  #left: number;

  /** @throws {SelfsameError} OUT_OF_MEMORY, or DATABASE_CORRUPT for entries that no sparse vector has */
  constructor(engine: Engine, source: SparseSource) {
    this.#engine = engine;
    const { chunks, termNumbers, entries } = source;
    if (engine.exports.sparse_init(chunks, termNumbers, entries) !== 0) throw outOfMemory();
    source.eachTerm((number, term) => this.#numbers.set(term, number));
    this.#left = entries;
    if (source.eachChunk === undefined) return;
    source.eachChunk((id, row) => this.add(id, row));
    this.finish();
  }

  /** Adds a chunk. Ids ascend, and there are as many chunks and entries as were announced. */
  add(id: Uint8Array, row: Uint8Array): void {
    const engine = this.#engine;
    // Checked here, since the engine's memory past the announced entries is not the row's.
    this.#left -= row.length / ENTRY_BYTES;
    if (this.#left < 0 || row.length % ENTRY_BYTES !== 0) throw badEntry(id);
    engine.bytes(engine.exports.sparse_id_input(), ID_BYTES).set(id);
    engine.bytes(engine.exports.sparse_row_input(), row.length).set(row);
    if (engine.exports.sparse_add(row.length / ENTRY_BYTES) !== 0) throw badEntry(id);
  }

  /** Turns what was added into postings. Searches come after it. */
  finish(): void {
    this.#engine.exports.sparse_ready();
  }

  /** How many chunks it holds. */
  get size(): number {
    return this.#engine.exports.sparse_chunks();
  }

  /** Returns how many chunks have a term. */
  having(term: string): number {
    const number = this.#numbers.get(term);
    return number === undefined ? 0 : this.#engine.exports.sparse_having(number);
  }

  /**
   * Returns the first k chunks by (score descending, id ascending) that share a term with the query.
   *
   * @param candidates the ids of the only chunks to be found, 16 bytes each; null for all
   */
  search({ terms, weights }: SparseTerms, k: number, candidates: Uint8Array | null = null): SparseHit[] {
    const engine = this.#engine;
    const query = new Uint8Array(ENTRY_BYTES * terms.length);
    let at = 0;
    for (const [i, term] of terms.entries()) {
      const number = this.#numbers.get(term);
      if (number !== undefined) at = writeU32(query, writeU32(query, at, number), weights[i]!);
    }
    return engine.scope(() => {
      const count = engine.exports.sparse_search(
        engine.write(query.subarray(0, at)),
        at / ENTRY_BYTES,
        k,
        candidates === null ? 0 : engine.write(candidates),
        candidates === null ? -1 : candidates.length / ID_BYTES,
      );
      if (count === NO_MEMORY) throw outOfMemory();
      if (count === BAD_ENTRY) throw new Error("a sparse query has checked weights");
      const bytes = engine.read(engine.exports.sparse_hits(), count * HIT_BYTES);
      const view = new DataView(bytes.buffer);
      return Array.from({ length: count }, (_, i) => ({
        id: toHex(bytes.subarray(i * HIT_BYTES, i * HIT_BYTES + ID_BYTES)),
        score: Number(view.getBigUint64(i * HIT_BYTES + ID_BYTES, true)),
      }));
    });
  }
}

function badEntry(id: Uint8Array): SelfsameError {
  return new SelfsameError(
    "DATABASE_CORRUPT",
    `expected known terms with weights from 1 to 1048575, got others in the sparse vector of chunk ${toHex(id)}`,
    "Restore a copy, or ingest the chunks again",
  );
}
