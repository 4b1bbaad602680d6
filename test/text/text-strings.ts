import fc from "fast-check";

/** Strings that are rich in what text handling finds hard: marks of many classes, jamo, controls, spaces, ideographs. */
const between = (first: number, last: number) =>
  fc.integer({ min: first, max: last }).map((c) => String.fromCodePoint(c));

const unit = fc.oneof(
  { weight: 8, arbitrary: between(0x20, 0x7e) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(" ", "\n", "\r", "\t", "\0", "\u00a0", "\u3000", "\u2028", "\u0085"),
  },
  { weight: 3, arbitrary: between(0xa0, 0x24f) },
  { weight: 4, arbitrary: between(0x300, 0x36f) },
  { weight: 2, arbitrary: between(0x370, 0x52f) },
  { weight: 2, arbitrary: between(0x590, 0x6ff) },
  { weight: 2, arbitrary: between(0x900, 0xdff) },
  { weight: 2, arbitrary: between(0x1100, 0x11ff) },
  { weight: 1, arbitrary: between(0x1e00, 0x1fff) },
  { weight: 1, arbitrary: between(0x2000, 0x22ff) },
  { weight: 2, arbitrary: between(0x3000, 0x30ff) },
  { weight: 1, arbitrary: between(0x4e00, 0x9fff) },
  { weight: 2, arbitrary: between(0xac00, 0xd7a3) },
  { weight: 1, arbitrary: between(0xf900, 0xffff) },
  { weight: 1, arbitrary: between(0x11000, 0x116ff) },
  { weight: 1, arbitrary: between(0x1d100, 0x1d1ff) },
  { weight: 1, arbitrary: between(0x20000, 0x2fa1f) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("\u302e", "\u302f", "\u{1d165}", "\u{1d16d}", "\u{16ff0}", "\u1b44"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("\u{113c2}", "\u{113c5}", "\u{11382}", "\u{16d63}", "\u{16d67}", "\u{16121}"),
  },
  { weight: 1, arbitrary: fc.constantFrom("\ufeff", "\u200b", "\u200d", "\u00ad", "\ufffd", "\ue000") },
  { weight: 1, arbitrary: between(0, 0x10ffff) },
);

export const hardStrings = (maxLength: number) => fc.string({ unit, maxLength });

/** Bytes in which well-formed sequences, their parts and bytes that never occur are mixed. */
export const hardBytes = (maxLength: number) =>
  fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: 0, max: 0x7f }).map((byte) => [byte]) },
        { weight: 3, arbitrary: fc.integer({ min: 0x80, max: 0xff }).map((byte) => [byte]) },
        { weight: 2, arbitrary: fc.constantFrom([0xe0], [0xed], [0xf0], [0xf4], [0xef, 0xbb], [0xf0, 0x9f]) },
        { weight: 2, arbitrary: hardStrings(2).map((text) => [...new TextEncoder().encode(text)]) },
      ),
      { maxLength },
    )
    .map((parts) => Uint8Array.from(parts.flat()));
