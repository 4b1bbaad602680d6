import { ID_BYTES, toHex } from "../engine/digest.ts";

const PAIR_BYTES = 2 * ID_BYTES;
const SLACK = 1024; // entries that are not live before the list is written again

/**
 * The document of each id of a segment, as one growing array of pairs: 32 bytes an id, where a Map would take six times
 * as much. It is read as a whole, when a segment is split or merged.
 */
export class Owners {
  #pairs = new Uint8Array(64 * PAIR_BYTES);
  #count = 0;
  /** Pairs that were removed, in hexadecimal. */
  readonly #gone = new Set<string>();

  note(documentId: Uint8Array, id: Uint8Array): void {
    if (this.#gone.size > 0 && this.#gone.delete(keyOf(documentId, id))) return;
    if ((this.#count + 1) * PAIR_BYTES > this.#pairs.length) {
      const grown = new Uint8Array(this.#pairs.length * 2);
      grown.set(this.#pairs);
      this.#pairs = grown;
    }
    this.#pairs.set(documentId, this.#count * PAIR_BYTES);
    this.#pairs.set(id, this.#count * PAIR_BYTES + ID_BYTES);
    this.#count++;
  }

  remove(documentId: Uint8Array, id: Uint8Array): void {
    this.#gone.add(keyOf(documentId, id));
    if (this.#gone.size > SLACK && this.#gone.size * 2 > this.#count) this.#compact();
  }

  /** Calls back with each pair. */
  each(take: (documentId: Uint8Array, id: Uint8Array) => void): void {
    for (const [documentId, id] of this.#live()) take(documentId, id);
  }

  /** Divides the pairs by a bit of their documents' ids. */
  divided(depth: number): [Owners, Owners] {
    const halves: [Owners, Owners] = [new Owners(), new Owners()];
    for (const half of halves) half.#pairs = new Uint8Array(Math.max(1, this.#count) * PAIR_BYTES);
    for (let at = 0; at < this.#count * PAIR_BYTES; at += PAIR_BYTES) {
      const half = halves[(this.#pairs[at + (depth >> 3)]! >> (7 - (depth & 7))) & 1]!;
      half.#pairs.set(this.#pairs.subarray(at, at + PAIR_BYTES), half.#count++ * PAIR_BYTES);
    }
    for (const key of this.#gone) {
      const digit = Number.parseInt(key[depth >> 2]!, 16);
      halves[((digit >> (3 - (depth & 3))) & 1) as 0 | 1].#gone.add(key);
    }
    return halves;
  }

  /** Returns the document if all ids belong to one, null if they belong to several. */
  soleDocument(): Uint8Array | null {
    let sole: Uint8Array | null = null;
    for (const [documentId] of this.#live()) {
      sole ??= documentId;
      for (let i = 0; i < ID_BYTES; i++) if (documentId[i] !== sole[i]) return null;
    }
    return sole;
  }

  *#live(): Generator<[documentId: Uint8Array, id: Uint8Array]> {
    for (let at = 0; at < this.#count * PAIR_BYTES; at += PAIR_BYTES) {
      const documentId = this.#pairs.subarray(at, at + ID_BYTES);
      const id = this.#pairs.subarray(at + ID_BYTES, at + PAIR_BYTES);
      if (this.#gone.size === 0 || !this.#gone.has(keyOf(documentId, id))) yield [documentId, id];
    }
  }

  #compact(): void {
    const left = new Owners();
    this.each((documentId, id) => left.note(documentId, id));
    this.#pairs = left.#pairs;
    this.#count = left.#count;
    this.#gone.clear();
  }
}

function keyOf(documentId: Uint8Array, id: Uint8Array): string {
  return toHex(documentId) + toHex(id);
}
