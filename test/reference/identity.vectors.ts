// test-vectors/identity.json: `npm run vectors -- identity`.
import {
  canonicalJson,
  chunkId,
  documentId,
  documentValue,
  type Metadata,
  metadataHash,
  textHash,
} from "./identity.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const PATHS: readonly [namespace: string, path: string][] = [
  ["default", "ties.md"],
  ["default", "notes/ties.md"],
  ["default", "Notes/ties.md"],
  ["default", "日本語/メモ.md"],
  ["work", "ties.md"],
  ["défaut", "ties.md"],
  // Without lengths these two would be one.
  ["ab", "c"],
  ["a", "bc"],
  ["default", "a".repeat(2000)],
];

const FORMATTED: readonly [path: string, format: "markdown" | "code" | "plain"][] = [
  ["ties.md", "markdown"],
  ["ties.md", "plain"],
  ["ties.md", "code"],
  ["ties.html", "code"],
  ["ties.HTML", "markdown"],
  ["book.pdf", "plain"],
  ["Makefile", "code"],
];

const TEXTS = ["", "\n", "a", "a\n", "Same query, same chunks.\n", "漢字かな\n", "x".repeat(5000)];

const HEADINGS: readonly (readonly string[])[] = [
  [],
  ["Guide"],
  ["Guide", "Install", "Linux"],
  ["Guide > Install", "Linux"],
  ["Guide > Install > Linux"],
  ["GuideInstall", "Linux"],
  ["見出し"],
];

const METADATA: readonly Metadata[] = [
  {},
  { modifiedAt: 0 },
  { modifiedAt: 1_700_000_000_000 },
  { modifiedAt: -1 },
  { modifiedAt: Number.MAX_SAFE_INTEGER },
  { modifiedAt: Number.MIN_SAFE_INTEGER },
  { mime: "text/markdown" },
  { metadata: { tags: ["a", "b"], pinned: true } },
  { modifiedAt: 1, mime: "text/plain", metadata: { b: 1, a: { d: null, c: [] } } },
];

const VALUES: readonly (object | string | number | boolean | null)[] = [
  null,
  true,
  false,
  "",
  'quote " backslash \\ slash / del \u007f',
  "\u0000\u0001\b\t\n\u000b\f\r\u001f",
  "é 漢 😀 \u2028 \ufeff",
  [],
  {},
  [[], {}, [null]],
  { b: 1, a: 2, "": 3, A: 4, aa: 5 },
  // By UTF-16 units these two would change places.
  { "\u{10000}": 1, "\uffff": 2, "\ue000": 3, z: 4 },
  { "10": 1, "9": 2, "-1": 3, a: 4 },
  [0, -0, 1, -1, 10, 123456789, 9007199254740991, -9007199254740991, 9007199254740992, 9007199254740994],
  [0.1, -0.5, 1.5, 0.1 + 0.2, 1 / 3, 100.25, 1e-6, 1e-7, 1.5e-9, 123e-20],
  [1e20, 1e21, 123456789012345680000, 1.2345e22, 1e100, 1.7976931348623157e308],
  [5e-324, 2.2250738585072014e-308, 4.9406564584124654e-322, 2 ** -44, 2 ** 89, 9.5e-7],
  // Halfway between two decimals of 17 digits: the even one.
  [2 ** -24, 2 ** -25, 3 * 2 ** -26, 5 * 2 ** -25, 2 ** -26],
];

/** Values beyond JSON are named; the checker makes them. */
const INVALID = [
  "NaN",
  "Infinity",
  "undefined in an array",
  "a hole",
  "a function",
  "a bigint",
  "a Date",
  "a Map",
];
const MORE_INVALID = ["a lone surrogate", "a lone surrogate in a name", "a reversed pair", "65 deep"];

/** SPEC §12 */
export function generate() {
  const documents = PATHS.map(([namespace, path]) => ({
    namespace,
    path,
    id: hex(documentId(namespace, path)),
  }));
  const texts = TEXTS.map((text) => ({ text, hash: hex(textHash(new TextEncoder().encode(text))) }));
  const document = documentId("default", "ties.md");
  const chunk = (sequence: number, headingPath: readonly string[], text: string) => ({
    documentId: hex(document),
    sequence,
    headingPath,
    text,
    id: hex(chunkId(document, sequence, headingPath, textHash(new TextEncoder().encode(text)))),
  });
  return {
    _comment:
      "cases: ids of documents, by namespace and path. texts: hashes of UTF-8. formats: the value in the root (SPEC §13.2) of a document with this path, format and text. chunks: ids; their hash is that of the text. values: canonical JSON (the input is any JSON that reads as the value). metadata: hashes; an absent member is absent. invalid: values that are refused, in words; 65 deep: an empty array inside of 65 others.",
    spec: "SPEC §12",
    parameters: { defaultNamespace: "default" },
    cases: documents,
    texts,
    formats: FORMATTED.map(([path, format]) => {
      const text = "# Ties\n";
      return { path, format, text, value: hex(documentValue(path, format, new TextEncoder().encode(text))) };
    }),
    chunks: [
      ...HEADINGS.map((headingPath) => chunk(0, headingPath, "text")),
      ...[1, 255, 256, 65536, 4294967295].map((sequence) => chunk(sequence, ["Guide"], "text")),
      chunk(0, ["Guide"], "other text"),
    ],
    values: VALUES.map((value) => ({ value: JSON.stringify(value), canonical: canonicalJson(value) })),
    metadata: METADATA.map((given) => ({ ...given, hash: hex(metadataHash(given)) })),
    invalid: [...INVALID, ...MORE_INVALID].map((value) => ({ value, code: "BAD_ARGUMENT" })),
  };
}
