/** Searches with vectors that were made elsewhere: the query's vector, sparse terms, a feature generator; and BM25+. */
import type { SearchParameters } from "selfsame";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toHex } from "#dist/engine/digest.js";
import { bm25FromCounts } from "#dist/search/bm25.js";
import { allChunks, countItems } from "#dist/search/word-counts.js";
import { putOutside } from "#dist/store/outside.js";
import { type Opened, openTiny } from "../library/opened.ts";
import { splitmix32 } from "../reference/prng.ts";
import { fuse, ordered } from "../reference/ranking.ts";
import { idfTerms, integers, type SparseChunk, sparseSearch } from "../reference/sparse.ts";
import { DOCUMENTS } from "./documents.ts";

const TERMS = ["the", "quick", "fox", "merkle", "tree", "##s", "water", "none"];

/** Gives every third chunk a sparse vector, as an ingest does. */
function addSparse({ parts }: Opened): SparseChunk[] {
  const next = splitmix32(15);
  const rows = parts.database.all<{ chunk: number; chunkId: Uint8Array }>(
    "SELECT chunk, chunkId FROM chunks ORDER BY chunkId",
  );
  return parts.database.transaction(() =>
    rows
      .filter((_, i) => i % 3 !== 2)
      .map(({ chunk, chunkId }) => {
        const weights = Object.fromEntries(
          TERMS.slice(0, -1)
            .filter(() => next() % 2 === 0)
            .map((term) => [term, (1 + (next() % 5)) / 8]),
        );
        const terms = integers(weights);
        const sparse = Object.entries(terms).map(([term, weight]) => ({ term, weight }));
        putOutside(parts.database, chunk, {
          digest: new Uint8Array(32),
          fields: "{}",
          bm25: null,
          vector: null,
          sparse,
        });
        return { id: toHex(chunkId), terms };
      }),
  );
}

