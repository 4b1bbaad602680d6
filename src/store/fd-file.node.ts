import type * as nodeFs from "node:fs";
import type { SyncFile } from "./sync-file.ts";

type FileFunctions = Pick<
  typeof nodeFs,
  "closeSync" | "fstatSync" | "fsyncSync" | "ftruncateSync" | "readSync" | "writeSync"
>;

/** An open file of node:fs. */
export class FdFile implements SyncFile {
  readonly fd: number;
  readonly #fs: FileFunctions;

  constructor(fd: number, fs: FileFunctions) {
    this.fd = fd;
    this.#fs = fs;
  }

  /** Reads until the target is full or the file ends. */
  read(target: Uint8Array, { at }: { readonly at: number }): number {
    let done = 0;
    while (done < target.byteLength) {
      const count = this.#fs.readSync(this.fd, target, done, target.byteLength - done, at + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  /** Writes all of the source, or throws. */
  write(source: Uint8Array, { at }: { readonly at: number }): number {
    let done = 0;
    while (done < source.byteLength) {
      done += this.#fs.writeSync(this.fd, source, done, source.byteLength - done, at + done);
    }
    return done;
  }

  truncate(size: number): void {
    this.#fs.ftruncateSync(this.fd, size);
  }

  getSize(): number {
    return this.#fs.fstatSync(this.fd).size;
  }

  flush(): void {
    this.#fs.fsyncSync(this.fd);
  }

  close(): void {
    this.#fs.closeSync(this.fd);
  }
}
