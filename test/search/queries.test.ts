import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Opened, openTiny } from "../library/opened.ts";
import { DOCUMENTS } from "./documents.ts";
import { expectedAnswer } from "./oracle.ts";

let opened: Opened;
beforeAll(async () => {
  opened = await openTiny(":memory:");
  await opened.library.add(DOCUMENTS);
});
afterAll(() => opened.library.close());

const paths = async (query: string, mode: "hybrid" | "lexical" | "semantic" = "lexical") => {
  const { results } = await opened.library.search(query, { mode, topK: 60, semanticK: 60, lexicalK: 60 });
  return results.map(({ path }) => path);
};

describe("odd queries", () => {
  test.each<[string, string]>([
    ["empty", ""],
    ["white space", " \t\r\n\u3000 "],
    ["punctuation", "?!… — ()[]{} *^:+"],
    ["quotation marks", '"""'],
    ["an excluded word alone", "-fox"],
    ["a dash", "-"],
    ["an unbalanced quotation mark", 'fox "quick brown'],
    ["operators of FTS5", "fox AND OR NOT NEAR(dog fox, 2) text:fox ^fox fox*"],
    ["quotes within", 'fox" OR "1"="1'],
    ["SQL", "'; DROP TABLE chunks; --"],
    ["NUL", "fox\0dog"],
    ["lone surrogates", "fox \ud800 dog \udfff"],
    ["a byte order mark", "\ufefffox\ufeff"],
    ["marks of highlights", "\u0002fox\u0003"],
    ["many dashes", "--fox -–- dog"],
    ["one character", "7"],
    ["right to left", "שלום fox \u202e"],
    ["emoji", "😀 fox 🎉"],
  ])("%s: a defined answer in each mode", async (_, query) => {
    for (const mode of ["hybrid", "semantic", "lexical"] as const) {
      const { results, warnings } = await opened.library.search(query, { mode });
      const expected = await expectedAnswer(opened, query, { mode });
      expect(results.map(({ chunkId }) => chunkId)).toStrictEqual(expected.ids);
      expect(warnings).toStrictEqual([]);
    }
  });

  test("those without a word find nothing, and say so in a receipt that verifies", async () => {
    for (const query of ["", "?!", '""', "-fox", " "]) {
      const { results, receipt, nextCursor } = await opened.library.search(query, { pageSize: 5 });
      expect([results, receipt.results, nextCursor]).toStrictEqual([[], [], null]);
      expect((await opened.library.verifyReceipt(receipt)).isSame).toBe(true);
    }
  });

  test.each(["merkle ", '"quick fox" ', "-dog ", "東京", "\0", "((((", 'fox" ', "x", "ж", "\u{1d400}"])(
    "100 KB of %j",
    async (piece) => {
      const query = piece.repeat(Math.ceil(100_000 / piece.length)).slice(0, 100_000);
      for (const mode of ["hybrid", "lexical"] as const) {
        const { results, receipt } = await opened.library.search(query, { mode });
        const expected = await expectedAnswer(opened, query, { mode });
        expect(results.map(({ chunkId }) => chunkId)).toStrictEqual(expected.ids);
        expect((await opened.library.verifyReceipt(receipt)).isSame).toBe(true);
      }
    },
  );
});

describe("words", () => {
  test("an identifier is found where its parts follow each other, and first", async () => {
    expect(await paths("calculate_hyper_parameter_v7")).toStrictEqual(["src/order.ts"]);
    expect((await paths("function calculate_hyper_parameter_v7", "hybrid"))[0]).toBe("src/order.ts");
  });

  test("scripts without spaces are found by their characters", async () => {
    expect(await paths("東京タワー")).toStrictEqual(["日本/東京.md"]);
    expect(await paths("文字")).toStrictEqual(["日本/山.txt", "日本/東京.md"]);
    expect(await paths("都東")).toStrictEqual([]);
  });

  test("case, diacritics and endings do not matter, words of a phrase and their order do", async () => {
    expect(await paths("CREME")).toStrictEqual(["café.md"]);
    expect(await paths("cafés")).toContain("café.md");
    expect(await paths("verifiable")).toStrictEqual(await paths("verify"));
    expect(await paths('"brown fox"')).toContain("fox.txt");
    expect(await paths('"fox brown"')).toStrictEqual([]);
    expect(await paths("fox brown")).toContain("fox.txt");
  });

  test("phrases must match in both channels", async () => {
    for (const mode of ["lexical", "semantic", "hybrid"] as const)
      expect(new Set(await paths('"quick brown fox" merkle', mode))).toStrictEqual(
        new Set(["fox.txt", "guide/fox.md"]),
      );
  });

  test("what is excluded is found by no channel", async () => {
    for (const mode of ["hybrid", "semantic", "lexical"] as const) {
      const { results } = await opened.library.search('merkle fox -quick -"文字"', {
        mode,
        topK: 100,
        semanticK: 100,
      });
      expect(results.length).toBeGreaterThan(0);
      for (const { content } of results) expect(content).not.toMatch(/quick|文字/i);
    }
    const all = await opened.library.search("merkle", { mode: "semantic", topK: 100 });
    const without = await opened.library.search("merkle -quick", { mode: "semantic", topK: 100 });
    const kept = all.results.filter(({ content }) => !/quick/i.test(content));
    expect(without.results.map(({ chunkId }) => chunkId)).toStrictEqual(kept.map(({ chunkId }) => chunkId));
    expect(kept.length).toBeLessThan(all.results.length);
  });

  test("stop words count where nothing else is there", async () => {
    expect(await paths("the")).toContain("fox.txt");
    expect(await paths("the merkle")).toStrictEqual(await paths("merkle"));
  });

  test("the same words in another spelling give the same receipt", async () => {
    const [composed, decomposed] = ["caf\u00e9 cr\u00e8me\n", "cafe\u0301 cre\u0300me"];
    const digests = [composed, decomposed].map(
      async (query) => (await opened.library.search(query)).receipt.digest,
    );
    expect(new Set(await Promise.all(digests)).size).toBe(1);
  });
});
