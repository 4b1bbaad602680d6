import { bitsOf } from "./arith.ts";
import { searchText } from "./query.ts";
import { confidence, learned, metadataFeatures, permitted, WEIGHTS, work } from "./recall.ts";
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

const bits = (value: number): string => bitsOf(value).toString(16).padStart(8, "0");

const PEOPLE = [
  {},
  { person_id: "alice" },
  { person_id: "bob", filters: { roles: ["parents"] } },
  { person_id: "alice", filters: { max_band: "AMBER", allow_shared: false } },
  { filters: { max_band: "BLACK" } },
];

const METADATA = [
  {},
  { band: "GREEN" },
  { band: "AMBER" },
  { band: "BLACK" },
  { band: "green" },
  { band: 7 },
  { readers: "alice" },
  { readers: ["alice"] },
  { readers: ["parents", "carol"] },
  { readers: [] },
  { readers: { alice: true } },
  { readers: null },
  { shared: true },
  { shared: "yes" },
  { space: "personal:alice" },
  { space: "shared:household", band: "AMBER" },
];

const NOW = 1_763_400_000_000;
const CONTEXT = {
  now: NOW,
  person_id: "alice",
  affect: { valence: 0.25, arousal: -0.5 },
  tom: ["a", "b", "c", "a"],
};
const STATED: { metadata?: Record<string, unknown>; modifiedAt?: number }[] = [
  {},
  { modifiedAt: NOW },
  { modifiedAt: NOW - 1 },
  { modifiedAt: NOW + 86_400_000 },
  { modifiedAt: NOW - 14 * 86_400_000 },
  { modifiedAt: 0 },
  { modifiedAt: 5, metadata: { date: "2025-11-17" } },
  { modifiedAt: 5, metadata: { date: "2025-11-17T08:00:00.250Z" } },
  { modifiedAt: NOW, metadata: { date: "yesterday" } },
  { metadata: { date: NOW - 3_600_000 } },
  { metadata: { date: 1.5 } },
  { metadata: { owner: "alice", people: ["alice"] } },
  { metadata: { author: ["bob", "alice"] } },
  { metadata: { mentions: ["alice"] } },
  { metadata: { participants: "bob" } },
  { metadata: { affect: { valence: 0.25, arousal: -0.5 } } },
  { metadata: { affect: { valence: -1, arousal: 1 } } },
  { metadata: { tom: ["c", "x", "a"] } },
  { metadata: { tom: "b" } },
];

export async function generate() {
  const terms = [];
  for (const [name, text, headings] of TEXTS) {
    const words = await countTokens(searchText(text));
    const all = await countTokens(`${searchText(text)} ${searchText(headings)}`);
    terms.push({ name, text, headings, simHash: simHash(words), termNorm: bits(termNorm(all)) });
  }
  return {
    _comment:
      "What is kept with chunks and documents for recall. simHash: 16 hex digits. termNorm: the bits of a binary32. links: targets by kind, in the order in which they are stated. stated: recency, personalization, affect_compat and tom_alignment of documents in `context`. learned: the weights of the table after events whose differences add up to `sum`.",
    spec: "SPEC §16.6, §26",
    cases: terms,
    budgets: [5, 9.99, 10, 20, 40, 99, 100, 250, 499, 500, 1000].map((ms) => ({ ms, ...work(ms) })),
    policy: PEOPLE.map((ctx) => ({
      ctx,
      space: "shared:household",
      permitted: METADATA.map((metadata) => ({
        metadata,
        isPermitted: permitted(metadata, ctx, "shared:household"),
      })),
    })),
    stated: STATED.map((document) => ({
      ...document,
      features: metadataFeatures(document, CONTEXT).map(bits),
    })),
    context: CONTEXT,
    confidence: [-10, -1, 0, 0.5, 1.42, 2.7119815, 3, 5, 40, 100].map((score) => ({
      score: bits(score),
      confidence: bits(confidence(Math.fround(score), -1.724, 4.665)),
    })),
    learned: [
      [0, 0],
      [500, 1],
      [20_000, 20],
      [-20_000, 20],
      [1_000_000, 1000],
      [-999_999, 1000],
    ].map(([sum, events]) => ({
      sum,
      events,
      weights: WEIGHTS.map((weight) => bits(learned(Math.fround(weight), sum!, events!))),
    })),
    links: DOCUMENTS.map(([name, path, text, metadata, links]) => ({ name, path, text, metadata, links })),
  };
}
