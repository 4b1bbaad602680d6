import type { SearchAnswer, SearchMode, SearchParameters } from "selfsame";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Library } from "#dist/library/library.js";
import { RankingCache } from "#dist/search/cache.js";
import { type Opened, openTiny } from "../library/opened.ts";
import { DOCUMENTS, QUERIES } from "./documents.ts";
import { printed } from "./selves.ts";

describe("a library's answers", () => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await openTiny(":memory:");
    await opened.library.add(DOCUMENTS);
  });
  afterEach(() => opened.library.close());

  test("are the same from the cache as they were at first, and come without embedding anew", async () => {
    const embed = vi.spyOn(opened.parts.embedder, "embed");
    for (const query of QUERIES) {
      for (const parameters of [{}, { pageSize: 2 }, { explain: true }, { filters: { path: "guide/**" } }]) {
        const first = await opened.library.search(query, parameters);
        const calls = embed.mock.calls.length;
        const second = await opened.library.search(query, parameters);
        expect(printed(second)).toBe(printed(first));
        expect(embed).toHaveBeenCalledTimes(calls);
      }
    }
    expect(embed.mock.calls.length).toBeGreaterThan(10);
  });

  test("tell how long each channel took, and none where the answer was known", async () => {
    const { timings } = await opened.library.search("quick fox");
    expect(Object.keys(timings)).toStrictEqual([
      ...["embedding", "semantic", "lexical", "sparse", "ranking", "total"],
    ]);
    expect(Math.min(timings.semantic, timings.lexical)).toBeGreaterThan(0);
    expect(timings.semantic + timings.lexical).toBeLessThanOrEqual(timings.ranking);
    expect(timings.embedding + timings.ranking).toBeCloseTo(timings.total);
    const known = (await opened.library.search("quick fox")).timings;
    expect([known.embedding, known.semantic, known.lexical, known.sparse]).toStrictEqual([0, 0, 0, 0]);
    const words = (await opened.library.search("quick fox", { mode: "lexical" })).timings;
    expect([words.embedding < words.total, words.semantic]).toStrictEqual([true, 0]);
  });

  test("are of the question as it was asked, whatever the caller does to it meanwhile and later", async () => {
    const { library } = opened;
    await library.add([
      { path: "given/a.md", text: "willow by the water", metadata: { k: "a" }, mime: "text/plain" },
      { path: "given/b.md", text: "willow on the hill", metadata: { k: "b" }, mime: "text/html" },
    ]);
    const values = { k: ["a"], path: ["given/a.*"], mime: ["text/plain"] };
    const weights = { semantic: 1 };
    const given = {
      mode: "hybrid" as SearchMode,
      weights,
      filters: { metadata: { k: values.k }, path: values.path, mime: values.mime },
    };
    const asked = structuredClone(given);
    const paths = ({ results }: SearchAnswer) => results.map(({ path }) => path);
    const change = () => {
      values.k[0] = "b";
      values.path[0] = "given/b.*";
      values.mime[0] = "text/html";
      weights.semantic = 7;
      given.mode = "lexical";
    };
    const answered = library.search("willow", given);
    change();
    const answer = await answered;
    expect(paths(answer)).toStrictEqual(["given/a.md"]);
    expect(answer.receipt.parameters).toMatchObject({
      mode: "hybrid",
      semanticWeight: 1,
      filters: { metadata: { k: ["a"] }, path: ["given/a.*"], mime: ["text/plain"] },
    });
    const again = await library.search("willow", asked);
    expect(printed(again)).toBe(printed(answer));
    expect(printed(await library.search("willow", structuredClone(asked)))).toBe(printed(answer));
    expect((await library.verifyReceipt(again.receipt)).isSame).toBe(true);
    asked.filters.metadata.k.push("c");
    expect(again.receipt.parameters["filters"]).toMatchObject({ metadata: { k: ["a"] } });
  });

  test("are not what a receipt is checked by: its search is made again", async () => {
    const { library, parts } = opened;
    const { receipt } = await library.search("quick fox");
    const embed = vi.spyOn(parts.embedder, "embed");
    const get = vi.spyOn(parts.database, "get");
    expect((await library.verifyReceipt(receipt)).isSame).toBe(true);
    expect(embed).toHaveBeenCalledTimes(1);
    expect(get.mock.calls.some(([sql]) => sql.includes("search_data"))).toBe(true);
  });

  test("cannot be changed from outside", async () => {
    const first = await opened.library.search("fox");
    const before = printed(first);
    (first.results as unknown[]).reverse();
    (first.results[0] as { content: string }).content = "changed";
    (first.receipt as { digest: string }).digest = "changed";
    expect(printed(await opened.library.search("fox"))).toBe(before);
    const again = await opened.library.search("fox");
    (again.results as unknown[]).length = 0;
    expect(printed(await opened.library.search("fox"))).toBe(before);
  });

  test("say what their chunks say when these were written anew: the root is the same, their rows are others", async () => {
    const { library } = opened;
    const before = new Map<string, string>();
    const search = async (query: string) => printed(await library.search(query, { topK: 20 }));
    for (const query of QUERIES) before.set(query, await search(query));
    const root = await library.root();
    const turns = [
      async () => {
        // Each document is written after all others were, in the opposite order.
        await library.add([...DOCUMENTS].reverse(), { force: true });
      },
      async () => {
        await library.remove(DOCUMENTS.map(({ path }) => path));
        await library.add([{ path: "between.md", text: "# Between\n\nThe quick brown fox took the rows." }]);
        await library.add([...DOCUMENTS].reverse());
        await library.remove(["between.md"]);
      },
    ];
    for (const turn of turns) {
      await turn();
      expect(await library.root()).toBe(root);
      for (const query of QUERIES) expect(await search(query)).toBe(before.get(query));
    }
  });

  test("are never those of a library that was: after an addition, a removal, a change of metadata", async () => {
    const { library } = opened;
    const search = () => library.search("quick fox", { filters: { mime: "text/*" } });
    const fresh = async () => {
      const other = await openTiny(":memory:");
      const held = (await library.documents()).map(({ path, mime, modifiedAt, metadata }) => {
        const { text } = opened.parts.database.get<{ text: string }>(
          "SELECT text FROM documents JOIN texts USING (documentId) WHERE path = ?",
          [path],
        )!;
        return { path, mime, modifiedAt, metadata: metadata as Record<string, string> | null, text };
      });
      await other.library.add(held);
      const answer = printed(await other.library.search("quick fox", { filters: { mime: "text/*" } }));
      await other.library.close();
      return answer;
    };
    const answers = [printed(await search())];
    const steps = [
      () => library.add([{ path: "new.txt", text: "a quick fox, newer", mime: "text/plain" }]),
      () => library.add([{ path: "new.txt", text: "a quick fox, newest", mime: "text/plain" }]),
      () =>
        library.add([
          { path: "new.txt", text: "a quick fox, newest", mime: "text/plain", metadata: { n: 1 } },
        ]),
      () => library.add([{ path: "new.txt", text: "a quick fox, newest", mime: "image/png" }]),
      () => library.remove(["fox.txt"]),
      () => library.remove(["new.txt"]),
    ];
    for (const step of steps) {
      await step();
      const answer = printed(await search());
      expect(answer).not.toBe(answers.at(-1));
      expect(answer).toBe(await fresh());
      answers.push(answer);
    }
    await library.add([DOCUMENTS.find(({ path }) => path === "fox.txt")!]);
    expect(printed(await search())).toBe(answers[0]);
  });

  test("of all pages come from one ranking", async () => {
    const embed = vi.spyOn(opened.parts.embedder, "embed");
    const first = await opened.library.search("merkle tree", { pageSize: 4 });
    const cursor = first.nextCursor!;
    const second = await opened.library.search("merkle tree", { pageSize: 4, cursor });
    expect(embed).toHaveBeenCalledTimes(1);
    const fresh = new Library(opened.parts);
    expect(printed(await fresh.search("merkle tree", { pageSize: 4, cursor }))).toBe(printed(second));
  });

  test("are not mistaken for another: a cursor that reads like no cursor is still a bad one", async () => {
    await opened.library.search("fox", { pageSize: 2 });
    await expect(opened.library.search("fox", { pageSize: 2, cursor: "null" })).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
    });
  });

  test("stay right while the library is written to", async () => {
    const { library } = opened;
    const root = await library.root();
    const searches: Promise<[SearchParameters, SearchAnswer]>[] = [];
    const search = async (parameters: SearchParameters) => {
      const answer = await library.search("quick fox", parameters);
      return [parameters, answer] as [SearchParameters, SearchAnswer];
    };
    const writes: Promise<unknown>[] = [];
    for (let i = 0; i < 12; i++) {
      searches.push(search({ topK: 1 + i }));
      writes.push(library.add([{ path: `more/${i}.txt`, text: `a quick fox, number ${i}` }]));
      searches.push(search({ mode: "semantic", topK: 1 + i }));
      writes.push(library.remove([`more/${i}.txt`]));
    }
    await Promise.all(writes);
    // Each answer is that of the state that its receipt names; all that name this one are asked for again.
    const ofThisRoot = (await Promise.all(searches)).filter(([, answer]) => answer.receipt.root === root);
    expect(ofThisRoot.length).toBeGreaterThan(0);
    const fresh = new Library(opened.parts);
    for (const [parameters, answer] of ofThisRoot) {
      expect(printed(await fresh.search("quick fox", parameters))).toBe(printed(answer));
    }
  });
});