describe("the sparse channel (SPEC §24)", () => {
  let opened: Opened;
  let chunks: SparseChunk[];
  const sparse = { terms: ["fox", "merkle", "##s"], weights: [1, 0.5, 0.25] };
  const query = integers({ fox: 1, merkle: 0.5, "##s": 0.25 });

  beforeAll(async () => {
    opened = await openTiny(":memory:");
    await opened.library.add(DOCUMENTS);
    chunks = addSparse(opened);
  });
  afterAll(() => opened.library.close());

  const search = (parameters: SearchParameters, text = "quick fox") =>
    opened.library.search(text, { explain: true, topK: 100, ...parameters });

  test("is not searched without a weight, and the receipt is that of a plain search", async () => {
    const [plain, given] = [await search({}), await search({ sparse })];
    expect(given.receipt).toEqual(plain.receipt);
    expect(given.explanation!.sparse).toBeUndefined();
    expect(Object.keys(plain.receipt.parameters)).not.toContain("sparseWeight");
  });

  test("adds its list after the semantic and the lexical one", async () => {
    const { explanation, results, receipt } = await search({ sparse, weights: { sparse: 0.7 } });
    const { semantic, lexical, sparse: list, fused } = explanation!;
    const expected = sparseSearch(chunks, query, 80);
    expect(expected.length).toBeGreaterThan(5);
    expect(list!.map(({ chunkId, score }) => `${chunkId} ${score}`)).toEqual(
      expected.map(([id, score]) => `${id} ${Number(score) / 2048 ** 2}`),
    );
    const lists = [semantic, lexical, list!].map((each, i) => ({
      ids: each.map(({ chunkId }) => chunkId),
      weight: [1, 1, 0.7][i]!,
    }));
    const places = Object.fromEntries(
      results.map(({ chunkId, path, chunkIndex }) => [chunkId, { path, sequence: chunkIndex }]),
    );
    const wanted = fuse(lists, 60);
    expect(results.map(({ chunkId }) => chunkId)).toEqual(ordered(wanted, places, lists, false));
    expect(new Map(fused.map(({ chunkId, score }) => [chunkId, score]))).toEqual(
      new Map(wanted.map(({ id, score }) => [id, score])),
    );
    for (const { chunkId, match, scoreBreakdown } of results) {
      const [m, w, s] = lists.map(({ ids }) => ids.indexOf(chunkId) + 1 || null);
      expect(scoreBreakdown).toMatchObject({ semanticRank: m, lexicalRank: w, sparseRank: s });
      const found = [m, w, s].filter((rank) => rank !== null).length;
      expect(match).toBe(found > 1 ? "hybrid" : m !== null ? "semantic" : w !== null ? "lexical" : "sparse");
    }
    expect(receipt.parameters).toMatchObject({
      sparseWeight: Math.fround(0.7),
      sparse: { terms: ["##s", "fox", "merkle"] },
    });
    expect(await opened.library.verifyReceipt(receipt)).toMatchObject({ isSame: true });
  });

  test("is fused with words alone in mode lexical, and the score is the fused one", async () => {
    const { explanation, receipt, results } = await search({
      mode: "lexical",
      sparse,
      weights: { sparse: 2 },
    });
    expect(explanation!.semantic).toEqual([]);
    expect(explanation!.sparse!.length).toBeGreaterThan(5);
    for (const { score } of receipt.results) expect(score).toMatch(/^[0-9a-f]{8}$/);
    expect(results[0]!.score).toBe(explanation!.fused[0]!.score);
    expect(await opened.library.verifyReceipt(receipt)).toMatchObject({ isSame: true });
  });

  test("is not searched in mode semantic", async () => {
    const { explanation, receipt } = await search({ mode: "semantic", sparse, weights: { sparse: 2 } });
    expect(explanation!.sparse).toBeUndefined();
    expect(receipt.parameters.sparse).toBeUndefined();
  });

  test("takes the query's own tokens where no terms are given", async () => {
    const text = "The quick fox, the trees";
    const tokenizer = await opened.parts.tokenizer();
    const { ids } = tokenizer.tokenize(text, 512);
    const tokens = [...ids.subarray(1, -1)].map((id) => tokenizer.tokens[id]!);
    const { explanation, receipt } = await search({ weights: { sparse: 1 } }, text);
    const expected = sparseSearch(chunks, idfTerms(chunks, tokens), 80).map(([id]) => id);
    expect(expected.length).toBeGreaterThan(5);
    expect(explanation!.sparse!.map(({ chunkId }) => chunkId)).toEqual(expected);
    expect(receipt.parameters.sparse).toBeUndefined();
    expect(await opened.library.verifyReceipt(receipt)).toMatchObject({ isSame: true });
  });

  test("sees filters, excluded words and sparseK", async () => {
    const weights = { sparse: 1 };
    const all = (await search({ sparse, weights })).explanation!.sparse!.map(({ chunkId }) => chunkId);
    const first = await search({ sparse, weights, sparseK: 3 });
    expect(first.explanation!.sparse!.map(({ chunkId }) => chunkId)).toEqual(all.slice(0, 3));
    const paths = new Map(
      opened.parts.database
        .all<{ chunkId: Uint8Array; path: string }>(
          "SELECT chunkId, path FROM chunks JOIN documents USING (documentId)",
        )
        .map(({ chunkId, path }) => [toHex(chunkId), path]),
    );
    const filtered = await search({ sparse, weights, filters: { path: "guide/**" } });
    expect(filtered.explanation!.sparse!.map(({ chunkId }) => chunkId)).toEqual(
      all.filter((id) => paths.get(id)!.startsWith("guide/")),
    );
    const excluding = await search({ sparse, weights, sparseK: 4 }, "quick fox -merkle");
    const without = new Set(
      (await search({ mode: "lexical" }, "merkle")).results.map(({ chunkId }) => chunkId),
    );
    expect(without.size).toBeGreaterThan(0);
    expect(excluding.explanation!.sparse!.map(({ chunkId }) => chunkId)).toEqual(
      all.filter((id) => !without.has(id)).slice(0, 4),
    );
    for (const { receipt } of [first, filtered, excluding])
      expect(await opened.library.verifyReceipt(receipt)).toMatchObject({ isSame: true });
  });

  test.each<[SearchParameters, string]>([
    [{ sparse: { terms: ["a"], weights: [] } }, "expected sparse to be as many terms as weights"],
    [
      { sparse: { terms: ["a", "a"], weights: [1, 1] } },
      "expected sparse.terms[1] to be a term that is not there yet",
    ],
    [
      { sparse: { terms: [""], weights: [1] } },
      "expected sparse.terms[0] to be a string of 1 to 65535 bytes",
    ],
    [{ sparse: { terms: ["a"], weights: [-1] } }, "finite number from 0, got -1"],
    [{ sparse: "a" as never }, "expected sparse to be an object"],
    [{ sparseK: 0 }, "expected sparseK"],
    [{ weights: { sparse: -1 } }, "expected weights.sparse"],
    [{ bm25Scoring: "bm26" as never }, "expected bm25Scoring to be bm25, bm25plus"],
    [{ vector: [1, 2, 3] }, "expected a dimension that is a multiple of 8"],
    [{ vector: new Array(8).fill(1) }, "expected a vector of"],
    [{ vector: [1, 2, 3, 4, 5, 6, 7, Number.NaN] }, "expected a vector of finite numbers, got NaN at 7"],
    [{ vector: 7 as never }, "expected vector to be a list of numbers"],
  ])("refuses %j", async (parameters, reason) => {
    await expect(search(parameters)).rejects.toThrow(reason);
  });
});

