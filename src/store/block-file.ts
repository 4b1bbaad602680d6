import type { SyncFile } from "./sync-file.ts";

/** Few enough pages to rewrite when one has changed; enough that a large file does not become too many records. */
export const BLOCK_BYTES = 64 << 10;

/** A file in memory, in blocks. It records which blocks have changed since the last `takeChanged`. */
export class BlockFile implements SyncFile {
  #blocks: Uint8Array<ArrayBuffer>[] = [];
  #size = 0;
  #changed = new Set<number>();

  read(buffer: Uint8Array, { at }: { readonly at: number }): number {
    const end = Math.min(at + buffer.length, this.#size);
    for (let from = at; from < end; ) {
      const to = Math.min(end, blockEnd(from));
      const block = this.#blocks[Math.floor(from / BLOCK_BYTES)]!;
      buffer.set(block.subarray(from % BLOCK_BYTES, (from % BLOCK_BYTES) + to - from), from - at);
      from = to;
    }
    return Math.max(0, end - at);
  }

  write(buffer: Uint8Array, { at }: { readonly at: number }): number {
    const end = at + buffer.length;
    if (end > this.#size) this.truncate(end);
    for (let from = at; from < end; ) {
      const to = Math.min(end, blockEnd(from));
      const index = Math.floor(from / BLOCK_BYTES);
      this.#blocks[index]!.set(buffer.subarray(from - at, to - at), from % BLOCK_BYTES);
      this.#changed.add(index);
      from = to;
    }
    return buffer.length;
  }

  /** Truncates the file, or extends it with zeros. */
  truncate(size: number): void {
    const count = Math.ceil(size / BLOCK_BYTES);
    if (size < this.#size && size % BLOCK_BYTES !== 0) {
      this.#blocks[count - 1]!.fill(0, size % BLOCK_BYTES);
      this.#changed.add(count - 1);
    }
    for (let index = this.#blocks.length; index < count; index++) {
      this.#blocks.push(new Uint8Array(BLOCK_BYTES));
      this.#changed.add(index);
    }
    this.#blocks.length = count;
    this.#size = size;
  }

  getSize(): number {
    return this.#size;
  }

  flush(): void {}

  close(): void {}

  /** Returns the blocks that have changed since the last call. */
  takeChanged(): ReadonlyMap<number, Uint8Array<ArrayBuffer>> {
    const changed = [...this.#changed].filter((index) => index < this.#blocks.length);
    this.#changed = new Set();
    return new Map(changed.map((index) => [index, this.#blocks[index]!]));
  }

  /** True if `takeChanged` would return anything. */
  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Loads a stored block, which does not count as a change. */
  load(index: number, block: Uint8Array<ArrayBuffer>): void {
    this.#blocks[index] = block;
  }

  /** Sets the total size of the loaded blocks. */
  loaded(size: number): void {
    this.#size = size;
    this.#blocks.length = Math.ceil(size / BLOCK_BYTES);
    this.#changed = new Set();
  }
}

function blockEnd(at: number): number {
  return (Math.floor(at / BLOCK_BYTES) + 1) * BLOCK_BYTES;
}
