/** Words that no document has, phrases that bind both channels, and how close results are. SPEC §15.9, §15.5, §16.5 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contractLabel, type Library, noticesOf, open } from "#dist/index.js";
import { EditDistances } from "#dist/search/edit-distance.js";
import { nearestWord, type ReadWords } from "#dist/search/near-words.js";
import { compareUtf8 } from "#dist/text/utf8-order.js";
import { distance, nearest } from "../reference/spelling.ts";

const isLong = import.meta.env.MODE === "long";

describe("distances", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "𐐨"), maxLength: 9 });

  it("are those of the whole table, whatever prefixes candidates share", () => {
    fc.assert(
      fc.property(
        word,
        fc.array(word, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 2 }),
        (from, to, max) => {
          const distances = new EditDistances(Array.from(from), max);
          for (const each of [...to].sort(compareUtf8)) {
            const found = distances.to(Array.from(each));
            const expected = distance(from, each);
            if ("distance" in found) expect(found.distance).toBe(expected);
            else expect(expected).toBeGreaterThan(max);
          }
        },
      ),
      { numRuns: isLong ? 20_000 : 1000 },
    );
  });

  it("find the nearest word of any vocabulary", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 9 });
    fc.assert(
      fc.property(
        fc.dictionary(letters, fc.integer({ min: 1, max: 3 })),
        letters,
        fc.integer({ min: 1, max: 70 }),
        (words, asked, size) => {
          const rows = Object.entries(words)
            .map(([each, chunks]) => ({ word: each, chunks }))
            .sort((a, b) => compareUtf8(a.word, b.word));
          const read: ReadWords = (from, end) =>
            rows.filter((row) => row.word >= from && (end === null || row.word < end)).slice(0, size);
          expect(nearestWord(read, asked)).toBe(nearest(new Map(Object.entries(words)), asked));
        },
      ),
      { numRuns: isLong ? 20_000 : 1000 },
    );
  });
});

describe("a library", () => {
  let library: Library;
  beforeAll(async () => {
    library = await open(":memory:", { model: "tiny" });
    await library.add([
      { path: "a.md", text: "# Merkle roots\n\nA merkle tree verifies documents." },
      { path: "b.md", text: "Bread needs flour, water and patience. A root vegetable does not." },
      { path: "c.md", text: "The café closes at noon; the tree in front of it is old." },
    ]);
  });
  afterAll(() => library.close());

  const matches = async (query: string, parameters = {}) => {
    const { corrections, explanation } = await library.search(query, { explain: true, ...parameters });
    return { corrections, match: explanation!.matchExpression };
  };

  it("replaces a word that no document has", async () => {
    expect(await matches("merkel roots")).toStrictEqual({
      corrections: [{ from: "merkel", to: "merkle" }],
      match: '"merkle" OR "roots"',
    });
    const answer = await library.search("merkel");
    expect(answer.results[0]!.path).toBe("a.md");
    expect(noticesOf(answer)[0]).toMatch(/^Showing results for “merkle”: no document has “merkel”/);
  });

  it("knows words without their accents, and by their stems", async () => {
    expect((await matches("caffe")).corrections).toStrictEqual([{ from: "caffe", to: "cafe" }]);
    expect((await matches("verifying documented")).corrections).toStrictEqual([]);
  });

  it("leaves quoted, excluded, short and numbered words as they are", async () => {
    for (const query of ['"merkel" x', "tree -merkel", "tre", "merkel7", "cafe"])
      expect((await matches(query)).corrections, query).toStrictEqual([]);
  });

  it("keeps to what was typed in a contract's preset, and if told to", async () => {
    for (const preset of ["cfs", "rifflux", "orchestration", "docstokg"] as const)
      expect((await matches("merkel", { preset })).match).toBe('"merkel"');
    expect((await matches("merkel", { spelling: false })).match).toBe('"merkel"');
    expect((await matches("merkel", { preset: "cfs", spelling: true })).match).toBe('"merkle"');
  });

  it("does not look for two words that became one twice", async () => {
    expect((await matches("merkel merkle")).match).toBe('"merkle"');
  });

  it("drops words with the last document that has them", async () => {
    const changing = await open(":memory:", { model: "tiny" });
    await changing.add([
      { path: "x.md", text: "Zebras graze." },
      { path: "y.md", text: "Zebras sleep." },
    ]);
    const typo = async () => (await changing.search("zebbras", { mode: "lexical" })).corrections;
    expect(await typo()).toStrictEqual([{ from: "zebbras", to: "zebras" }]);
    await changing.remove(["x.md"]);
    expect(await typo()).toStrictEqual([{ from: "zebbras", to: "zebras" }]);
    await changing.add([{ path: "y.md", text: "Nobody sleeps." }]);
    expect(await typo()).toStrictEqual([]);
    expect((await changing.check()).findings.filter(({ verdict }) => verdict === "problem")).toStrictEqual(
      [],
    );
    await changing.close();
  });

  it("requires a phrase of both channels", async () => {
    const paths = async (parameters = {}) =>
      (await library.search('"merkle tree" water', parameters)).results.map(({ path }) => path);
    expect(await paths()).toStrictEqual(["a.md"]);
    expect(await paths({ mode: "semantic" })).toStrictEqual(["a.md"]);
    expect(new Set(await paths({ bindPhrases: false }))).toStrictEqual(new Set(["a.md", "b.md", "c.md"]));
    expect(new Set(await paths({ preset: "cfs" }))).toStrictEqual(new Set(["a.md", "b.md", "c.md"]));
    expect(await paths({ filters: { path: "b.md" } })).toStrictEqual([]);
    expect((await library.search('"merkle tree" -documents')).results).toStrictEqual([]);
  });

  it("gives every result of a query with a vector its cosine, whichever list found it", async () => {
    const { results, explanation } = await library.search("merkle", { semanticK: 1, explain: true });
    const first = explanation!.semantic[0]!;
    expect(results.find(({ chunkId }) => chunkId === first.chunkId)!.cosine).toBe(first.cosine);
    expect(results.some(({ match }) => match === "lexical")).toBe(true);
    expect(results.every(({ cosine }) => cosine !== null)).toBe(true);
    const byWords = await library.search("merkle", { mode: "lexical" });
    expect(byWords.results.every(({ cosine, closeness }) => cosine === null && closeness === null)).toBe(
      true,
    );
    expect(byWords.results.map(({ match }) => contractLabel(match))).toContain("exact");
  });

  it("leaves out what is less similar than asked, unless words found it", async () => {
    const all = await library.search("merkle tree", { mode: "semantic" });
    const cosines = all.results.map(({ cosine }) => cosine!);
    const some = await library.search("merkle tree", { mode: "semantic", minSimilarity: cosines[1]! });
    expect(some.results.map(({ cosine }) => cosine)).toStrictEqual(cosines.slice(0, 2));
    const none = await library.search("merkle tree", { minSimilarity: 1 });
    expect(none.results.every(({ match }) => match !== "semantic")).toBe(true);
    expect(await library.verifyReceipt(none.receipt)).toMatchObject({ isSame: true });
    await expect(library.search("x", { minSimilarity: 1.5 })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });

  it("says so if all words are common", async () => {
    const answer = await library.search("what is it");
    expect(answer.onlyStopWords).toBe(true);
    expect((await library.search("what is bread")).onlyStopWords).toBe(false);
    expect((await library.search("")).onlyStopWords).toBe(false);
  });
});
