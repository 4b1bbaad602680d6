/** Bit prefixes of document ids: texts of 0 to 128 characters `0` and `1`, the highest bit of the first byte first. SPEC §10.10 */
import { ID_BYTES } from "../engine/digest.ts";

export const PREFIX_BITS_MAX = ID_BYTES * 8;

/** Returns the bit of an id at a depth, 0 or 1. */
export function bitAt(id: Uint8Array, depth: number): 0 | 1 {
  return ((id[depth >> 3]! >> (7 - (depth & 7))) & 1) as 0 | 1;
}

/** Returns whether the id starts with the prefix. */
export function isBelow(id: Uint8Array, prefix: string): boolean {
  for (let depth = 0; depth < prefix.length; depth++)
    if (bitAt(id, depth) !== (prefix.charCodeAt(depth) & 1)) return false;
  return true;
}

export function isPrefix(text: unknown): text is string {
  return typeof text === "string" && text.length <= PREFIX_BITS_MAX && /^[01]*$/.test(text);
}

/** Returns the least and the greatest id below the prefix. */
export function idRange(prefix: string): [first: Uint8Array, last: Uint8Array] {
  const first = prefixBytes(prefix);
  const last = first.slice();
  for (let depth = prefix.length; depth < PREFIX_BITS_MAX; depth++) last[depth >> 3]! |= 128 >> (depth & 7);
  return [first, last];
}

/** Returns the prefix as 16 bytes, filled up with zero bits. */
export function prefixBytes(prefix: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(ID_BYTES);
  for (let depth = 0; depth < prefix.length; depth++)
    if (prefix[depth] === "1") bytes[depth >> 3]! |= 128 >> (depth & 7);
  return bytes;
}
