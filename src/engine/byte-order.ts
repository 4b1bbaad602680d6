/** Engine memory is little-endian on every device. Typed arrays over it read in the byte order of the host. */
export const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * Returns the 32-bit numbers of little-endian bytes, in the same buffer. The bytes must be the caller's copy: they may
 * be changed.
 */
export function wordsOf(bytes: Uint8Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  if (!IS_LITTLE_ENDIAN) {
    for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
  }
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

/** Returns the bytes of a vector, little-endian on every host. On a little-endian host this is a view. */
export function littleEndianBytes(vector: Int16Array): Uint8Array {
  const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  return IS_LITTLE_ENDIAN ? bytes : swappedPairs(bytes);
}

/** Returns the vector of little-endian bytes, as a copy. */
export function vectorOf(bytes: Uint8Array): Int16Array<ArrayBuffer> {
  const copy = IS_LITTLE_ENDIAN ? new Uint8Array(bytes) : swappedPairs(bytes);
  return new Int16Array(copy.buffer);
}

/** Reads little-endian bytes into a reusable vector if it has the right length, else into a new one. */
export function vectorInto(vector: Int16Array, bytes: Uint8Array): Int16Array {
  if (bytes.length !== vector.byteLength || !IS_LITTLE_ENDIAN) return vectorOf(bytes);
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength).set(bytes);
  return vector;
}

/** Returns a copy in which the two bytes of each 16-bit number are swapped. */
function swappedPairs(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes.length);
  for (let i = 0; i < copy.length; i += 2) {
    copy[i] = bytes[i + 1]!;
    copy[i + 1] = bytes[i]!;
  }
  return copy;
}

/** Writes four bytes, little-endian, and returns the position after them. */
export function writeU32(out: Uint8Array, at: number, value: number): number {
  out[at] = value;
  out[at + 1] = value >>> 8;
  out[at + 2] = value >>> 16;
  out[at + 3] = value >>> 24;
  return at + 4;
}
