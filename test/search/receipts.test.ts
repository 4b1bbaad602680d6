import { printReceipt, type Receipt, type SearchParameters } from "selfsame";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Opened, openTiny } from "../library/opened.ts";
import { type Body, receiptDigest } from "../reference/receipt.ts";
import { DOCUMENTS } from "./documents.ts";

let opened: Opened;
beforeEach(async () => {
  opened = await openTiny(":memory:");
  await opened.library.add(DOCUMENTS);
});
afterEach(() => opened.library.close());

const receiptOf = async (query: string, parameters: SearchParameters = {}): Promise<Receipt> =>
  (await opened.library.search(query, parameters)).receipt;
const differences = async (receipt: Receipt | string) =>
  (await opened.library.verifyReceipt(receipt)).differences;

describe("a receipt", () => {
  test("holds the library, the question with all its parameters, and the answer", async () => {
    const { library } = opened;
    const { receipt, results } = await library.search("quick  fox \n", {
      topK: 3,
      filters: { path: "*.txt" },
    });
    const parameters = {
      mode: "hybrid",
      topK: 3,
      semanticK: 20,
      lexicalK: 20,
      rrfK: 60,
      semanticWeight: 1,
      lexicalWeight: 1,
      ef: 50,
      exact: false,
      preferCoverage: false,
      filters: { path: ["*.txt"] },
      filterMode: "pre",
      lambda: null,
      groupBy: null,
      minSimilarity: null,
      bindPhrases: true,
      spelling: true,
    };
    expect(receipt).toStrictEqual({
      canon: library.canon,
      root: await library.root(),
      metadataRoot: null,
      query: "quick  fox",
      parameters,
      results: results.map(({ chunkId }, i) => ({ id: chunkId, score: receipt.results[i]!.score })),
      digest: receiptDigest(receipt as unknown as Body),
    });
  });

  test("has the bits that decided: fused binary32, the dot product, bm25", async () => {
    const bits = new DataView(new ArrayBuffer(8));
    const hex = (bytes: number) => Buffer.from(bits.buffer, 0, bytes).toString("hex");
    const hybrid = await opened.library.search("quick fox");
    for (const [i, { score }] of hybrid.results.entries()) {
      bits.setFloat32(0, score);
      expect(hybrid.receipt.results[i]!.score).toBe(hex(4));
    }
    const semantic = await opened.library.search("quick fox", { mode: "semantic" });
    for (const [i, { scoreBreakdown }] of semantic.results.entries()) {
      bits.setInt32(0, Math.round((scoreBreakdown as { cosine: number }).cosine * 32767 ** 2));
      expect(semantic.receipt.results[i]!.score).toBe(hex(4));
    }
    const lexical = await opened.library.search("quick fox", { mode: "lexical" });
    for (const [i, { scoreBreakdown }] of lexical.results.entries()) {
      bits.setFloat64(0, (scoreBreakdown as { bm25: number }).bm25);
      expect(lexical.receipt.results[i]!.score).toBe(hex(8));
    }
  });

  test.each<[SearchParameters, boolean]>([
    [{}, false],
    [{ filters: { path: "**" } }, false],
    [{ filters: { contains: "fox" } }, false],
    [{ filters: { mime: "text/*" } }, true],
    [{ filters: { modifiedAfter: 0 } }, true],
    [{ filters: { modifiedBefore: 9_000, path: "**" } }, true],
    [{ filters: { metadata: { level: null } }, filterMode: "post" }, true],
  ])("is bound to metadata only where the filters use it: %j", async (parameters, isBound) => {
    const receipt = await receiptOf("fox", parameters);
    expect(receipt.metadataRoot).toBe(isBound ? await opened.library.metadataRoot() : null);
    // A change of metadata that changes no result.
    await opened.library.add([{ path: "empty.md", text: "", metadata: { other: true } }]);
    const found = await differences(receipt);
    expect(found.map(({ what }) => what)).toStrictEqual(isBound ? ["metadataRoot"] : []);
  });

  test.each<SearchParameters>([
    { mode: "lexical", topK: 7 },
    { preset: "docstokg", diversify: { lambda: 0.333 }, semanticK: 10_000 },
    { preset: "orchestration", rrfK: 0.1 },
    { ef: 20, exact: true, weights: { semantic: 0.1, lexical: 0 } },
    { filters: { modifiedAfter: "1970-01-01", metadata: { level: [1, null] }, mime: "TEXT/*; q=1" } },
    { filters: { path: "Cafe\u0301*", contains: "cafe\u0301\r\n" }, filterMode: "post" },
    { exact: true, explain: true },
  ])("can be asked again, whatever the parameters: %j", async (parameters) => {
    expect(await differences(printReceipt(await receiptOf("quick café tree", parameters)))).toStrictEqual([]);
  });
});

