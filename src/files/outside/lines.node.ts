import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { badFile, type Place } from "./bad-file.ts";

/** A longer line is refused. A vector of 4,096 numbers has about 90,000 bytes. */
export const LINE_BYTES_MAX = 32 << 20;

const READ_BYTES = 1 << 20;
const LF = 10;
const CR = 13;

/** A line of a text file, without its end. */
export interface Line extends Place {
  readonly text: string;
  /** How many bytes of the unpacked file end with this line. */
  readonly bytes: number;
}

/**
 * Yields the lines of a file in UTF-8, plain or gzip, without empty ones. Memory is bounded by the longest line.
 *
 * @throws {SelfsameError} BAD_OUTSIDE_DATA with file and line for a line that is too long or not UTF-8, and for gzip data
 * that are damaged or cut
 */
export async function* linesOf(file: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let position = 0;
  const line = (end: Uint8Array): Line | null => {
    number++;
    const bytes = held.length === 0 ? end : Buffer.concat([...held, end]);
    [held, heldBytes] = [[], 0];
    position += bytes.length + 1;
    if (bytes.length > LINE_BYTES_MAX) throw tooLong(file, number);
    const at = { file, at: `line ${number}` };
    const text = decoded(decoder, bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes, at);
    return text.trim() === "" ? null : { ...at, text, bytes: position };
  };
  for await (const piece of piecesOf(file, () => number)) {
    let from = 0;
    for (let to = piece.indexOf(LF); to >= 0; to = piece.indexOf(LF, from)) {
      const found = line(piece.subarray(from, to));
      if (found !== null) yield found;
      from = to + 1;
    }
    if (from === piece.length) continue;
    held.push(piece.subarray(from));
    heldBytes += piece.length - from;
    if (heldBytes > LINE_BYTES_MAX) throw tooLong(file, number + 1);
  }
  if (heldBytes === 0) return;
  const last = line(new Uint8Array(0));
  if (last !== null) yield last;
}

async function* piecesOf(file: string, lines: () => number): AsyncGenerator<Buffer> {
  const source = createReadStream(file, { highWaterMark: READ_BYTES });
  const isPacked = isGzip(file);
  const stream: Readable = isPacked ? source.pipe(createGunzip({ chunkSize: READ_BYTES })) : source;
  // An error of the source does not end the unpacked stream by itself.
  if (isPacked) source.on("error", (error) => stream.destroy(error));
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code?.startsWith("Z_") !== true) throw cause;
    throw badFile({ file, at: `after line ${lines()}` }, "gzip data to the end", message, cause);
  } finally {
    source.destroy();
    stream.destroy();
  }
}

function isGzip(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const start = new Uint8Array(2);
    return readSync(descriptor, start, 0, 2, 0) === 2 && start[0] === 0x1f && start[1] === 0x8b;
  } finally {
    closeSync(descriptor);
  }
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, place: Place): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw badFile(place, "UTF-8", "other bytes", cause);
  }
}

function tooLong(file: string, number: number): Error {
  return badFile({ file, at: `line ${number}` }, `a line of at most ${LINE_BYTES_MAX} bytes`, "a longer one");
}
