import { open, type SearchAnswer } from "selfsame";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Library } from "#dist/library/library.js";
import { openParts } from "#dist/library/open.js";
import { binary64Hex } from "#dist/store/bm25-probe.js";
import { type Opened, openTiny } from "../library/opened.ts";
import { splitmix32 } from "../reference/prng.ts";
import * as query from "../reference/query.ts";
import { cosine, unitVector } from "../reference/ranking.ts";
import { DOCUMENTS } from "./documents.ts";
import { writeChunks } from "./write-chunks.ts";

const ids = ({ results }: SearchAnswer) => results.map(({ chunkId }) => chunkId);

describe("by default", () => {
  test("both lists are fused whole, and a chunk is labelled by the lists that have it", async () => {
    const { library } = await openTiny(":memory:");
    await library.add(DOCUMENTS);
    // One common word of many: each chunk that has it is in the lexical list.
    const query = "fox nowhere nothing never anybody";
    const { results, explanation } = await library.search(query, { topK: 30, explain: true });
    const [semantic, lexical] = [explanation!.semantic, explanation!.lexical].map(
      (list) => new Map(list.map(({ chunkId, rank }) => [chunkId, rank])),
    );
    expect(lexical!.size).toBeGreaterThan(1);
    const labels = results.map(({ chunkId, match, scoreBreakdown }) => {
      const ranks = [semantic!.get(chunkId) ?? null, lexical!.get(chunkId) ?? null];
      expect(scoreBreakdown).toMatchObject({ semanticRank: ranks[0], lexicalRank: ranks[1] });
      const rrf = ranks.reduce<number>((sum, rank) => sum + (rank === null ? 0 : 1 / (60 + rank)), 0);
      expect(scoreBreakdown).toMatchObject({ rrf: expect.closeTo(rrf, 6) });
      expect(match).toBe(ranks[1] === null ? "semantic" : ranks[0] === null ? "lexical" : "hybrid");
      return match;
    });
    expect(new Set(labels)).toContain("hybrid");
    await library.close();
  });

  test("the semantic score of the same text is 1, and no score is outside of 0 to 1", async () => {
    const library = await open(":memory:", { workers: 1 });
    const texts = ["Ties are broken by path.", "The quick brown fox.", "Merkle trees have a root.", "A dog."];
    await library.add(texts.map((text, i) => ({ path: `${i}.txt`, text })));
    let highest = 0;
    for (const text of texts) {
      const { results } = await library.search(text, { mode: "semantic" });
      for (const { score, scoreBreakdown } of results) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        highest = Math.max(highest, (scoreBreakdown as { cosine: number }).cosine);
      }
      expect(results[0]!.score).toBeGreaterThan(0.9999);
    }
    expect(highest).toBeGreaterThan(1); // the cosine itself is not clamped
    await library.close();
  });
});

describe("preferCoverage", () => {
  test("puts what both channels found before the rest, where scores are equal", async () => {
    const { library } = await openTiny(":memory:");
    await library.add(DOCUMENTS);
    const search = (preferCoverage: boolean) =>
      library.search("merkle fox ties", {
        weights: { semantic: 0, lexical: 0 },
        preferCoverage,
        topK: 60,
        semanticK: 9,
      });
    const isHybrid = ({ results }: SearchAnswer) => results.map(({ match }) => match === "hybrid");
    const covered = isHybrid(await search(true));
    expect(covered.filter(Boolean).length).toBeGreaterThan(2);
    expect(covered).toStrictEqual([...covered].sort().reverse());
    const plain = await search(false);
    expect(isHybrid(plain)).not.toStrictEqual(covered);
    const places = plain.results.map(({ path }) => Buffer.from(path));
    expect(places).toStrictEqual([...places].sort(Buffer.compare));
    await library.close();
  });
});

describe("diversify", () => {
  const NEAR = [
    "Back up the database every night and keep the copies on another machine.",
    "Back up the database every night, and keep the copies on another machine!",
    "Back up the database each night and keep the copies on another machine.",
    "Every night, back up the database and keep the copies on another machine.",
    "Back up the database every night and keep copies on another machine.",
  ];
  const OTHERS = [
    "A disaster recovery plan names who restores which service, and in which order.",
    "Replication to a second data centre protects against fire and flood.",
    "Snapshots of the disk are taken before each upgrade so that it can be undone.",
    "Losing customer records is worse than an hour without service.",
    "Test your restores: a copy that was never read may not be readable.",
    "Encrypt archives before they leave the building, and keep the key elsewhere.",
    "RAID keeps running when one disk fails, but does not protect from deletion.",
    "Cloud storage with versions lets you get an overwritten file back.",
    "Old tapes were stored in a salt mine to survive for decades.",
    "Power cuts during a write corrupt files unless a journal is kept.",
    "Ransomware encrypts whatever it can reach, mounted shares included.",
  ];

  test("of five near-duplicates among relevant others, at most one is near the top", async () => {
    const parts = await openParts(":memory:", { workers: 1 });
    const library = new Library(parts);
    await library.add(
      [...NEAR, ...OTHERS].map((text, i) => ({ path: `${String(i).padStart(2, "0")}.txt`, text })),
    );
    const question = "how do we protect ourselves against loss of data?";
    const pairs = async (answer: SearchAnswer) => {
      const index = await parts.semantic.current(await library.root());
      const vectors = ids(answer).map((id) => index.vector(Buffer.from(id, "hex"))!);
      return vectors.flatMap((a, i) => vectors.slice(i + 1).map((b) => cosine(a, b)));
    };
    const near = await library.search(NEAR[0]!, { mode: "semantic", topK: 5 });
    expect(near.results.map(({ content }) => content.trim()).sort()).toStrictEqual([...NEAR].sort());
    expect(Math.min(...(await pairs(near)))).toBeGreaterThan(0.95);

    const plain = await library.search(question, { mode: "semantic", topK: 5 });
    expect(Math.max(...(await pairs(plain)))).toBeGreaterThan(0.95);
    for (const mode of ["semantic", "hybrid"] as const) {
      const diverse = await library.search(question, { mode, topK: 5, diversify: true });
      expect(diverse.results).toHaveLength(5);
      expect(Math.max(...(await pairs(diverse)))).toBeLessThan(0.9);
    }
    await library.close();
  });
});