describe("what differs is named", () => {
  test("a text that was changed: root, order or scores", async () => {
    const receipt = await receiptOf("quick fox");
    await opened.library.add([{ path: "fox.txt", text: "The quick brown fox is no more." }]);
    const found = await differences(receipt);
    expect(found[0]).toMatchObject({
      what: "root",
      expected: receipt.root,
      actual: await opened.library.root(),
    });
    expect(found.map(({ what }) => what)).toContain("order");
  });

  test("a text added elsewhere: the root, and the bits of bm25", async () => {
    const receipt = await receiptOf("quick fox", { mode: "lexical" });
    await opened.library.add([{ path: "zz.txt", text: "nothing to do with it" }]);
    const found = await differences(receipt);
    expect(found.map(({ what, rank }) => [what, rank])).toStrictEqual([
      ["root", null],
      ["score", 1],
    ]);
  });

  test("a document less: the number of results", async () => {
    const receipt = await receiptOf("fox", { mode: "lexical", topK: 50 });
    await opened.library.remove(["marks.txt"]);
    const whats = (await differences(receipt)).map(({ what }) => what);
    expect(whats).toStrictEqual(expect.arrayContaining(["root", "count"]));
  });

  test("another canon", async () => {
    const other = await openTiny(":memory:", { index: "hnsw" });
    await other.library.add(DOCUMENTS);
    const { receipt } = await other.library.search("quick fox");
    expect((await differences(receipt)).map(({ what }) => what)).toStrictEqual(["canon"]);
    await other.library.close();
  });

  test("a receipt that claims another order or score, with a digest that fits", async () => {
    const receipt = await receiptOf("quick fox");
    const signed = (body: Omit<Receipt, "digest">): Receipt => ({
      ...body,
      digest: receiptDigest(body as unknown as Body),
    });
    const swapped = [receipt.results[1]!, receipt.results[0]!, ...receipt.results.slice(2)];
    expect(await differences(signed({ ...receipt, results: swapped }))).toStrictEqual([
      { what: "order", rank: 1, expected: swapped[0]!.id, actual: swapped[1]!.id },
    ]);
    const [first, second, ...others] = receipt.results;
    const rescored = [first!, { id: second!.id, score: "00000001" }, ...others];
    expect(await differences(signed({ ...receipt, results: rescored }))).toStrictEqual([
      { what: "score", rank: 2, expected: "00000001", actual: second!.score },
    ]);
    const shorter = signed({ ...receipt, results: receipt.results.slice(0, 4) });
    expect((await differences(shorter)).map(({ what }) => what)).toStrictEqual(["count", "order"]);
    const otherwise = signed({ ...receipt, parameters: { ...receipt.parameters, rrfK: 60.00000001 } });
    expect((await differences(otherwise)).map(({ what }) => what)).toStrictEqual(["parameters.rrfK"]);
    for (const from of [-1, 1.5, "2", null, 0]) {
      const bad = signed({ ...receipt, parameters: { ...receipt.parameters, from } });
      await expect(opened.library.verifyReceipt(bad)).rejects.toMatchObject({ code: "BAD_RECEIPT" });
    }
  });
});

