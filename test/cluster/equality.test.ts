/** A search over shards, and one of a library with the same documents: whole answers are equal. SPEC §29 */
import type { SearchParameters } from "selfsame";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Opened } from "../library/opened.ts";
import { draws, sampleChunks } from "../library/outside-sample.ts";
import { DOCUMENTS, QUERIES } from "../search/documents.ts";
import {
  canonicalPart,
  type Documents,
  openWhole,
  type Question,
  randomPrefixes,
  type Split,
  splitInto,
} from "./split.ts";

const long = import.meta.env.MODE === "long";
const COUNTS = long ? [1, 2, 3, 5, 8] : [3, 8];

/** Parameters that use every part of the pipeline. */
const PARAMETERS: readonly SearchParameters[] = [
  {},
  { mode: "semantic", topK: 5 },
  { mode: "lexical", explain: true },
  { mode: "hybrid", explain: true, topK: 3 },
  { diversify: { lambda: 0.4 } },
  { mode: "lexical", diversify: { lambda: 0.7 } },
  { nearDuplicates: 6, topK: 20 },
  { groupBy: "path", rrfK: 10 },
  { filters: { path: "guide/**" } },
  { filters: { path: "**" } },
  { filters: { mime: "text/*", modifiedAfter: 1500 }, filterMode: "post", explain: true },
  { filters: { contains: "tree", metadata: { level: [1, 2] } } },
  { bm25Scoring: "bm25plus", weights: { lexical: 2, semantic: 0.5 } },
  { minSimilarity: 0.3, preferCoverage: true },
  { bindPhrases: true, exact: true },
  { spelling: false, semanticK: 40, lexicalK: 2 },
  { preset: "docstokg" },
  { ef: 3, mode: "semantic", topK: 12 },
];

/** Misspelled words, several of them, and some that no word is near to. */
const MISSPELLED = [
  "mercle tre verifcation",
  "quik brwn fxo",
  "zzzzz qqqqq merkel -fox",
  "hypr paramter trees trees-hypr",
];

interface Case {
  readonly name: string;
  readonly documents: Documents;
  readonly queries: readonly string[];
  readonly parameters: readonly SearchParameters[];
  readonly answersByGraph: boolean;
}

const TEXTS: Documents["fill"] = (library, isWanted) =>
  library.add(DOCUMENTS.filter(({ path }) => isWanted(path)));

const DIM = 16;
const CHUNKS = long ? 1200 : 240;
const OUTSIDE: Documents["fill"] = (library, isWanted) => {
  const chunks = sampleChunks(CHUNKS, DIM, 3).filter(({ doc_id }) => isWanted(doc_id));
  return chunks.length === 0 ? Promise.resolve() : library.ingest(chunks);
};
const vectorOf = (seed: number) => {
  const next = draws(seed);
  return Array.from({ length: DIM }, () => next() / 2 ** 31 - 1);
};
const external = { name: "test model", dimension: DIM };
const SPARSE: readonly SearchParameters[] = [
  { vector: vectorOf(1) },
  { vector: vectorOf(2), mode: "semantic", topK: 30, ef: 8 },
  { vector: vectorOf(3), mode: "semantic", topK: 10, ef: 200, exact: true },
  { vector: vectorOf(4), weights: { sparse: 1 } },
  {
    vector: vectorOf(5),
    weights: { sparse: 2 },
    sparse: { terms: ["restore", "every", "none"], weights: [2, 0.5, 1] },
  },
  { mode: "lexical", weights: { sparse: 1 }, topK: 40 },
  { vector: vectorOf(6), filters: { path: "docs/d1*" }, weights: { sparse: 1 }, topK: 25 },
  { vector: vectorOf(7), diversify: { lambda: 0.5 }, nearDuplicates: 20, topK: 15 },
  { weights: { sparse: 1 } },
];

const CASES: readonly Case[] = [
  {
    name: "texts, the exact scan",
    documents: { options: {}, fill: TEXTS },
    queries: [...QUERIES, ...MISSPELLED],
    parameters: PARAMETERS,
    answersByGraph: false,
  },
  {
    name: "texts, graphs of small segments",
    documents: { options: { segment: 4 }, fill: TEXTS },
    queries: [...QUERIES.slice(0, 4), "fox -dog", "fox -nowhere", MISSPELLED[0]!],
    parameters: PARAMETERS,
    answersByGraph: true,
  },
  {
    name: "texts, a graph for everything",
    documents: { options: { index: "hnsw", segment: 5 }, fill: TEXTS },
    queries: QUERIES.slice(0, 4),
    parameters: PARAMETERS.slice(0, 5),
    answersByGraph: true,
  },
  {
    name: "outside chunks with sparse vectors, graphs",
    documents: { options: { vectors: external, segment: 16 }, fill: OUTSIDE },
    queries: ["restore the backup", '"hybrid search" -guide', "snapshott -nothing", "word7 word8"],
    parameters: SPARSE,
    answersByGraph: true,
  },
  {
    name: "outside chunks with sparse vectors, the exact scan",
    documents: { options: { vectors: external }, fill: OUTSIDE },
    queries: ["fusion rank", "vector -index"],
    parameters: SPARSE,
    answersByGraph: false,
  },
];

