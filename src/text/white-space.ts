/** White_Space by the pinned Unicode version: nothing depends on the host. SPEC §11.1 */

/** Returns whether a code point is one of the 25 that are White_Space. */
export function isWhiteSpace(codePoint: number): boolean {
  if (codePoint <= 0x20) return codePoint === 0x20 || (codePoint >= 0x09 && codePoint <= 0x0d);
  if (codePoint < 0x1680) return codePoint === 0x85 || codePoint === 0xa0;
  if (codePoint >= 0x2000 && codePoint <= 0x200a) return true;
  return (
    codePoint === 0x1680 ||
    codePoint === 0x2028 ||
    codePoint === 0x2029 ||
    codePoint === 0x202f ||
    codePoint === 0x205f ||
    codePoint === 0x3000
  );
}

/** Matches one White_Space character of a string. */
export const WHITE_SPACE = new RegExp(
  `[${Array.from({ length: 0x3001 }, (_, c) => (isWhiteSpace(c) ? String.fromCharCode(c) : "")).join("")}]`,
);

/** Returns the length in bytes of the White_Space character that starts at `at`, or 0 if there is none. */
export function spaceAt(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return at < end && isWhiteSpace(first) ? 1 : 0;
  // After C2, the second byte is the code point.
  if (first === 0xc2) return at + 2 <= end && isWhiteSpace(bytes[at + 1]!) ? 2 : 0;
  if (at + 3 > end) return 0;
  return isWhiteSpace(threeBytes(first, bytes[at + 1]!, bytes[at + 2]!)) ? 3 : 0;
}

/** Returns the length in bytes of the White_Space character that ends at `at`, or 0 if there is none. */
export function spaceBefore(bytes: Uint8Array, at: number, start: number): number {
  if (at <= start) return 0;
  const last = bytes[at - 1]!;
  if (last < 0x80) return isWhiteSpace(last) ? 1 : 0;
  if (at - 2 >= start && bytes[at - 2] === 0xc2 && isWhiteSpace(last)) return 2;
  return at - 3 >= start && isWhiteSpace(threeBytes(bytes[at - 3]!, bytes[at - 2]!, last)) ? 3 : 0;
}

/** Returns the position of the first byte from `start` on that is not White_Space, or `end` if all are. */
export function skipSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const length = spaceAt(bytes, at, end);
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** Returns the end of `[start, end)` without its trailing White_Space. */
export function trimSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  for (;;) {
    const length = spaceBefore(bytes, at, start);
    if (length === 0) return at;
    at -= length;
  }
}

/** Returns the code point of three bytes, or 0 if they are not one character that starts with E1 to E3. */
function threeBytes(first: number, second: number, third: number): number {
  if (first < 0xe1 || first > 0xe3) return 0;
  return ((first & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
}
