import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { SelfsameError } from "../index.ts";

type Pieces = AsyncIterator<Uint8Array>;

/** More than this goes to a file. */
const MEMORY_BYTES = 1 << 20;
const READ_BYTES = 1 << 18;

/**
 * A body that can be read as it arrives, or received as a whole first. A namespace must not be held while a slow client
 * sends: what is written as a whole is received as a whole, in a file if it is large, and only then is the namespace used.
 */
export class SpooledBody {
  readonly #source: Pieces;
  readonly #folder: string;
  #held: Uint8Array[] | null = [];
  #heldBytes = 0;
  #file: FileHandle | null = null;

  /** @param folder where a large body is kept; its file has no name there once it is open, so nothing can be left behind */
  constructor(source: AsyncIterable<Uint8Array>, folder: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.#folder = folder;
  }

  /** Yields the pieces as they come. They are kept for `receive` until `forget` is called. */
  async *arriving(): AsyncGenerator<Uint8Array> {
    for (let next = await this.#source.next(); next.done !== true; next = await this.#source.next()) {
      this.#held?.push(next.value);
      yield next.value;
    }
  }

  /** Keeps nothing: the pieces are read only once, as they come. */
  forget(): void {
    this.#held = null;
  }

  /** Waits for the rest of the body. Then all of it can be read, from its first byte. */
  async receive(): Promise<void> {
    const held = this.#held ?? [];
    for (const piece of held) this.#heldBytes += piece.length;
    for (let next = await this.#source.next(); next.done !== true; next = await this.#source.next()) {
      held.push(next.value);
      this.#heldBytes += next.value.length;
      if (this.#heldBytes > MEMORY_BYTES) await this.#writeOut(held);
    }
    if (this.#file !== null) await this.#writeOut(held);
  }

  /** Yields what was received. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    if (this.#file === null) return yield* this.#held ?? [];
    for (let at = 0; ; ) {
      const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async close(): Promise<void> {
    this.#held = null;
    await this.#file?.close();
    this.#file = null;
  }

  async #writeOut(held: Uint8Array[]): Promise<void> {
    try {
      this.#file ??= await openUnnamed(this.#folder);
      for (const piece of held.splice(0)) await writeAll(this.#file, piece);
      this.#heldBytes = 0;
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      if (code !== "ENOSPC" && code !== "EDQUOT") throw cause;
      throw new SelfsameError(
        "DISK_FULL",
        `expected space for the body of the request, got ${message}`,
        "Free some space, or send less in one request. Nothing was written",
        { cause },
      );
    }
  }
}

/** The system deletes the file when it is closed, however the process ends. */
async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, `.body-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
}