describe.each(CASES)("$name", ({ documents, queries, parameters, answersByGraph }) => {
  let whole: Opened;
  beforeAll(async () => {
    whole = await openWhole(documents);
  }, 120_000);
  afterAll(() => whole.library.close());

  test.each(COUNTS)(
    "%i shards",
    async (count) => {
      const index = await whole.parts.semantic.current(await whole.library.root());
      expect(index.answersByGraph).toBe(answersByGraph);
      const prefixes = await randomPrefixes(whole, count, draws(count));
      expect(prefixes).toHaveLength(count);
      const split = await splitInto(whole, documents, prefixes);
      try {
        expect(await split.sharded.root()).toBe(await whole.library.root());
        expect(await split.sharded.metadataRoot()).toBe(await whole.library.metadataRoot());
        await expectSame(whole, split, asked(queries, parameters, count));
      } finally {
        await split.close();
      }
    },
    300_000,
  );
});

/** All parameters with all queries; in the short mode every query and every parameter, each with some of the others. */
function asked(
  queries: readonly string[],
  parameters: readonly SearchParameters[],
  seed: number,
): Question[] {
  const all = queries.flatMap((query) => parameters.map((each): Question => [query, each]));
  if (long) return all;
  const next = draws(seed);
  return all.filter((_, i) => i % 5 === seed % 5 || next() % 12 === 0);
}

async function expectSame(
  { library }: Opened,
  { sharded }: Split,
  questions: readonly Question[],
): Promise<void> {
  for (const [query, given] of questions) {
    const expected = canonicalPart(await library.search(query, given));
    const actual = canonicalPart(await sharded.search(query, given));
    expect(actual, `${query} ${JSON.stringify(given)}`).toEqual(expected);
  }
}

describe("beside single answers", () => {
  const documents: Documents = { options: { segment: 4 }, fill: TEXTS };
  let whole: Opened;
  let split: Split;
  beforeAll(async () => {
    whole = await openWhole(documents);
    split = await splitInto(whole, documents, await randomPrefixes(whole, 5, draws(4)));
  }, 120_000);
  afterAll(async () => {
    await split.close();
    await whole.library.close();
  });

  test("pages follow each other, and a cursor of one is a cursor of the other", async () => {
    const { library } = whole;
    const { sharded } = split;
    let cursor: string | null = null;
    for (let page = 0; page < 4; page++) {
      const given: SearchParameters = { pageSize: 3, ...(cursor === null ? {} : { cursor }) };
      const expected = await library.search("merkle tree fox ties", given);
      // The ranking is cached after the first page, and its contents are asked for again.
      expect(canonicalPart(await sharded.search("merkle tree fox ties", given))).toEqual(
        canonicalPart(expected),
      );
      cursor = expected.nextCursor;
      if (cursor === null) break;
    }
    expect(cursor).not.toBeNull();
  });

  test("each verifies the receipts of the other", async () => {
    const { library } = whole;
    const { sharded } = split;
    for (const given of PARAMETERS.slice(0, 6)) {
      const { receipt } = await sharded.search("fox and trees", given);
      expect(await library.verifyReceipt(receipt)).toMatchObject({ isSame: true, differences: [] });
      const own = await library.search("fox and trees", given);
      expect(await sharded.verifyReceipt(own.receipt)).toMatchObject({ isSame: true, differences: [] });
    }
  });

  test("documents, chunks and counts are the same", async () => {
    const { library } = whole;
    const { sharded } = split;
    expect(await sharded.documents()).toEqual(await library.documents());
    const page = { after: "copies/b.txt", limit: 3, match: "**/*.md" };
    expect(await sharded.documents(page)).toEqual(await library.documents(page));
    for (const { path, documentId } of await library.documents()) {
      expect(await sharded.document(path)).toEqual(await library.document(path));
      expect(await sharded.lines(path, 1, 3)).toEqual(await library.lines(path, 1, 3));
      expect(await sharded.chunks(path)).toEqual(await library.chunks(path));
      expect(await sharded.paths([documentId, "f".repeat(32)])).toEqual([path, null]);
    }
    const [chunk] = await library.chunks("ties.md");
    expect(await sharded.chunk(chunk!.chunkId)).toEqual(await library.chunk(chunk!.chunkId));
    expect(await sharded.chunk("0".repeat(32))).toBeNull();
    expect(await sharded.document("none.md")).toBeNull();
    const { index: _, embeddings: __, ...counts } = await library.stats();
    expect(await sharded.stats()).toMatchObject(counts);
  });

  test("a hybrid search ranks in two rounds, and reads the results in a third", async () => {
    const { sharded, shards } = split;
    split.asked = 0;
    const { results } = await sharded.search("merkle trees", { nearDuplicates: 4, topK: 2 });
    const owners = new Set(results.map(({ documentId }) => ownerOf(split, documentId)));
    expect(split.asked).toBe(2 * shards.length + owners.size);
    split.asked = 0;
    await sharded.search("", { mode: "lexical", topK: 1 });
    expect(split.asked).toBe(shards.length);
  });
});

function ownerOf({ shards }: Split, documentId: string): string {
  const bits = BigInt(`0x${documentId}`).toString(2).padStart(128, "0");
  return shards.find(({ prefix }) => bits.startsWith(prefix))!.prefix;
}
