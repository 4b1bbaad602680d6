/** Engine memory is little-endian on every device; typed arrays over it read in the order of the host. */
export const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The 32-bit numbers of little-endian bytes, in the same buffer: the caller's own copy, which may be changed. */
export function wordsOf(bytes: Uint8Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  if (!IS_LITTLE_ENDIAN) {
    for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
  }
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}
