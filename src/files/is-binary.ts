/** As git looks for a NUL to tell binary files. */
const LOOK_BYTES = 8000;

/** Whether a file is no text in UTF-8: it has a NUL near its beginning. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, LOOK_BYTES).includes(0);
}
