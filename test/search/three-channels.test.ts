/** Searches with vectors that were made elsewhere: the query's vector, sparse terms, a feature generator; and BM25+. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Library, type OutsideChunk, open, type SearchParameters } from "selfsame";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toHex } from "#dist/engine/digest.js";
import { bm25FromCounts } from "#dist/search/bm25.js";
import { allChunks, countItems } from "#dist/search/word-counts.js";
import { putOutside } from "#dist/store/outside.js";
import { type Opened, openTiny } from "../library/opened.ts";
import { sampleChunks } from "../library/outside-sample.ts";
import { splitmix32 } from "../reference/prng.ts";
import { fuse, ordered } from "../reference/ranking.ts";
import { idfTerms, integers, type SparseChunk, sparseSearch } from "../reference/sparse.ts";
import { scratchFolder } from "../store/scratch.ts";
import { DOCUMENTS } from "./documents.ts";

const TERMS = ["the", "quick", "fox", "merkle", "tree", "##s", "water", "none"];

/** Gives every third chunk a sparse vector, as an ingest does. */
function addSparse({ parts }: Opened): SparseChunk[] {
  const next = splitmix32(15);
  const rows = parts.database.all<{ chunk: number; chunkId: Uint8Array }>(
    "SELECT chunk, chunkId FROM chunks ORDER BY chunkId",
  );
  return parts.database.transaction(() => {
    parts.database.run("UPDATE documents SET isOutside = 1");
    return rows
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
      });
  });
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

describe("the sparse channel after changes", () => {
  const EXTERNAL = { model: "tiny", workers: 1, vectors: { name: "test", dimension: 16 } } as const;
  const words = ["fox", "restore", "backup", "index"];

  /** Every other chunk has the term "fox", which is a token of the small model. */
  const sample = (count: number): OutsideChunk[] =>
    sampleChunks(count, 16).map((chunk, i) => ({
      ...chunk,
      sparse: { terms: [chunk.sparse!.terms[0]!, i % 2 === 0 ? "fox" : "every"], weights: [1.25, 0.5] },
    }));

  /** What a library that was made at once says, to the bit. */
  async function same(library: Library, chunks: readonly OutsideChunk[]): Promise<void> {
    const fresh = await open(":memory:", EXTERNAL);
    await fresh.ingest(chunks);
    expect(await library.root()).toBe(await fresh.root());
    for (const parameters of [
      { sparse: { terms: words, weights: [0.1, 1, 2, 3] } },
      { filters: { path: "docs/d1*" }, sparse: { terms: words, weights: [0.1, 1, 2, 3] } },
      {}, // the query's own tokens, whose weights depend on counts
    ]) {
      const all = {
        mode: "lexical",
        weights: { sparse: 1 },
        topK: 100,
        explain: true,
        ...parameters,
      } as const;
      const [here, there] = [
        await library.search("restore fox", all),
        await fresh.search("restore fox", all),
      ];
      expect(here.explanation!.sparse).toEqual(there.explanation!.sparse);
      expect(here.receipt).toEqual(there.receipt);
      expect(here.explanation!.sparse!.length).toBeGreaterThan(0);
    }
    await fresh.close();
  }

  test("is that of the set: added, updated and removed documents, many and few", async () => {
    const library = await open(":memory:", EXTERNAL);
    let chunks = sample(100);
    await library.ingest(chunks);
    await same(library, chunks);
    const change = async (document: number, weight: number | null) => {
      const mine = chunks.filter(({ doc_id }) => doc_id === `docs/d${document}`);
      const others = chunks.filter((chunk) => !mine.includes(chunk));
      const news = (mine.length > 0 ? mine : sample(5 * (document + 1)).slice(5 * document)).map((chunk) => ({
        ...chunk,
        sparse: { terms: ["fox", "backup"], weights: [weight ?? 0, 1] },
      }));
      if (weight === null) await library.remove([`docs/d${document}`]);
      else await library.ingest(news);
      chunks = weight === null ? others : [...others, ...news];
      await same(library, chunks);
    };
    await change(3, 0.75); // other weights under the same ids
    await change(4, null);
    await change(30, 2); // a new one
    await change(3, 0.25);
    await change(30, null);
    // More than a difference may be: all are read again, in pages.
    chunks = sample(4_700);
    await library.ingest(chunks);
    await same(library, chunks);
    await change(7, 3);
    await library.close();
  });

  test("yields while many vectors are read, and answers although others write", async () => {
    const library = await open(":memory:", EXTERNAL);
    await library.ingest(sampleChunks(4_500, 16));
    const asked = {
      mode: "lexical",
      weights: { sparse: 1 },
      sparse: { terms: ["every"], weights: [1] },
    } as const;
    const search = library.search("restore", asked);
    let turns = 0;
    const ticking = setInterval(() => turns++, 0);
    await library.remove(["docs/d5"]);
    const { results } = await search;
    clearInterval(ticking);
    expect(results).toHaveLength(10);
    expect(turns).toBeGreaterThan(0);
    expect((await library.search("restore", { ...asked, topK: 1 })).receipt.root).toBe(await library.root());
    await library.close();
  });
});

test("without the tokenizer, the sparse channel is left out with a warning, unless terms are given", async () => {
  const folder = scratchFolder();
  const models = join(import.meta.dirname, "../../models");
  mkdirSync(join(folder, "tiny"));
  for (const file of ["tokenizer.json", "model.safetensors"])
    copyFileSync(join(models, "tiny", file), join(folder, "tiny", file));
  const manifest = JSON.parse(readFileSync(join(models, "tiny.json"), "utf8"));
  writeFileSync(join(folder, "other.json"), JSON.stringify({ ...manifest, name: "other", limit: 60 }));
  const model = pathToFileURL(join(folder, "other.json")).href;
  const name = join(folder, "library.db");
  const library = await open(name, { model, workers: 1, vectors: { name: "test", dimension: 16 } });
  await library.ingest(sampleChunks(20, 16));
  await library.close();
  rmSync(join(folder, "tiny/tokenizer.json"));
  const again = await open(name, { model, workers: 1 });
  const vector = new Array(16).fill(0).map((_, i) => i - 8);
  const own = await again.search("restore", { weights: { sparse: 1 }, vector });
  expect(own.warnings).toEqual([expect.stringContaining("sparse vectors were not searched")]);
  expect(own.receipt.parameters).toMatchObject({ mode: "hybrid" });
  expect(own.receipt.parameters.sparseWeight).toBeUndefined();
  expect(own.receipt).toEqual((await again.search("restore", { vector })).receipt);
  expect((await again.verifyReceipt(own.receipt)).isSame).toBe(true);
  const sparse = { terms: ["every"], weights: [1] };
  const given = await again.search("restore", { weights: { sparse: 1 }, vector, sparse });
  expect(given.warnings).toEqual([]);
  // Without a vector, what was searched is said: words and terms.
  const words = await again.search("restore", { weights: { sparse: 1 }, sparse });
  expect(words.warnings).toEqual([expect.stringContaining("only words and sparse vectors were searched")]);
  await again.close();
});
