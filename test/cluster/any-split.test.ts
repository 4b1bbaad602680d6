/** Any documents, cut into shards anywhere, asked anything: the answers of one library. SPEC §29 */
import fc from "fast-check";
import type { OutsideChunk, SearchParameters } from "selfsame";
import { expect, test } from "vitest";
import { draws, uuidOf } from "../library/outside-sample.ts";
import { canonicalPart, type Documents, openWhole, randomPrefixes, splitInto } from "./split.ts";

const long = import.meta.env.MODE === "long";
const DIM = 8;
const WORDS = ["tree", "trees", "root", "node", "merkle", "quick", "brown", "fox", "東京", "naïve"];

/** Few words and few vectors: the same ones lie in several shards, and scores are often equal. */
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(" "));
const vector = fc.integer({ min: 1, max: 24 }).map((seed) => {
  const next = draws(seed);
  return Array.from({ length: DIM }, () => next() / 2 ** 31 - 1);
});
const sparse = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((terms) => ({
  terms,
  weights: terms.map((_, i) => i + 0.5),
}));
const chunks = fc
  .array(fc.tuple(fc.nat({ max: 30 }), text, vector, sparse), { minLength: 1, maxLength: 60 })
  .map((rows) =>
    rows.map(
      ([document, words, own, terms], i): OutsideChunk => ({
        ...{ uuid: uuidOf(i), doc_id: `d/${document}`, chunk_id: `${document}#${i}`, text: words },
        ...{ channel: document % 2 === 0 ? "even" : "odd", vector: own, sparse: terms },
      }),
    ),
  );

const query = fc
  .array(
    fc.oneof(
      fc.constantFrom(...WORDS, "tre", "quikc", "nothing", "merkel"),
      fc.constantFrom(...WORDS, "nothing").map((word) => `-${word}`),
      fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map((pair) => `"${pair.join(" ")}"`),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(" "));

const parameters = fc.record<SearchParameters>(
  {
    mode: fc.constantFrom("hybrid", "semantic", "lexical"),
    topK: fc.integer({ min: 1, max: 20 }),
    vector,
    weights: fc.record({ sparse: fc.constantFrom(0, 1, 3) }),
    sparse,
    ef: fc.integer({ min: 1, max: 30 }),
    exact: fc.boolean(),
    bm25Scoring: fc.constantFrom("bm25", "bm25plus"),
    filters: fc.constantFrom(
      { path: "d/1*" },
      { path: "**" },
      { contains: "fox" },
      { metadata: { channel: "odd" } },
    ),
    filterMode: fc.constantFrom("pre", "post"),
    diversify: fc.record({ lambda: fc.constantFrom(0, 0.3, 1) }),
    groupBy: fc.constant("path"),
    nearDuplicates: fc.integer({ min: 0, max: 12 }),
    minSimilarity: fc.constantFrom(-0.5, 0.2, 0.9),
    bindPhrases: fc.boolean(),
    spelling: fc.boolean(),
    preferCoverage: fc.boolean(),
    explain: fc.boolean(),
  },
  { requiredKeys: ["vector"] },
);

test("whole answers and receipts are equal", async () => {
  await fc.assert(
    fc.asyncProperty(
      chunks,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 8 }),
      fc.nat(),
      fc.array(fc.tuple(query, parameters), { minLength: 10, maxLength: 20 }),
      async (given, segment, count, seed, questions) => {
        const documents: Documents = {
          options: { vectors: { name: "any", dimension: DIM }, segment },
          fill: async (library, isWanted) => {
            const wanted = given.filter(({ doc_id }) => isWanted(doc_id));
            if (wanted.length > 0) await library.ingest(wanted);
          },
        };
        const whole = await openWhole(documents);
        const split = await splitInto(whole, documents, await randomPrefixes(whole, count, draws(seed)));
        try {
          expect(await split.sharded.root()).toBe(await whole.library.root());
          for (const [asked, parameter] of questions)
            expect(canonicalPart(await split.sharded.search(asked, parameter))).toEqual(
              canonicalPart(await whole.library.search(asked, parameter)),
            );
        } finally {
          await split.close();
          await whole.library.close();
        }
      },
    ),
    { numRuns: long ? 150 : 8 },
  );
}, 600_000);
