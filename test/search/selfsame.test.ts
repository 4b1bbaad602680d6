import type { IndexKind, SearchParameters } from "selfsame";
import { printReceipt } from "selfsame";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scratchFolder } from "../store/scratch.ts";
import { QUERIES } from "./documents.ts";
import { makeSelves, printed, type Self } from "./selves.ts";

const long = import.meta.env.MODE === "long";

const SEARCHES: readonly SearchParameters[] = [
  {},
  { mode: "semantic", topK: 30 },
  { mode: "lexical", topK: 30 },
  { diversify: true, explain: true },
  { groupBy: "path", preferCoverage: true, weights: { semantic: 0.65, lexical: 0.35 } },
  { filters: { path: "**/*.md", mime: "text/*" } },
  { filters: { modifiedAfter: 1_500 }, filterMode: "post" },
  { pageSize: 3 },
  { preset: "docstokg", diversify: true },
];

describe.each(["exact", "hnsw"] satisfies IndexKind[])("libraries of the index %s", (index) => {
  const folder = scratchFolder();
  let selves: Self[];
  beforeAll(async () => {
    selves = await makeSelves(folder, { index });
  });
  afterAll(async () => {
    for (const { opened } of selves) await opened.library.close();
  });

  test("of the same documents have the same root and canon, whatever their builds and histories", async () => {
    const roots = selves.map(async ({ opened: { library } }) => [
      await library.root(),
      await library.metadataRoot(),
      library.canon,
    ]);
    expect(new Set((await Promise.all(roots)).map(String)).size).toBe(1);
  });

  test("answer with the same bytes, asked once or twice", async () => {
    for (const query of index === "exact" || long ? QUERIES : QUERIES.slice(0, 5)) {
      for (const parameters of SEARCHES) {
        const expected = printed(await selves[0]!.opened.library.search(query, parameters));
        for (const { name, opened } of selves) {
          const answers = [
            printed(await opened.library.search(query, parameters)),
            printed(await opened.library.search(query, parameters)),
          ];
          expect(answers, `${name}: ${query} ${JSON.stringify(parameters)}`).toStrictEqual([
            expected,
            expected,
          ]);
        }
      }
    }
  });

  test("verify each other's receipts", async () => {
    const { library } = selves[0]!.opened;
    for (const query of QUERIES.slice(0, 6)) {
      for (const parameters of SEARCHES) {
        const { receipt, nextCursor } = await library.search(query, parameters);
        const receipts = [receipt];
        if (nextCursor !== null) {
          receipts.push((await library.search(query, { ...parameters, cursor: nextCursor })).receipt);
        }
        for (const each of receipts) {
          for (const { opened, name } of selves.slice(1)) {
            const verdict = await opened.library.verifyReceipt(printReceipt(each));
            expect(verdict, name).toMatchObject({ isSame: true, differences: [] });
            expect(verdict.actual.digest).toBe(each.digest);
          }
        }
      }
    }
  });
});