describe("what is no receipt is refused, and the message says in what", () => {
  const itself: Record<string, unknown> = {};
  itself["itself"] = itself;
  const NO_RECEIPTS: [string, unknown, string][] = [
    ["null", null, "the receipt to be a plain object, got null"],
    ["undefined", undefined, "the receipt to be a plain object, got nothing"],
    ["a number", 5, "the receipt to be a plain object, got 5"],
    ["a bigint", 5n, "the receipt to be a plain object, got 5n"],
    ["a symbol", Symbol("receipt"), "the receipt to be a plain object, got a symbol"],
    ["a list", [], "the receipt to be a plain object, got []"],
    ["a Map", new Map(), "the receipt to be a plain object, got a Map"],
    ["an empty object", {}, "canon to be 64 digits"],
    ["an object that holds itself", itself, "the fields of the receipt to be"],
  ];
  test.each(NO_RECEIPTS)("%s", async (_, given, message) => {
    const refused = { code: "BAD_RECEIPT", message: expect.stringContaining(`expected ${message}`) };
    await expect(opened.library.verifyReceipt(given as Receipt)).rejects.toMatchObject(refused);
    expect(() => printReceipt(given as Receipt)).toThrow(expect.objectContaining(refused));
  });

  test.each<[string, (receipt: Receipt) => object, string]>([
    ["another version", (receipt) => ({ ...receipt, version: 99 }), "version to be 1, got 99"],
    ["a field more", (receipt) => ({ ...receipt, more: 1 }), 'digest, got "more"'],
    [
      "a parameter that is not JSON",
      ({ parameters, ...receipt }) => ({ ...receipt, parameters: { ...parameters, groupBy: Number.NaN } }),
      "parameters.groupBy to be plain JSON, got NaN",
    ],
    [
      "a bigint",
      ({ parameters, ...receipt }) => ({ ...receipt, parameters: { ...parameters, topK: 10n } }),
      "parameters.topK to be plain JSON, got 10n",
    ],
    [
      "parameters that hold themselves",
      ({ parameters, ...receipt }) => ({ ...receipt, parameters: { ...parameters, filters: itself } }),
      "parameters.filters to be plain JSON, got an object that is not JSON",
    ],
    [
      "a result with a bigint",
      (receipt) => ({ ...receipt, results: [{ id: 5n, score: "00000000" }] }),
      "results[0].id to be 32 digits",
    ],
    ["a hole among results", (receipt) => ({ ...receipt, results: new Array(1) }), "results[0] to be"],
    [
      "a field that cannot be read",
      (receipt) =>
        Object.defineProperty({ ...receipt }, "root", {
          enumerable: true,
          get: () => {
            throw new TypeError("not now");
          },
        }),
      "the receipt to be a plain object",
    ],
    ["inherited fields", (receipt) => Object.create(receipt), "the receipt to be a plain object"],
  ])("%s", async (_, change, message) => {
    const changed = change(await receiptOf("quick fox")) as Receipt;
    const refused = { code: "BAD_RECEIPT", message: expect.stringContaining(message) };
    await expect(opened.library.verifyReceipt(changed)).rejects.toMatchObject(refused);
    expect(() => printReceipt(changed)).toThrow(expect.objectContaining(refused));
  });

  test.each<[Record<string, unknown>, string]>([
    [{ lambda: 1001 }, "parameters.lambda to be whole thousandths"],
    [{ lambda: 0.5 }, "parameters.lambda to be whole thousandths"],
    [{ lambda: "700" }, "parameters.lambda to be whole thousandths"],
    [{ semanticWeight: 1e7 }, "parameters.semanticWeight to be a number"],
    [{ lexicalWeight: -1 }, "parameters.lexicalWeight to be a number"],
    [{ lexicalWeight: null }, "parameters.lexicalWeight to be a value"],
    [{ topK: 0 }, "parameters.topK to be a whole number"],
    [{ mode: "fuzzy" }, "parameters.mode to be"],
    [{ filters: { path: "[" } }, "parameters.filters.path to be"],
    [{ preset: "cfs" }, 'got "preset"'],
    [{ weights: {} }, 'got "weights"'],
    [{ cursor: "x" }, 'got "cursor"'],
  ])("with %j among its parameters, and a digest that fits", async (change, message) => {
    const receipt = await receiptOf("quick fox");
    const body = { ...receipt, parameters: { ...receipt.parameters, ...change } } as Receipt;
    const signed = { ...body, digest: receiptDigest(body as unknown as Body) };
    await expect(opened.library.verifyReceipt(signed)).rejects.toMatchObject({
      code: "BAD_RECEIPT",
      message: expect.stringContaining(message),
    });
  });

  test.each([100, 9_000, 200_000])(
    "anything nested %i deep, in every field, as an object and as text",
    async (depth) => {
      const receipt = await receiptOf("quick fox");
      let deep: unknown = [];
      for (let i = 1; i < depth; i++) deep = [deep];
      const deepText = "[".repeat(depth) + "]".repeat(depth);
      const refused = { code: "BAD_RECEIPT" };
      for (const field of [...Object.keys(receipt), "version", "more"]) {
        for (const value of [
          deep,
          { mode: deep },
          { ...receipt.parameters, filters: { path: deep } },
          [{ id: deep }],
        ]) {
          const changed = { ...receipt, [field]: value } as unknown as Receipt;
          await expect(opened.library.verifyReceipt(changed)).rejects.toMatchObject(refused);
          expect(() => printReceipt(changed)).toThrow(expect.objectContaining(refused));
        }
        const text = JSON.stringify({ version: 1, ...receipt, [field]: "deep" }).replace('"deep"', deepText);
        await expect(opened.library.verifyReceipt(text)).rejects.toMatchObject(refused);
      }
      for (const whole of [deepText, "[".repeat(depth), deep as Receipt])
        await expect(opened.library.verifyReceipt(whole)).rejects.toMatchObject(refused);
    },
  );

  test("one that is changed while it is checked was checked as it was given", async () => {
    const receipt = structuredClone(await receiptOf("quick fox", { filters: { path: ["*.txt"] } }));
    const verdict = opened.library.verifyReceipt(receipt);
    (receipt.parameters["filters"] as { path: string[] }).path[0] = "*.md";
    (receipt.results as unknown[]).length = 0;
    expect((await verdict).isSame).toBe(true);
  });

  test("and one with its version is one", async () => {
    const receipt = JSON.parse(printReceipt(await receiptOf("quick fox")));
    expect((await opened.library.verifyReceipt(receipt)).isSame).toBe(true);
    const { version: _, ...without } = receipt;
    await expect(opened.library.verifyReceipt(JSON.stringify(without))).rejects.toMatchObject({
      code: "BAD_RECEIPT",
      message: expect.stringContaining("expected version to be 1, got nothing"),
    });
  });
});

describe("a receipt that was tampered with is refused", () => {
  test.each<[string, (json: string, receipt: Receipt) => string]>([
    [
      "another root",
      (json, { root }) =>
        json.replace(
          root,
          root.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
        ),
    ],
    ["another query", (json) => json.replace("quick fox", "quick dog")],
    ["another parameter", (json) => json.replace('"topK": 10', '"topK": 11')],
    ["another score", (json, { results }) => json.replace(results[0]!.score, "3f800000")],
    ["a field more", (json) => json.replace("{", '{ "more": 1,')],
    ["a field less", (json) => json.replace(/ {2}"metadataRoot": null,\n/, "")],
    ["cut off", (json) => json.slice(0, -20)],
    ["nothing", () => ""],
  ])("%s", async (_, tamper) => {
    const receipt = await receiptOf("quick fox");
    const json = printReceipt(receipt);
    const tampered = tamper(json, receipt);
    expect(tampered).not.toBe(json);
    await expect(opened.library.verifyReceipt(tampered)).rejects.toMatchObject({ code: "BAD_RECEIPT" });
    expect(await differences(json)).toStrictEqual([]);
  });
});
