import { ID_BYTES } from "../../engine/digest.ts";
import { compareBytes } from "../../identity/tree-node.ts";

/** Ids in 16 bytes each: a set of a million takes 16 MB, where a Set of strings takes 100. */
export class IdList {
  #bytes = new Uint8Array(1024 * ID_BYTES);
  #count = 0;
  #isSorted = true;

  get size(): number {
    return this.#count;
  }

  add(id: Uint8Array): void {
    if ((this.#count + 1) * ID_BYTES > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (this.#count > 0 && compareBytes(this.#at(this.#count - 1), id) > 0) this.#isSorted = false;
    this.#bytes.set(id, this.#count++ * ID_BYTES);
  }

  has(id: Uint8Array): boolean {
    this.#sort();
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = compareBytes(this.#at(middle), id);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return false;
  }

  /** Returns whether an id is there twice. */
  hasTwice(): boolean {
    this.#sort();
    for (let i = 1; i < this.#count; i++) if (compareBytes(this.#at(i - 1), this.#at(i)) === 0) return true;
    return false;
  }

  #at(i: number): Uint8Array {
    return this.#bytes.subarray(i * ID_BYTES, (i + 1) * ID_BYTES);
  }

  #sort(): void {
    if (this.#isSorted) return;
    const ids = Array.from({ length: this.#count }, (_, i) => this.#at(i)).sort(compareBytes);
    const sorted = new Uint8Array(this.#bytes.length);
    for (const [i, id] of ids.entries()) sorted.set(id, i * ID_BYTES);
    this.#bytes = sorted;
    this.#isSorted = true;
  }
}
