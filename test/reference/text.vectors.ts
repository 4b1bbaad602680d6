// test-vectors/text.json: `npm run vectors -- text`.

import { SENTENCES } from "./languages.ts";
import { canonicalPath, canonicalText, codePoints, encode, nfc, nfd } from "./text.ts";
import { MARKS_NEW_IN_17 } from "./unicode.ts";

const points = (text: string) => Array.from(text, (character) => character.codePointAt(0)!);
const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const printed = (text: readonly number[]) =>
  text.map((c) => c.toString(16).toUpperCase().padStart(4, "0")).join(" ");

const TEXTS: readonly [name: string, text: string][] = [
  ["empty", ""],
  ["one letter", "a"],
  ["ends in a newline", "a\n"],
  ["ends in many newlines", "a\n\n\n"],
  ["begins with newlines, which stay", "\n\na"],
  ["CRLF, CR, LF", "a\r\nb\rc\nd\r\n\r\ne\n\rf\r\r\n"],
  ["only white space", " \t\n \u3000\u2028\r\n"],
  ["only a newline", "\n"],
  ["white space at the end of lines", "a \t\nb\u00a0\u2003\n\n  c\u3000 \u2029\nd\u200b\n"],
  ["form feed, vertical tab and U+0085 are no line ends but white space", "a\fb\vc\u0085d\n\fe\f\n"],
  ["white space inside a line stays", "a  b\t\tc"],
  ["white space under a mark stays", "a \u0301\nb"],
  ["a mark after a newline", "a\n\u0301b"],
  ["NUL", "a\0b\0"],
  ["only NUL", "\0"],
  ["BOM", "\ufeffa"],
  ["two BOMs", "\ufeff\ufeffa"],
  ["BOM inside", "a\ufeffb"],
  ["BOM after white space", " \ufeffa"],
  ["BOM alone", "\ufeff"],
  ["composes", "e\u0301 a\u030a o\u0302\u0301 \u1100\u1161\u11a8"],
  ["singletons", "\u212b \u2126 \u212a \u037e \u2000|\u2001 \uf900 \u{2f800}"],
  ["a singleton space at the end of a line", "a\u2000\nb\u2001"],
  ["excluded from composition", "\u0958 \u0915\u093c \ufb1d \u{1d160}"],
  ["marks out of order", "a\u0323\u0307 a\u0307\u0323 q\u0307\u0323 \u05d1\u05bc\u05b8"],
  ["blocked", "a\u0327\u0301 a\u0301\u0301 a\u030d\u0301 \u1100\u0301\u1161"],
  [
    "composites that begin with a backward composer",
    "\u{113c2}\u{113c2}\u{113c2} \u{113c5}\u{113c2} a\u{113c5}",
  ],
  ["marks first", "\u0301\u0323a"],
  ["Hangul", "\uac00\u11a8 \uac01\u11a8 \u1100\uac00 \u1112\u1175\u11c2\u11c2 \u1161\u11a8"],
  ["astral", "\u{1f600} \u{10ffff} \u{10000}"],
  ["forty marks in a row", `a${"\u0301\u0323\u0345\u0334".repeat(10)}b`],
  ...Object.entries(SENTENCES),
  ...Object.entries(SENTENCES)
    .slice(0, 12)
    .map(([name, text]): [string, string] => [
      `${name}, decomposed, with CRLF`,
      String.fromCodePoint(...nfd(points(text.replaceAll(" ", " \r\n")))),
    ]),
];

/** Marks of the classes 240, 232, 220, 218, 230 and 234: where a mark is sorted among them tells its class. */
const SORTED_MARKS = "\u0345\u0315\u0316\u{1dfa}\u0300\u035d";
/** Each mark that Unicode 17.0 added, behind and before marks of other classes. */
const NEW_MARKS: readonly string[] = MARKS_NEW_IN_17.map((c) => String.fromCodePoint(c)).flatMap((mark) => [
  `a${SORTED_MARKS}${mark}b`,
  `a${mark}${SORTED_MARKS}b`,
]);