describe("the query's vector", () => {
  test("replaces the model's, and its i16 form is in the receipt", async () => {
    const { library, parts } = await openTiny(":memory:");
    await library.add(DOCUMENTS);
    const embedded = await parts.embedder.embed("the quick brown fox");
    const byText = await library.search("the quick brown fox", { mode: "semantic" });
    const given = await library.search("anything", { mode: "semantic", vector: Float32Array.from(embedded) });
    expect(given.results.map(({ chunkId }) => chunkId)).toEqual(byText.results.map(({ chunkId }) => chunkId));
    expect(given.receipt.parameters.vector).toMatch(/^[0-9a-f]+$/);
    expect(await library.verifyReceipt(given.receipt)).toMatchObject({ isSame: true });
    // Any device can check it, without the model.
    const other = await library.search("anything", {
      mode: "semantic",
      vector: Float32Array.from(embedded, (x) => -x),
    });
    expect(other.receipt.digest).not.toBe(given.receipt.digest);
    // It is asked even where the query has no words.
    expect((await library.search("", { vector: Float32Array.from(embedded) })).results).toHaveLength(10);
    await library.close();
  });

  test("comes from the application's feature generator, and verifies without it", async () => {
    const asked: string[] = [];
    const dim = 32;
    const vector = Float32Array.from({ length: dim }, (_, i) => i - 10);
    const featureGenerator = async (query: string) => {
      asked.push(query);
      return { vector, sparse: { terms: ["fox"], weights: [1] } };
    };
    const [here, there] = [await openTiny(":memory:", { featureGenerator }), await openTiny(":memory:")];
    expect(here.parts.semantic.dim).toBe(dim);
    for (const { library } of [here, there]) await library.add(DOCUMENTS);
    for (const opened of [here, there]) addSparse(opened);
    const answer = await here.library.search('quick "brown fox" -dog', { weights: { sparse: 1 } });
    expect(asked).toEqual(["quick brown fox"]);
    const given = { vector, sparse: { terms: ["fox"], weights: [1] }, weights: { sparse: 1 } };
    const same = await there.library.search('quick "brown fox" -dog', given);
    expect(answer.receipt).toEqual(same.receipt);
    expect(await there.library.verifyReceipt(answer.receipt)).toMatchObject({ isSame: true });
    // What is given needs no generator.
    await here.library.search("fox", given);
    await here.library.search("fox", { mode: "lexical" });
    expect(asked).toHaveLength(1);
    for (const { library } of [here, there]) await library.close();
  });

  test("of a feature generator is checked", async () => {
    for (const [result, reason] of [
      [{ vector: [1, 2] }, "multiple of 8"],
      [{ vector: new Array(8).fill(1) }, "expected a vector of 32 numbers"],
      [null, "expected the feature generator's result to be a plain object"],
      [{ vector: new Array(32).fill(Number.NaN) }, "finite"],
    ] as const) {
      const { library } = await openTiny(":memory:", { featureGenerator: () => result as never });
      await expect(library.search("fox")).rejects.toThrow(reason);
      await library.close();
    }
  });
});

describe("bm25Scoring bm25plus (SPEC §25.4)", () => {
  test("scores what FTS5 finds by BM25+, with filters, phrases and excluded words", async () => {
    const { library, parts } = await openTiny(":memory:");
    await library.add(DOCUMENTS);
    for (const [text, items, required] of [
      ["quick fox", ["fox", "quick"], 0],
      ['"quick brown" fox', ["quick brown", "quick brown", "fox"], 1],
      ["fox -dog", ["fox"], 0],
      ["文字", ["文 字"], 0],
    ] as const) {
      const plus = await library.search(text, {
        mode: "lexical",
        bm25Scoring: "bm25plus",
        topK: 100,
        explain: true,
      });
      const plain = await library.search(text, { mode: "lexical", topK: 100 });
      expect(plus.results.map(({ chunkId }) => chunkId).sort()).toEqual(
        plain.results.map(({ chunkId }) => chunkId).sort(),
      );
      expect(plus.results.length).toBeGreaterThan(0);
      const counted = allChunks(parts.database);
      const { having, counts } = countItems(parts.database, items, counted);
      const score = bm25FromCounts(counted.totals, having, "bm25plus");
      const expected = [...counts.entries()]
        .filter(([, row]) => row.subarray(0, required).every((count) => count > 0))
        .map(([chunk, row]) => score(row, counted.tokensOf(chunk)));
      for (const { bm25 } of plus.explanation!.lexical) expect(expected).toContain(bm25);
      expect(plus.receipt.parameters.bm25Scoring).toBe("bm25plus");
      expect(await library.verifyReceipt(plus.receipt)).toMatchObject({ isSame: true });
    }
    const filtered = await library.search("fox", {
      mode: "lexical",
      bm25Scoring: "bm25plus",
      filters: { path: "guide/**" },
    });
    expect(new Set(filtered.results.map(({ path }) => path))).toEqual(new Set(["guide/fox.md"]));
    // Ties are broken by path and sequence, as in BM25.
    const ties = await library.search("ties", { mode: "lexical", bm25Scoring: "bm25plus", lexicalK: 2 });
    const same = await library.search("ties", { mode: "lexical", lexicalK: 2 });
    expect(ties.results.map(({ path }) => path)).toEqual(same.results.map(({ path }) => path));
    await library.close();
  });
});
