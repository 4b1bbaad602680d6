/** The ranking tests of contract 5 (DocsToKG), by the names that it gives them. */
import { expect, test } from "vitest";
import { type Opened, openTiny } from "../library/opened.ts";
import { splitmix32 } from "../reference/prng.ts";
import { cosine, unitVector } from "../reference/ranking.ts";
import { DOCUMENTS } from "./documents.ts";
import { writeChunks } from "./write-chunks.ts";

test("test_rrf_determinism: ten runs of a query, and another history of the library, rank alike", async () => {
  const [first, second] = [await openTiny(":memory:"), await openTiny(":memory:")];
  await first.library.add(DOCUMENTS);
  for (const document of [...DOCUMENTS].reverse()) await second.library.add([document]);
  const asked = {
    preset: "docstokg",
    weights: { sparse: 0.2 },
    sparse: { terms: ["fox"], weights: [1] },
  } as const;
  const { receipt } = await first.library.search("quick fox trees", asked);
  expect(receipt.results.length).toBeGreaterThan(5);
  // Checking a receipt always searches again, whatever is cached.
  for (let run = 0; run < 10; run++)
    expect((await first.library.verifyReceipt(receipt)).actual).toEqual(receipt);
  expect((await second.library.search("quick fox trees", asked)).receipt).toEqual(receipt);
  for (const { library } of [first, second]) await library.close();
});

/** Vectors whose cosine with the query is `near`, in directions of their own. */
function around(query: readonly number[], axis: number, near: number): number[] {
  const length = Math.hypot(...query);
  const side = Math.sqrt(1 - near * near);
  return query.map((x, i) => near * (x / length) + (i === axis ? side : 0));
}

async function opened(): Promise<{
  library: Opened["library"];
  vectors: Map<string, Int16Array>;
  query: number[];
}> {
  const { library, parts } = await openTiny(":memory:");
  const next = splitmix32(5);
  // The query lies in the first half of the axes, everything else leaves it in the second half.
  const query = Array.from({ length: 32 }, (_, i) => (i < 16 ? 1 + (next() % 100) / 100 : 0));
  const vectors = new Map<string, Int16Array>();
  const add = (text: string, values: number[]) => vectors.set(text, unitVector(values));
  for (let i = 0; i < 5; i++) {
    const values = around(query, 16, 0.8);
    values[17 + i] = 0.05;
    add(`near-duplicate ${i}\n`, values);
  }
  for (let i = 0; i < 10; i++) add(`other ${i}\n`, around(query, 22 + i, 0.75 - i / 100));
  const documents = [...vectors.keys()].map((text, i) => ({ path: `${i}.txt`, chunks: [text] }));
  writeChunks(parts, documents, (text) => vectors.get(text)!);
  return { library, vectors, query };
}

test("test_mmr_diversification: of five near-duplicates one is in the first five, which are below a cosine of 0.90", async () => {
  const { library, vectors, query } = await opened();
  const search = async (diversify: boolean) => {
    const { results } = await library.search("anything", {
      ...{ preset: "docstokg", mode: "semantic", vector: query, topK: 5, diversify },
    });
    expect(results).toHaveLength(5);
    const found = results.map(({ content }) => vectors.get(content)!);
    return found.flatMap((a, i) => found.slice(i + 1).map((b) => cosine(a, b)));
  };
  expect(Math.min(...(await search(false)))).toBeGreaterThan(0.95);
  expect(Math.max(...(await search(true)))).toBeLessThan(0.9);
  await library.close();
});
