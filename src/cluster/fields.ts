const LENGTH_BYTES = 4;

/**
 * Returns the fields of bytes in which each stands after its length (SPEC §12.1), as views; null if they do not end where
 * the bytes end, or are more than `most`.
 */
export function readFields(bytes: Uint8Array, most: number): Uint8Array[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (fields.length === most || at + LENGTH_BYTES > bytes.length) return null;
    const length = view.getUint32(at, true);
    at += LENGTH_BYTES;
    if (length > bytes.length - at) return null;
    fields.push(bytes.subarray(at, at + length));
    at += length;
  }
  return fields;
}
