import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Opened, openTiny } from "../library/opened.ts";
import { DOCUMENTS, QUERIES } from "./documents.ts";
import { expectedAnswer, type Wanted } from "./oracle.ts";

const long = import.meta.env.MODE === "long";
const RUNS = long ? 3_000 : 250;

let opened: Opened;
beforeAll(async () => {
  opened = await openTiny(":memory:");
  await opened.library.add(DOCUMENTS);
});
afterAll(() => opened.library.close());

const words =
  "ties broken path chunk merkle tree root quick fox dog v7 hyper 東京 文字 café verify the word".split(" ");
const pieces = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"merkle tree"', '"quick brown fox"', '"by path"', '"文字"', '"the"'),
  },
  { weight: 1, arbitrary: fc.constantFrom("-quick", "-dog", "-nowhere", '-"brown fox"', "-文字", "?") },
);
const queries = fc.oneof(
  { weight: 4, arbitrary: fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(" ")) },
  { weight: 1, arbitrary: fc.constantFrom(...QUERIES) },
);

const filters = fc.record(
  {
    path: fc.constantFrom(
      "**",
      "copies/*",
      "guide/**",
      "*.md",
      "{src,copies}/**",
      "**/*.{txt,ts}",
      "日本/*",
      "none",
    ),
    mime: fc.constantFrom("text/markdown", "text/*", "*/*", ["text/plain", "text/x-typescript"]),
    modifiedAfter: fc.constantFrom(0, 2_000, 4_500, "1970-01-01T00:00:03Z"),
    modifiedBefore: fc.constantFrom(2_500, 7_500, "1970-01-01T00:00:05.001Z"),
    contains: fc.constantFrom("merkle", "Ties", "文字", "fox", "nothing like it"),
    metadata: fc.constantFrom<Record<string, unknown>>(
      { level: 1 },
      { tags: "wide" },
      { copy: [1, 3, 4] },
      { level: null, tags: null },
      { tags: ["guide", "日本"] },
    ),
  },
  { requiredKeys: [] },
);

/** Any search: `undefined` leaves a parameter out. */
const searches = fc.record(
  {
    mode: fc.constantFrom("hybrid" as const, "semantic" as const, "lexical" as const),
    topK: fc.constantFrom(1, 3, 10, 25, 200),
    semanticK: fc.constantFrom(1, 5, 40),
    lexicalK: fc.constantFrom(1, 2, 7, 40),
    rrfK: fc.constantFrom(0, 1, 60, 0.1),
    weights: fc.record(
      { semantic: fc.constantFrom(0, 0.65, 3), lexical: fc.constantFrom(0, 0.35, 1) },
      { requiredKeys: [] },
    ),
    preferCoverage: fc.boolean(),
    filters,
    filterMode: fc.constantFrom("pre" as const, "post" as const),
    diversify: fc.record({ lambda: fc.constantFrom(0, 0.3, 0.7, 1) }, { requiredKeys: [] }),
    groupBy: fc.constant("path" as const),
  },
  { requiredKeys: [] },
);

