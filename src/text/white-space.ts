/**
 * White_Space in UTF-8, without asking the host's Unicode: the 25 code points U+0009–000D, 0020, 0085, 00A0, 1680,
 * 2000–200A, 2028, 2029, 202F, 205F and 3000. SPEC §11.1
 */

/** The bytes of the White_Space character that begins at `at`, 0 if none does. */
export function spaceAt(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return at < end && isAsciiSpace(first) ? 1 : 0;
  if (first === 0xc2) return at + 2 <= end && isSpace2(bytes[at + 1]!) ? 2 : 0;
  if (first < 0xe1 || first > 0xe3 || at + 3 > end) return 0;
  return isSpace3(first, bytes[at + 1]!, bytes[at + 2]!) ? 3 : 0;
}

/** The bytes of the White_Space character that ends at `at`, 0 if none does. */
export function spaceBefore(bytes: Uint8Array, at: number, start: number): number {
  if (at <= start) return 0;
  const last = bytes[at - 1]!;
  if (last < 0x80) return isAsciiSpace(last) ? 1 : 0;
  if (at - 2 >= start && bytes[at - 2] === 0xc2 && isSpace2(last)) return 2;
  return at - 3 >= start && isSpace3(bytes[at - 3]!, bytes[at - 2]!, last) ? 3 : 0;
}

/** The first byte from `start` on that is not White_Space, `end` if all is. */
export function skipSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const length = spaceAt(bytes, at, end);
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** The end of `[start, end)` without the White_Space at its end. */
export function trimSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  for (;;) {
    const length = spaceBefore(bytes, at, start);
    if (length === 0) return at;
    at -= length;
  }
}

function isAsciiSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function isSpace2(second: number): boolean {
  return second === 0x85 || second === 0xa0;
}

function isSpace3(first: number, second: number, third: number): boolean {
  if (first === 0xe2) {
    if (second === 0x81) return third === 0x9f;
    if (second !== 0x80) return false;
    return (third >= 0x80 && third <= 0x8a) || third === 0xa8 || third === 0xa9 || third === 0xaf;
  }
  if (first === 0xe1) return second === 0x9a && third === 0x80;
  return first === 0xe3 && second === 0x80 && third === 0x80;
}
