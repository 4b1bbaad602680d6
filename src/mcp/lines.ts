import { Transform, type TransformCallback } from "node:stream";

const NEWLINE = 0x0a;
/** Tab, newline, carriage return, space. */
const BLANKS = [0x09, NEWLINE, 0x0d, 0x20];

/** What becomes of lines. */
export interface LineHandlers {
  /** Called for a line that is longer than the limit. The line is dropped. */
  readonly onTooLong: () => void;
  /** Says whether to pass a line on. */
  readonly accepts: (line: Buffer) => boolean;
}

/**
 * Passes on whole lines, each in one piece: the SDK's reader copies everything it has for every piece that arrives, which took
 * 90 seconds for one line of 64 MB. Blank lines are dropped. The last line need not end with a newline.
 */
export class Lines extends Transform {
  readonly #limit: number;
  readonly #handlers: LineHandlers;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(limit: number, handlers: LineHandlers) {
    super();
    this.#limit = limit;
    this.#handlers = handlers;
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
    if (this.#length > this.#limit) this.#handlers.onTooLong();
    else if (!this.#pieces.every(isBlank)) {
      const line = Buffer.concat(this.#pieces);
      if (this.#handlers.accepts(line)) this.push(line);
    }
    [this.#pieces, this.#length] = [[], 0];
  }
}

function isBlank(piece: Buffer): boolean {
  return piece.every((byte) => BLANKS.includes(byte));
}