describe("any search", () => {
  test("answers what the definitions say: ids, order, labels, ranks, scores", async () => {
    await fc.assert(
      fc.asyncProperty(queries, searches, async (query, wanted: Wanted) => {
        const answer = await opened.library.search(query, { ...(wanted as object), explain: true });
        const expected = await expectedAnswer(opened, query, wanted);
        expect(answer.results.map(({ chunkId }) => chunkId)).toStrictEqual(expected.ids);
        const { semantic, lexical } = answer.explanation!;
        expect(semantic.map(({ chunkId }) => chunkId)).toStrictEqual(expected.semantic);
        expect(lexical.map(({ chunkId }) => chunkId)).toStrictEqual(expected.lexical);
        if (answer.mode !== "hybrid") return;
        for (const { chunkId, score, scoreBreakdown } of answer.results) {
          expect(score).toBe(expected.scores.get(chunkId));
          expect(scoreBreakdown).toMatchObject({ rrf: score });
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe("filters", () => {
  test("before and after retrieval differ where they should: after it, candidates that do not pass take places", async () => {
    const only = { filters: { path: "guide/merkle.md" }, semanticK: 100, lexicalK: 100, topK: 50 } as const;
    const pre = await opened.library.search("ties", { ...only, mode: "semantic" });
    const all = (await opened.library.chunks("guide/merkle.md")).length;
    expect(pre.results).toHaveLength(all);
    const post = await opened.library.search("ties", {
      filters: { path: "none" },
      filterMode: "post",
      mode: "semantic",
    });
    expect(post.results).toStrictEqual([]);
    expect(post.receipt.parameters).toMatchObject({ semanticK: 100, lexicalK: 100 });
  });

  test("leave the statistics of bm25 as they are", async () => {
    const bm25 = async (path?: string) => {
      const filters = path === undefined ? {} : { filters: { path } };
      const { results } = await opened.library.search("merkle fox ties", {
        mode: "lexical",
        topK: 200,
        ...filters,
      });
      return new Map(results.map(({ chunkId, scoreBreakdown }) => [chunkId, JSON.stringify(scoreBreakdown)]));
    };
    const all = await bm25();
    const some = await bm25("{copies,guide}/**");
    expect(some.size).toBeGreaterThan(5);
    expect(some.size).toBeLessThan(all.size);
    for (const [id, score] of some) expect(score).toBe(all.get(id));
  });
});

describe("results", () => {
  test("say what they are: label, ranks, place, content", async () => {
    const { results } = await opened.library.search("merkle tree verification", { topK: 40, semanticK: 8 });
    const labels = new Set(results.map(({ match }) => match));
    expect(labels).toStrictEqual(new Set(["hybrid", "lexical", "semantic"]));
    for (const {
      match,
      scoreBreakdown,
      path,
      chunkIndex,
      chunkId,
      content,
      headingPath,
      breadcrumb,
    } of results) {
      const { lexicalRank, semanticRank } = scoreBreakdown as { lexicalRank: unknown; semanticRank: unknown };
      const label = lexicalRank === null ? "semantic" : semanticRank === null ? "lexical" : "hybrid";
      expect(match).toBe(label);
      expect((await opened.library.chunks(path))[chunkIndex]).toMatchObject({
        chunkId,
        text: content,
        headingPath,
      });
      expect(breadcrumb).toBe(headingPath.join(" > "));
    }
  });

  test("by mode: stable keys, scores from 0 to 1 with the best first", async () => {
    for (const [mode, key] of [
      ["lexical", "bm25"],
      ["semantic", "cosine"],
    ] as const) {
      const { results } = await opened.library.search("quick fox", { mode });
      expect(results.length).toBeGreaterThan(3);
      for (const { scoreBreakdown, match } of results) {
        expect(Object.keys(scoreBreakdown)).toStrictEqual([key]);
        expect(match).toBe(mode === "lexical" ? "lexical" : "semantic");
      }
      const scores = results.map(({ score }) => score);
      expect(scores).toStrictEqual([...scores].sort((a, b) => b - a));
      expect(scores.every((score) => score >= 0 && score <= 1.001)).toBe(true);
      if (mode === "lexical") expect(scores[0]).toBe(1);
    }
  });

  test("of equal scores stand by path in UTF-8 order, then by sequence", async () => {
    const { results } = await opened.library.search("ties broken by path", {
      mode: "lexical",
      filters: { path: "copies/**" },
    });
    const paths = results.map(({ path }) => path);
    expect(paths).toStrictEqual(["copies/a.txt", "copies/b.txt", "copies/～.txt", "copies/😀.txt"]);
  });

  test("with groupBy path are one per document, labelled by what the document was found by", async () => {
    const { results } = await opened.library.search("merkle tree root", { groupBy: "path", semanticK: 60 });
    const paths = results.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    const guide = results.find(({ path }) => path === "guide/merkle.md")!;
    expect(guide.match).toBe("hybrid");
    expect(guide.scoreBreakdown).toMatchObject({ lexicalRank: 1 });
  });
});