test("first searches at once share one index, and writes meanwhile do no harm", async () => {
  const opened = await openTiny(":memory:", { index: "hnsw" });
  await opened.library.add(DOCUMENTS);
  const searches = QUERIES.map((query) => opened.library.search(query, { mode: "semantic" }));
  const added = opened.library.add([{ path: "late.txt", text: "a late fox" }]);
  await Promise.all([...searches, added]);
  await opened.library.remove(["late.txt"]);
  const alone = await openTiny(":memory:", { index: "hnsw" });
  await alone.library.add(DOCUMENTS);
  for (const query of QUERIES) {
    const answers = [opened, alone].map(async ({ library }) => printed(await library.search(query)));
    const [here, there] = await Promise.all(answers);
    expect(here).toBe(there);
  }
  await opened.library.close();
  await alone.library.close();
});

describe("the cache", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("forgets what was not asked for longest, and all after a while", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const cache = new RankingCache<number>(3, 1000);
    for (const [i, key] of ["a", "b", "c"].entries()) cache.set(key, i);
    expect(cache.get("a")).toBe(0);
    cache.set("d", 3);
    expect(["a", "b", "c", "d"].map((key) => cache.get(key))).toStrictEqual([0, undefined, 2, 3]);
    vi.advanceTimersByTime(999);
    expect(cache.get("a")).toBe(0);
    vi.advanceTimersByTime(2);
    expect(["a", "c", "d"].map((key) => cache.get(key))).toStrictEqual([undefined, undefined, undefined]);
  });
});
