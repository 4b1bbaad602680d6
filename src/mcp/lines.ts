import { Transform, type TransformCallback } from "node:stream";

const NEWLINE = 0x0a;
/** Tab, newline, carriage return, space. */
const BLANKS = [0x09, NEWLINE, 0x0d, 0x20];

/**
 * Passes on whole lines, each in one piece: the SDK's reader copies all it has for every piece that comes, which took a
 * minute and a half for one line of 64 MB. A line that is longer than `limit` bytes is dropped, and told; a blank one is
 * dropped; the last one need not end.
 */
export class Lines extends Transform {
  readonly #limit: number;
  readonly #onTooLong: () => void;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(limit: number, onTooLong: () => void) {
    super();
    this.#limit = limit;
    this.#onTooLong = onTooLong;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      this.#keep(piece.subarray(from, end + 1));
      this.#endLine();
      from = end + 1;
    }
    this.#keep(piece.subarray(from));
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#length > 0) {
      this.#keep(Buffer.of(NEWLINE));
      this.#endLine();
    }
    done();
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= this.#limit) this.#pieces.push(part);
    else this.#pieces = [];
  }

  #endLine(): void {
    if (this.#length > this.#limit) this.#onTooLong();
    else if (!this.#pieces.every(isBlank)) this.push(Buffer.concat(this.#pieces));
    [this.#pieces, this.#length] = [[], 0];
  }
}

function isBlank(piece: Buffer): boolean {
  return piece.every((byte) => BLANKS.includes(byte));
}
