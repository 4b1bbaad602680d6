import { bitsOf } from "./arith.ts";
import { searchText } from "./query.ts";
import { countTokens, simHash, termNorm } from "./term-signature.ts";

const TEXTS: [name: string, text: string, headings: string][] = [
  ["nothing", "", ""],
  ["headings alone", "", "Birthdays > Cakes"],
  ["one word", "balloons", ""],
  ["words that repeat", "the cake, the candles, the cake and the balloons", "Party"],
  [
    "the same text under another heading",
    "the cake, the candles, the cake and the balloons",
    "Summer > Lake",
  ],
  ["one word differs", "the cake, the candles, the cake and the bunting", "Party"],
  ["case, diacritics and endings", "Café CAFÉ cafe naïve Running runs ran", ""],
  ["scripts without spaces", "誕生日のケーキと風船、ろうそく", "誕生日"],
  ["code", "const simHash = (terms: Map<string, number>) => terms.size; // 64 bits", ""],
  ["a long text", Array.from({ length: 400 }, (_, i) => `word${(i * i) % 37} and${i % 5}`).join(" "), "Long"],
];

type Links = Record<"name" | "tag" | "title" | "path", string[]>;

const DOCUMENTS: [
  name: string,
  path: string,
  text: string,
  metadata: object | null,
  links: Partial<Links>,
][] = [
  ["a name from the path", "notes/Lena's birthday.md", "Cake.", null, { name: ["lena s birthdai"] }],
  ["a path without extension, a hidden file", ".profile", "x", null, { name: ["profil"] }],
  [
    "title, aliases and tags of the metadata",
    "a.md",
    "x",
    { title: "Garden Party", aliases: ["Summer party", 7], tags: ["Family", "cake recipes"], other: "no" },
    { name: ["a", "garden parti", "summer parti"], tag: ["famili", "cake recip"] },
  ],
  ["one tag as a string", "a.md", "x", { tags: "Family" }, { name: ["a"], tag: ["famili"] }],
  [
    "the first heading of level 1",
    "a.md",
    "## Not this\n# The Lake\n# Nor this\n#nor this",
    null,
    { name: ["a", "the lake"] },
  ],
  [
    "wiki links",
    "a.md",
    "See [[Garden Party]], [[people/Lena|our Lena]] and [[Cakes.md#Icing]]; not [[]] and [[a\nb]].",
    null,
    { name: ["a"], title: ["garden parti", "lena", "cake"] },
  ],
  [
    "Markdown links",
    "trips/lake.md",
    '[a](cabin.md) [b](../people/lena.md#top "t") [c](/index.md) [d](<map.md>) [e](https://example.org/x.md) [f](#here) [g](../../out.md) [h](first%20day.md) [i](a%zz.md)\n[ref]: ./food.md\n[mail](mailto:lena@example.org)',
    null,
    {
      name: ["lake"],
      path: [
        "trips/cabin.md",
        "people/lena.md",
        "index.md",
        "trips/map.md",
        "trips/first day.md",
        "trips/a%zz.md",
        "trips/food.md",
      ],
    },
  ],
  [
    "code states nothing",
    "a.md",
    "`[[Not this]]` [[This]]\n```\n[[Nor this]]\n~~~\n[x](y.md)\n```\n[[And this]]",
    null,
    { name: ["a"], title: ["thi", "and thi"] },
  ],
  ["twice is once", "a.md", "# A\n[[B]] [[b]]", { title: "a" }, { name: ["a"], title: ["b"] }],
];

export async function generate() {
  const terms = [];
  for (const [name, text, headings] of TEXTS) {
    const words = await countTokens(searchText(text));
    const all = await countTokens(`${searchText(text)} ${searchText(headings)}`);
    const norm = bitsOf(termNorm(all)).toString(16).padStart(8, "0");
    terms.push({ name, text, headings, simHash: simHash(words), termNorm: norm });
  }
  return {
    _comment:
      "What is kept with chunks and documents for recall. simHash: 16 hex digits. termNorm: the bits of a binary32. links: targets by kind, in the order in which they are stated.",
    spec: "SPEC §16.6, §26.3, §26.4",
    cases: terms,
    links: DOCUMENTS.map(([name, path, text, metadata, links]) => ({ name, path, text, metadata, links })),
  };
}
