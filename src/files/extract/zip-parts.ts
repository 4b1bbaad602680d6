import { Unzip, UnzipInflate } from "fflate";
import { Deadline, ExtractFault } from "./extract-fault.ts";

/** What may come out of one archive: a small file can hold any number of zeros. */
const TOTAL_MAX = 256 << 20;
const PARTS_MAX = 20_000;
const STEP_BYTES = 1 << 16;

/**
 * Unpacks the parts of a zip archive whose names are wanted. Stops as soon as more comes out than any document needs,
 * whatever sizes the archive names.
 *
 * @throws {ExtractFault}
 */
export function zipParts(bytes: Uint8Array, isWanted: (name: string) => boolean): Map<string, Uint8Array> {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b)
    throw new ExtractFault("expected a zip archive, got other bytes");
  const parts = new Map<string, Uint8Array>();
  const deadline = new Deadline();
  let count = 0;
  let total = 0;
  const unzip = new Unzip((part) => {
    if (++count > PARTS_MAX) throw new ExtractFault(`more than ${PARTS_MAX} parts`);
    if (!isWanted(part.name) || parts.has(part.name)) return;
    const pieces: Uint8Array[] = [];
    part.ondata = (error, piece, isLast) => {
      if (error !== null) throw new ExtractFault(`part ${part.name}: ${error.message}`);
      total += piece.length;
      if (total > TOTAL_MAX) throw new ExtractFault(`more than ${TOTAL_MAX} bytes when unpacked`);
      pieces.push(piece);
      if (isLast) parts.set(part.name, joined(pieces));
    };
    part.start();
  });
  unzip.register(UnzipInflate);
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    deadline.check();
    unzip.push(bytes.subarray(from, from + STEP_BYTES), from + STEP_BYTES >= bytes.length);
  }
  return parts;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
