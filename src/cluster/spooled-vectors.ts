import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";

/** Vectors by the hash of their text, in a temporary file: those of a million chunks take 768 MB. */
export class SpooledVectors {
  readonly #path: string;
  readonly #file: number;
  readonly #bytes: number;
  readonly #places = new Map<string, number>();

  /** @param path a file that is made, and removed by `close` */
  constructor(path: string, dimension: number) {
    this.#path = path;
    this.#bytes = 2 * dimension;
    this.#file = openSync(path, "wx+", 0o600);
  }

  has(textHash: string): boolean {
    return this.#places.has(textHash);
  }

  put(textHash: string, vector: Uint8Array): void {
    if (this.#places.has(textHash)) return;
    const place = this.#places.size;
    writeSync(this.#file, vector, 0, this.#bytes, place * this.#bytes);
    this.#places.set(textHash, place);
  }

  get(textHash: string): Uint8Array | null {
    const place = this.#places.get(textHash);
    if (place === undefined) return null;
    const vector = new Uint8Array(this.#bytes);
    readSync(this.#file, vector, 0, this.#bytes, place * this.#bytes);
    return vector;
  }

  close(): void {
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}
