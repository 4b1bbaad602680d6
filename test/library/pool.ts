/** A small pool of paths and texts, so that histories meet the same ones again and again. */
import type { DocumentInput } from "selfsame";

/** All three formats; order by UTF-8 bytes and by UTF-16 units differs for the last two. */
export const PATHS = [
  "ties.md",
  "notes/ties.md",
  "notes/todo.txt",
  "notes/更多.md",
  "caf\u00e9.md",
  "src/order.ts",
  "src/index.ts",
  "a",
  "a.md",
  "a/b.txt",
  "\uff5e.md",
  "\u{1f600}.md",
] as const;

const TIES = "Ties are broken by path, then by sequence, then by the id of the chunk.";

/** Empty ones, ones that are one after canonicalisation, equal chunks in several, CJK, Markdown, code, many chunks. */
export const TEXTS = [
  "",
  " \r\n\t\n",
  TIES,
  `${TIES}  \r\n`,
  `# Order\n\n${TIES}\n\n## Why\n\nSo that every device gives the same chunks.\n`,
  `# Order\n\n## Why\n\nSo that every device gives the same chunks.\n`,
  `---\ntitle: order\n---\n\n- one\n- two\n  - three\n\n| word | number |\n| --- | --- |\n| tie | 1 |\n`,
  "同じ文書は同じ索引になる。日本の水と火の山。文字と文字。",
  `# 中国\n\n大きい山は水の中。 the same water\n\n\`\`\`ts\nconst tie = 1;\n\`\`\`\n`,
  "export function order(a: number, b: number): number {\n  return a - b;\n}\n",
  "cafe\u0301 cre\u0300me and the quick brown fox",
  "caf\u00e9 cr\u00e8me and the quick brown fox",
  Array.from({ length: 12 }, (_, i) => `## Part ${i}\n\nThe quick brown fox jumps over dog ${i}.\n`).join(
    "\n",
  ),
  "the quick brown fox jumps over the lazy dog and keeps the same order. ".repeat(30),
  `${"word ".repeat(300)}\n\n${TIES}`,
] as const;

export const EXTRAS: readonly Omit<DocumentInput, "path" | "text">[] = [
  {},
  { modifiedAt: 0 },
  { modifiedAt: 1_700_000_000_000, mime: "text/markdown" },
  { metadata: { tags: ["a", "b"], n: 1 } },
  { metadata: {}, mime: "" },
  { metadata: { n: 1, tags: ["a", "b"] }, modifiedAt: -1 },
];

const WORDS = [
  ..."ties broken path sequence chunk order why device same chunks one two three word number tie".split(" "),
  ..."文 字 水 山 日 同 中 const export function return cafe creme quick brown fox jumps lazy dog".split(" "),
  ..."part 3 7 keeps title".split(" "),
];

/** Single words, pairs, phrases, words that are nowhere, prefixes of the headings' column: 50 in all. */
export const LEXICAL_QUERIES = [
  ...WORDS.map((word) => `"${word}"`),
  '"ties" OR "fox" OR "文"',
  '"the" OR "order" OR "device"',
  '"quick brown fox"',
  '"same chunks"',
  '"文 字"',
  '"nowhere"',
  '"the"',
  '"order" AND "tie"',
  '"part" NOT "fox"',
  '"same" OR "same chunks" OR "device"',
];

export const SEMANTIC_QUERIES = [
  "how are ties broken?",
  "the quick fox",
  "水と火",
  "word",
  "export function",
  "",
];
