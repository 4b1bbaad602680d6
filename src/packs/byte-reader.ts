import { packDamaged } from "./damage.ts";

/** Reads exact numbers of bytes from a stream. It holds what was asked for and one piece of the stream. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);
  #position = 0;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  /** The number of bytes that were read. */
  get position(): number {
    return this.#position;
  }

  /**
   * Returns the next `count` bytes. Memory grows with what the stream gives, not with `count`.
   *
   * @throws {SelfsameError} PACK_DAMAGED if the stream ends before
   */
  async read(count: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let missing = count;
    while (missing > 0) {
      if (this.#piece.length === 0 && !(await this.#next()))
        throw packDamaged(`${count} bytes at ${this.#position}`, `the end after ${count - missing}`);
      const part = this.#piece.subarray(0, missing);
      this.#piece = this.#piece.subarray(part.length);
      parts.push(part);
      missing -= part.length;
    }
    this.#position += count;
    return parts.length === 1 ? parts[0]! : concat(parts, count);
  }

  /** Returns whether no byte is left. */
  async isAtEnd(): Promise<boolean> {
    return this.#piece.length === 0 && !(await this.#next());
  }

  /** Lets go of the stream. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #next(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#pieces.next();
      if (done === true) return false;
      if (!(value instanceof Uint8Array)) throw packDamaged("a stream of bytes", `a ${typeof value}`);
      this.#piece = value;
      if (value.length > 0) return true;
    }
  }
}

export function concat(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
