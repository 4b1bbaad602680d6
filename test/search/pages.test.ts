import type { SearchAnswer, SearchParameters, SearchResult } from "selfsame";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Opened, openTiny } from "../library/opened.ts";
import { DOCUMENTS } from "./documents.ts";

let opened: Opened;
beforeAll(async () => {
  opened = await openTiny(":memory:");
  await opened.library.add(DOCUMENTS);
});
afterAll(() => opened.library.close());

async function walk(query: string, parameters: SearchParameters): Promise<SearchAnswer[]> {
  const pages: SearchAnswer[] = [await opened.library.search(query, parameters)];
  for (let cursor = pages[0]!.nextCursor; cursor !== null; cursor = pages.at(-1)!.nextCursor) {
    pages.push(await opened.library.search(query, { ...parameters, cursor }));
    if (pages.length > 500) throw new Error("expected an end of pages, got none");
  }
  return pages;
}

describe("pages", () => {
  test.each(["hybrid", "semantic", "lexical"] as const)(
    "widen the candidates as topK does: %s",
    async (mode) => {
      const { library } = await openTiny(":memory:");
      const text = (i: number) => `The merkle tree number ${i} has a root.`;
      await library.add(Array.from({ length: 70 }, (_, i) => ({ path: `${i}.txt`, text: text(i) })));
      const ids = ({ results }: SearchAnswer) => results.map(({ chunkId }) => chunkId);
      const all = await library.search("merkle tree", { mode, topK: 50 });
      const page = await library.search("merkle tree", { mode, pageSize: 50 });
      expect(all.results).toHaveLength(50);
      expect(ids(page)).toStrictEqual(ids(all));
      expect(page.receipt.parameters).toMatchObject({ pageSize: 50, semanticK: 50, lexicalK: 50 });
      await library.close();
    },
  );

  test.each<SearchParameters>([
    {},
    { mode: "semantic", semanticK: 31 },
    { mode: "lexical", lexicalK: 17 },
    { diversify: true },
    { groupBy: "path" },
    { filters: { path: "{copies,guide}/**" } },
    { filters: { mime: "text/*" }, filterMode: "post" },
  ])("of any size, one after the other, are the whole list: %j", async (parameters) => {
    const query = "merkle tree ties fox";
    const counts = { semanticK: 40, lexicalK: 40 }; // a page's size decides them otherwise
    const [whole] = await walk(query, { ...counts, ...parameters, pageSize: 10_000 });
    expect(whole!.nextCursor).toBeNull();
    expect(whole!.results.length).toBeGreaterThan(4);
    for (const pageSize of [1, 2, 3, 7, whole!.results.length]) {
      const pages = await walk(query, { ...counts, ...parameters, pageSize });
      const all: SearchResult[] = pages.flatMap(({ results }) => [...results]);
      expect(all).toStrictEqual(whole!.results);
      expect(pages.slice(0, -1).every(({ results }) => results.length === pageSize)).toBe(true);
      expect(pages.at(-1)!.results.length).toBeGreaterThan(0);
    }
  });

  test("have receipts of their own, each of which verifies and names its place", async () => {
    const pages = await walk("merkle tree ties fox", { pageSize: 6 });
    expect(pages.length).toBeGreaterThan(3);
    expect(new Set(pages.map(({ receipt }) => receipt.digest)).size).toBe(pages.length);
    for (const [i, { receipt, results }] of pages.entries()) {
      expect(receipt.results.map(({ id }) => id)).toStrictEqual(results.map(({ chunkId }) => chunkId));
      expect(receipt.parameters["from"]).toBe(i === 0 ? undefined : 6 * i);
      expect(await opened.library.verifyReceipt(receipt)).toMatchObject({ isSame: true });
    }
  });

  test("without pageSize there is no cursor", async () => {
    expect((await opened.library.search("fox", { topK: 1 })).nextCursor).toBeNull();
  });
});

describe("a cursor", () => {
  const cursorOf = async (parameters: SearchParameters = {}) =>
    (await opened.library.search("fox", { pageSize: 2, ...parameters })).nextCursor!;

  test("is refused for another query, other parameters, another page size", async () => {
    const cursor = await cursorOf();
    const stale = { code: "CURSOR_STALE" };
    await expect(opened.library.search("dog", { pageSize: 2, cursor })).rejects.toMatchObject(stale);
    for (const parameters of [
      { pageSize: 3 },
      { pageSize: 2, mode: "lexical" },
      { pageSize: 2, rrfK: 61 },
      { pageSize: 2, filters: { path: "**" } },
      { pageSize: 2, diversify: true },
    ] satisfies SearchParameters[]) {
      await expect(opened.library.search("fox", { ...parameters, cursor })).rejects.toMatchObject(stale);
    }
    expect((await opened.library.search("fox", { pageSize: 2, cursor, explain: true })).results).toHaveLength(
      2,
    );
  });

  test("is refused for another root, and good again once the documents are what they were", async () => {
    const cursor = await cursorOf();
    const next = () => opened.library.search("fox", { pageSize: 2, cursor });
    const { results } = await next();
    await opened.library.add([{ path: "other.txt", text: "unrelated" }]);
    await expect(next()).rejects.toMatchObject({
      code: "CURSOR_STALE",
      message: expect.stringContaining("first page"),
    });
    await opened.library.remove(["other.txt"]);
    expect((await next()).results).toStrictEqual(results);
  });

  test("is bound to metadata only where filters use it", async () => {
    const filtered = { filters: { mime: "text/*" } };
    const cursors = [await cursorOf(), await cursorOf(filtered)] as const;
    const fox = DOCUMENTS.find(({ path }) => path === "fox.txt")!;
    await opened.library.add([{ ...fox, modifiedAt: 77 }]);
    expect((await opened.library.search("fox", { pageSize: 2, cursor: cursors[0] })).results).toHaveLength(2);
    await expect(
      opened.library.search("fox", { pageSize: 2, ...filtered, cursor: cursors[1] }),
    ).rejects.toMatchObject({ code: "CURSOR_STALE" });
    await opened.library.add([fox]);
  });

  test.each([
    "",
    "garbage",
    "null",
    "2",
    ".",
    "2.abc",
    `2.${"g".repeat(32)}`,
    `-1.${"0".repeat(32)}`,
    "🎉",
    " ",
  ])("%j is none", async (cursor) => {
    await expect(opened.library.search("fox", { pageSize: 2, cursor })).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
      message: expect.stringContaining("cursor"),
    });
  });
});
