import type { Highlight } from "../index.ts";

/**
 * Converts ranges of UTF-8 bytes, ascending and apart, to ranges of UTF-16 units: `text.slice(...range)` is then what the bytes
 * are.
 */
export function utf16Ranges(text: string, ranges: readonly Highlight[]): [start: number, end: number][] {
  let bytes = 0;
  let at = 0;
  const unitAt = (byte: number): number => {
    while (bytes < byte && at < text.length) {
      const code = text.codePointAt(at)!;
      bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      at += code < 0x10000 ? 1 : 2;
    }
    return at;
  };
  return ranges.map(({ start, end }) => [unitAt(start), unitAt(end)]);
}
