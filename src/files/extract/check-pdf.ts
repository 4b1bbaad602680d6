import { Unzlib } from "fflate";
import { ExtractFault } from "./extract-fault.ts";

const STREAM_MAX = 256 << 20;
/** Deflate makes at most 1,032 bytes of one, so shorter streams stay below the limit. */
const SUSPECT_BYTES = Math.floor(STREAM_MAX / 1032);
const STEP_BYTES = 1 << 16;
const PACKINGS = /\/(?:FlateDecode|LZWDecode|Fl|LZW)\b/g;

/**
 * Refuses a file with a stream that would fill the memory when it is unpacked: pdfjs has no limit.
 *
 * @throws {ExtractFault}
 */
export function checkPdf(bytes: Uint8Array): void {
  const head = asciiOf(bytes.subarray(0, 1024));
  if (!head.includes("%PDF-")) throw new ExtractFault("expected a PDF, got other bytes");
  for (let at = indexOf(bytes, STREAM, 0); at >= 0; ) {
    const dictionary = asciiOf(bytes.subarray(Math.max(0, at - 512), at));
    const filters = /\/Filter\s*\[([^\]]*)\][^\]]*$/.exec(dictionary)?.[1] ?? "";
    if ((filters.match(PACKINGS)?.length ?? 0) > 1)
      throw new ExtractFault("a stream is packed more than once");
    const end = indexOf(bytes, END, at);
    const to = end < 0 ? bytes.length : end;
    if (to - at > SUSPECT_BYTES) checkStream(bytes.subarray(at + STREAM.length, to));
    at = end < 0 ? -1 : indexOf(bytes, STREAM, end + END.length);
  }
}

function checkStream(bytes: Uint8Array): void {
  let start = 0;
  while (bytes[start] === 0x0d || bytes[start] === 0x0a) start++;
  // Not packed by deflate: pictures are as large as they are.
  if (((bytes[start] ?? 0) & 0x0f) !== 8 || ((bytes[start]! << 8) | (bytes[start + 1] ?? 0)) % 31 !== 0)
    return;
  let total = 0;
  const unpack = new Unzlib((piece) => {
    total += piece.length;
  });
  try {
    for (let from = start; from < bytes.length && total <= STREAM_MAX; from += STEP_BYTES)
      unpack.push(bytes.subarray(from, from + STEP_BYTES));
  } catch {
    // Broken, or encrypted: what comes out of it is what came so far.
  }
  if (total > STREAM_MAX) throw new ExtractFault(`a stream has more than ${STREAM_MAX} bytes when unpacked`);
}

const STREAM = bytesOf("stream");
const END = bytesOf("endstream");

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

function asciiOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(wanted[0]!, from); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1)) {
    let i = 1;
    while (i < wanted.length && bytes[at + i] === wanted[i]) i++;
    if (i === wanted.length) return at;
  }
  return -1;
}