const BYTES: readonly [name: string, bytes: readonly number[]][] = [
  ["a lone continuation byte", [0x61, 0x80, 0x62]],
  ["bytes that never occur", [0xc0, 0xc1, 0xf5, 0xff, 0xfe]],
  ["overlong solidus", [0xc0, 0xaf, 0xe0, 0x80, 0xaf, 0xf0, 0x80, 0x80, 0xaf]],
  ["overlong just under the limits", [0xc1, 0xbf, 0xe0, 0x9f, 0xbf, 0xf0, 0x8f, 0xbf, 0xbf]],
  ["a surrogate in three bytes", [0xed, 0xa0, 0x80, 0xed, 0xbf, 0xbf]],
  ["CESU-8", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ["beyond U+10FFFF", [0xf4, 0x90, 0x80, 0x80, 0xf5, 0x80, 0x80, 0x80]],
  ["cut short at the end, one byte", [0x61, 0xf0]],
  ["cut short at the end, two bytes", [0x61, 0xf0, 0x9f]],
  ["cut short at the end, three bytes", [0x61, 0xf0, 0x9f, 0x98]],
  ["cut short by a letter", [0xe2, 0x82, 0x41, 0xf1, 0x80, 0x80, 0x42]],
  ["cut short by a lead byte", [0xe2, 0x82, 0xe2, 0x82, 0xac]],
  ["cut short by a newline", [0xe2, 0x82, 0x0a, 0xc3, 0x0d, 0x0a]],
  ["half a BOM", [0xef, 0xbb, 0x61]],
  ["UTF-16 BOM", [0xff, 0xfe, 0x61, 0x00]],
  ["a mark after an ill-formed byte", [0x65, 0xff, 0xcc, 0x81]],
];

const PATHS: readonly string[] = [
  "a",
  "notes/ties.md",
  "e\u0301te\u0301/cafe\u0301.md",
  "\u212bngstrom",
  ".hidden",
  "...",
  "a b/c  d",
  "a:b",
  "ab:/c",
  "名前/文書.md",
];
const BAD_PATHS: readonly string[] = [
  "",
  "/",
  "/a",
  "a/",
  "a//b",
  ".",
  "..",
  "./a",
  "a/./b",
  "a/../b",
  "a\\b",
  "C:/a",
  "a\0b",
];

const UNORDERED: readonly string[] = [
  ..."b a B Z é z ß \ufffd \ue000 \ud7ff \u{10000} \u{10ffff} a\u0301 a\u{10000} aa a\uffff A0 a-b a/b a.b".split(
    " ",
  ),
  "",
  " ",
  "\u007f",
  "\u0080",
  "\u07ff",
  "\u0800",
];

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

export function generate() {
  return {
    _comment:
      "cases: bytes (hex) and their canonical text (hex). forms: code points (hex) and their normal forms. order: strings, ascending. paths: a path and its canonical form; invalid: paths that are refused.",
    spec: "SPEC §5.1, §5.2, §5.3, §5.4, §5.5",
    parameters: { unicode: "17.0.0" },
    cases: [
      ...TEXTS.map(([name, text]) => ({ name, bytes: encode(points(text)) })),
      ...BYTES.map(([name, bytes]) => ({ name, bytes: Uint8Array.from(bytes) })),
    ].map(({ name, bytes }) => ({ name, bytes: hex(bytes), canonical: hex(canonicalText(bytes)) })),
    forms: [
      ...TEXTS.map(([, text]) => text).filter((text) => text.length > 0 && text.length < 80),
      ...NEW_MARKS,
    ]
      .map((text) => codePoints(encode(points(text))))
      .map((text) => ({ text: printed(text), nfc: printed(nfc(text)), nfd: printed(nfd(text)) })),
    order: [...UNORDERED].sort((a, b) => compareBytes(encode(points(a)), encode(points(b)))),
    paths: PATHS.map((path) => ({ path, canonical: canonicalPath(path) })),
    invalid: BAD_PATHS.map((path) => ({ path, code: "BAD_ARGUMENT" })),
  };
}
