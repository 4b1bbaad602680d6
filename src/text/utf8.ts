/** Characters of well-formed UTF-8, which canonical text is. SPEC §11.1 */

/** Returns the length in bytes of the character with this first byte. */
export function characterBytes(first: number): number {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

export function codePointAt(text: Uint8Array, at: number): number {
  const first = text[at]!;
  if (first < 0x80) return first;
  const second = text[at + 1]! & 0x3f;
  if (first < 0xe0) return ((first & 0x1f) << 6) | second;
  const third = text[at + 2]! & 0x3f;
  if (first < 0xf0) return ((first & 0x0f) << 12) | (second << 6) | third;
  return ((first & 0x07) << 18) | (second << 12) | (third << 6) | (text[at + 3]! & 0x3f);
}

/** Returns the last start of a character at or before `at`. */
export function characterStart(text: Uint8Array, at: number): number {
  let start = at;
  while (start < text.length && (text[start]! & 0xc0) === 0x80) start--;
  return start;
}
