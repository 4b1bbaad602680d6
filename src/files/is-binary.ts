/** As git looks for a NUL to tell binary files. */
const LOOK_BYTES = 8000;

/** Whether a file is no text in UTF-8: it has a NUL near its beginning, or the mark that begins UTF-16. */
export function isBinary(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isUtf16 || bytes.subarray(0, LOOK_BYTES).includes(0);
}
