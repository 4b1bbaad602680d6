/** Documents to search in: near-equal words, ties, several chunks, scripts without spaces, every kind of metadata. */
import type { DocumentInput } from "selfsame";

const TIES = "Ties are broken by path, then by sequence, then by the id of the chunk.";
const FOX = "The quick brown fox jumps over the lazy dog.";

const part = (i: number) =>
  `## Part ${i}\n\nThe merkle tree of part ${i} has a root, and its verification is quick.\n`;

export const DOCUMENTS: readonly DocumentInput[] = [
  { path: "ties.md", text: `# Ties\n\n${TIES}\n`, modifiedAt: 1_000, mime: "text/markdown" },
  // The same text four times: equal scores in both channels, told apart by path alone.
  { path: "copies/b.txt", text: TIES, modifiedAt: 2_000, mime: "text/plain", metadata: { copy: 2 } },
  { path: "copies/a.txt", text: TIES, modifiedAt: 3_000, mime: "text/plain", metadata: { copy: 1 } },
  { path: "copies/～.txt", text: TIES, metadata: { copy: 3, tags: ["wide"] } },
  { path: "copies/😀.txt", text: TIES, metadata: { copy: 4, tags: ["face", "wide"] } },
  {
    path: "guide/merkle.md",
    text: `# Merkle trees\n\n${Array.from({ length: 14 }, (_, i) => part(i)).join("\n")}`,
    modifiedAt: 4_000,
    mime: "text/markdown; charset=utf-8",
    metadata: { tags: ["guide", "trees"], level: 2 },
  },
  { path: "guide/fox.md", text: `${FOX} ${FOX}\n\n${"word ".repeat(120)}`, mime: "text/markdown" },
  { path: "fox.txt", text: FOX, modifiedAt: 5_000, mime: "text/plain" },
  {
    path: "src/order.ts",
    text: "export function calculate_hyper_parameter_v7(a: number): number {\n  return a;\n}\n",
    modifiedAt: 6_000,
    mime: "text/x-typescript",
    metadata: { level: 1 },
  },
  {
    path: "src/hyper.ts",
    text: "// the v7 of each hyper parameter, to calculate later\n",
    metadata: { level: 1 },
  },
  {
    path: "日本/東京.md",
    text: "# 東京\n\n東京タワーの歴史。京都の学校で文字を学ぶ。\n",
    metadata: { tags: ["日本"] },
  },
  { path: "日本/山.txt", text: "大きい山は水の中。 the same water, 文字と文字。", modifiedAt: 7_000 },
  {
    path: "café.md",
    text: "Café crème, naïve façade: CAFÉ again, and cafe\u0301 once more.\n",
    mime: "text/markdown",
  },
  {
    path: "stems.txt",
    text: "Verified, verifying, verification: he verifies what trees verify.",
    modifiedAt: 8_000,
  },
  {
    path: "marks.txt",
    text: "A fox\u0002 between\u0003 marks, and the fox \ue000again\ue001.",
    mime: "text/plain",
  },
  { path: "empty.md", text: "" },
];

/** Queries that ask for all of it, and for nothing. */
export const QUERIES: readonly string[] = [
  "how are ties broken?",
  "merkle tree verification",
  '"quick brown fox"',
  '"merkle tree" root -quick',
  "calculate_hyper_parameter_v7",
  "東京",
  "文字 water",
  "cafe creme",
  "fox -dog",
  "nowhere",
  "the",
  "verify trees",
  '"by path" sequence',
  "?!",
  "",
];