describe("an index with a graph", () => {
  test("is asked by ef, and scanned where exact is asked, a filter or an excluded word is there", async () => {
    const { library, parts } = await openTiny(":memory:", { index: "hnsw" });
    const next = splitmix32(3);
    const draw = () => unitVector(Array.from({ length: 32 }, () => next() / 2 ** 31 - 1));
    const documents = Array.from({ length: 150 }, (_, i) => ({
      path: `${i}.txt`,
      chunks: Array.from({ length: 10 }, (__, j) => `chunk ${i} ${j} of ${next() % 50}\n`),
    }));
    writeChunks(parts, documents, draw);
    const vector = await parts.embedder.embed("chunk");
    const index = await parts.semantic.current(await library.root());
    const hex = (hits: readonly { id: Uint8Array }[]) =>
      hits.map(({ id }) => Buffer.from(id).toString("hex"));
    const search = (parameters: object) =>
      library.search("chunk", { mode: "semantic", topK: 20, ...parameters });
    for (const ef of [20, 50, 400]) {
      expect(ids(await search({ ef }))).toStrictEqual(hex(index.search(vector, { k: 20, ef })));
    }
    const exact = hex(index.exact(vector, { k: 20 }));
    expect(ids(await search({ exact: true }))).toStrictEqual(exact);
    expect(ids(await search({ filters: { path: "**" } }))).toStrictEqual(exact);
    const without = await library.search("chunk -49", { mode: "semantic", topK: 20 });
    const all = hex(index.exact(vector, { k: 1500 }));
    const has49 = new Set(
      (await library.search("49", { mode: "lexical", topK: 1500 })).results.map(({ chunkId }) => chunkId),
    );
    expect(has49.size).toBeGreaterThan(5);
    expect(ids(without)).toStrictEqual(all.filter((id) => !has49.has(id)).slice(0, 20));
    await library.close();
  });
});

describe("common terms", () => {
  // Every word i occurs in every (i + 1)th chunk.
  const CHUNKS = 12_000;
  const WORDS = ["every", "other", "third", "fourth", "fifth", "sixth"];
  let opened: Opened;
  beforeAll(async () => {
    opened = await openTiny(":memory:");
    const vector = unitVector(Array.from({ length: 32 }, (_, i) => i - 9));
    const text = (n: number) => `${WORDS.filter((_, i) => n % (i + 1) === 0).join(" ")} number${n}\n`;
    for (let from = 0; from < CHUNKS; from += 2_000) {
      const documents = Array.from({ length: 20 }, (_, i) => ({
        path: `${from + 100 * i}.txt`,
        chunks: Array.from({ length: 100 }, (__, j) => text(from + 100 * i + j)),
      }));
      writeChunks(opened.parts, documents, () => vector);
    }
  });
  afterAll(() => opened.library.close());

  test.each([
    ["every"],
    ["every other"],
    ["every other third fourth fifth sixth"],
    ["other third fourth number77"],
    ["every number5 nowhere"],
    ['every other third "fourth fifth"'],
    ["every other third -sixth"],
  ])("%s: all of them count, and FTS5 agrees to the last bit (SPEC §25.3)", async (text) => {
    const { explanation, results, receipt } = await opened.library.search(text, {
      mode: "lexical",
      explain: true,
    });
    const parsed = query.parseQuery(text);
    expect(explanation!.matchExpression).toBe(query.match(parsed));
    // With NOT, bm25() depends on the order of the rows.
    const rows = opened.parts.database.all<{ id: string; score: number }>(
      `SELECT lower(hex(chunkId)) AS id, bm25(search) AS score
       FROM search JOIN chunks ON chunk = search.rowid JOIN documents USING (documentId)
       WHERE search MATCH ? ${text.includes("-sixth") ? "AND chunks.text NOT LIKE '%sixth%'" : ""}
       ORDER BY score, path, sequence LIMIT 10`,
      [query.match({ ...parsed, excluded: [] })!],
    );
    expect(results.map(({ chunkId }) => chunkId)).toStrictEqual(rows.map(({ id }) => id));
    expect(receipt.results.map(({ score }) => score)).toStrictEqual(
      rows.map(({ score }) => binary64Hex(score)),
    );
  });
});

test("open is enough to search: the public entry", async () => {
  const library = await open(":memory:", { model: "tiny", workers: 1 });
  await library.add(DOCUMENTS);
  expect((await library.search("how are ties broken?")).results.length).toBe(10);
  await library.close();
});
