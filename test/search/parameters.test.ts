import { runInNewContext } from "node:vm";
import type { PresetName, SearchParameters } from "selfsame";
import { describe, expect, test } from "vitest";
import { parametersKey, resolveParameters } from "#dist/search/parameters.js";
import { loadBuild } from "../engine/engines.ts";
import { openTiny } from "../library/opened.ts";
import { DOCUMENTS } from "./documents.ts";
import { printed } from "./selves.ts";

const engine = loadBuild("simd");
const resolve = (parameters: SearchParameters) => resolveParameters(engine, parameters);

describe("parameters (SPEC §20.1)", () => {
  test("have these defaults", () => {
    expect(resolve({})).toStrictEqual({
      mode: "hybrid",
      topK: 10,
      semanticK: 20,
      lexicalK: 20,
      sparseK: 80,
      bm25Scoring: "bm25",
      rrfK: 60,
      semanticWeight: 1,
      lexicalWeight: 1,
      sparseWeight: 0,
      vector: null,
      sparse: null,
      ef: 50,
      exact: false,
      preferCoverage: false,
      filters: null,
      filterMode: "pre",
      lambda: null,
      groupBy: null,
      nearDuplicates: 0,
      minSimilarity: null,
      bindPhrases: true,
      spelling: true,
      pageSize: null,
      cursor: null,
      explain: false,
    });
  });

  test.each<[SearchParameters, Record<string, unknown>]>([
    [{ topK: 50 }, { topK: 50, semanticK: 50, lexicalK: 50 }],
    [
      { topK: 50, lexicalK: 5 },
      { semanticK: 50, lexicalK: 5 },
    ],
    [{ topK: 10_000 }, { semanticK: 10_000, lexicalK: 10_000 }],
    [{ pageSize: 50 }, { semanticK: 50, lexicalK: 50, pageSize: 50 }],
    [{ pageSize: 5 }, { semanticK: 20, lexicalK: 20, pageSize: 5 }],
    [
      { pageSize: 50, semanticK: 7 },
      { semanticK: 7, lexicalK: 50 },
    ],
    [{ diversify: true }, { lambda: 700 }],
    [{ diversify: {} }, { lambda: 700 }],
    [{ diversify: { lambda: 0 } }, { lambda: 0 }],
    [{ diversify: false }, { lambda: null }],
    [{ rrfK: 0.1 }, { rrfK: Math.fround(0.1) }],
    [{ weights: { semantic: 0.65 } }, { semanticWeight: Math.fround(0.65), lexicalWeight: 1 }],
    [
      { filters: { path: "a" }, filterMode: "post" },
      { semanticK: 100, lexicalK: 100 },
    ],
    [
      { filters: { path: "a" }, filterMode: "post", semanticK: 300 },
      { semanticK: 300, lexicalK: 100 },
    ],
    [{ filterMode: "post" }, { semanticK: 20 }],
  ])("%j", (given, resolved) => {
    expect(resolve(given)).toMatchObject(resolved);
  });

  test("that are undefined are absent", () => {
    const given = { topK: undefined, preset: "orchestration", semanticK: undefined, filters: undefined };
    expect(resolve(given as unknown as SearchParameters)).toStrictEqual(resolve({ preset: "orchestration" }));
  });

  test.each<[unknown, string]>([
    [{ top_k: 5 }, "top_k"],
    [{ toString: 1 }, "toString"],
    [{ mode: "fuzzy" }, "mode"],
    [{ mode: null }, "mode"],
    [{ topK: null }, "topK"],
    [{ weights: { semantic: null } }, "weights.semantic"],
    [{ topK: 0 }, "topK"],
    [{ topK: 10_001 }, "topK"],
    [{ topK: 1.5 }, "topK"],
    [{ topK: "10" }, "topK"],
    [{ topK: Number.NaN }, "topK"],
    [{ semanticK: -1 }, "semanticK"],
    [{ lexicalK: 0 }, "lexicalK"],
    [{ rrfK: -1 }, "rrfK"],
    [{ rrfK: 1e7 }, "rrfK"],
    [{ rrfK: Number.POSITIVE_INFINITY }, "rrfK"],
    [{ weights: 1 }, "weights"],
    [{ weights: [1, 1] }, "weights"],
    [{ weights: { dense: 1 } }, "weights.dense"],
    [{ weights: { semantic: -0.1 } }, "weights.semantic"],
    [{ weights: { lexical: "1" } }, "weights.lexical"],
    [{ ef: 0 }, "ef"],
    [{ mode: "keyword" }, "mode"],
    [{ approximate: true }, "approximate"],
    [{ recallFirst: true }, "recallFirst"],
    [{ lexicalSupport: 0 }, "lexicalSupport"],
    [{ exact: 1 }, "exact"],
    [{ preferCoverage: "no" }, "preferCoverage"],
    [{ filters: "docs" }, "filters"],
    [{ filters: { folder: "docs" } }, "filters.folder"],
    [{ filters: { path: "[" } }, "filters.path"],
    [{ filters: { modifiedAfter: "yesterday" } }, "filters.modifiedAfter"],
    [{ filterMode: "during" }, "filterMode"],
    [{ diversify: 0.5 }, "diversify"],
    [{ diversify: null }, "diversify"],
    [{ diversify: { lamda: 0.5 } }, "diversify.lamda"],
    [{ diversify: { lambda: 1.1 } }, "diversify.lambda"],
    [{ diversify: { lambda: Number.NaN } }, "diversify.lambda"],
    [{ diversify: { lambda: "0.5" } }, "diversify.lambda"],
    [{ groupBy: "mime" }, "groupBy"],
    [{ pageSize: 0 }, "pageSize"],
    [{ pageSize: 10, topK: 10 }, "pageSize"],
    [{ cursor: "0.00000000000000000000000000000000" }, "pageSize"],
    [{ pageSize: 10, cursor: 5 }, "cursor"],
    [{ explain: "true" }, "explain"],
    [{ preset: "seed" }, "preset"],
    [{ preset: "constructor" }, "preset"],
    [null, "parameters"],
    ["hybrid", "parameters"],
    [[], "parameters"],
  ])("%j is refused by the name of %s", (given, field) => {
    const escaped = field.replace(".", "\\.");
    expect(() => resolve(given as SearchParameters)).toThrow(
      expect.objectContaining({ code: "BAD_ARGUMENT", message: expect.stringMatching(`\\b${escaped}\\b`) }),
    );
  });
});

describe("what JSON cannot spell is refused like anything else", () => {
  const itself: Record<string, unknown> = {};
  itself["itself"] = itself;
  test.each<[string, unknown, string]>([
    ["a bigint", { topK: 10n }, "topK to be a whole number from 1 to 10000, got 10n"],
    ["a bigint as λ", { diversify: { lambda: 1n } }, "diversify.lambda to be a number from 0 to 1, got 1n"],
    ["a bigint in a filter", { filters: { modifiedAfter: 5n } }, "got 5n"],
    [
      "an object with a bigint",
      { filters: { metadata: { year: { n: 1n } } } },
      "filters.metadata.year to be",
    ],
    ["an object that holds itself", { filters: { path: itself } }, "got an object that is not JSON"],
    ["a symbol", { mode: Symbol("hybrid") }, "got a symbol"],
    ["a function", { rrfK: () => 60 }, "got a function"],
    ["a long text", { cursor: "x", pageSize: "9".repeat(1000) }, `got "${"9".repeat(79)}…`],
  ])("%s", (_, given, message) => {
    expect(() => resolve(given as SearchParameters)).toThrow(
      expect.objectContaining({ code: "BAD_ARGUMENT", message: expect.stringContaining(message) }),
    );
  });
});

class Chosen {
  readonly topK = 1;
}
const unreadable = {
  get topK(): number {
    throw new TypeError("not now");
  },
};

describe("an object that is not plain, whose members say nothing, is refused by the name of its field", () => {
  test.each<[string, string, unknown]>([
    ["parameters", "a Map", new Map([["topK", 1]])],
    ["parameters", "a Set", new Set(["topK"])],
    ["parameters", "a Date", new Date(0)],
    ["parameters", "an object of a class", Object.create({ topK: 1 })],
    ["parameters", "an object of a class", Object.create(Object.create(null, { topK: { value: 1 } }))],
    ["parameters", "an object of a class", new Chosen()],
    ["parameters", "an object that is not JSON", unreadable],
    ["filters", "a Map", { filters: new Map([["path", "a.md"]]) }],
    ["filters", "a Date", { filters: new Date(0) }],
    ["filters", "an object of a class", { filters: Object.create({ path: "a.md" }) }],
    ["filters.metadata", "a Map", { filters: { metadata: new Map([["k", "a"]]) } }],
    ["filters.metadata", "a Date", { filters: { metadata: new Date(0) } }],
    ["filters.path", "a Set", { filters: { path: new Set(["a.md"]) } }],
    ["weights", "a Map", { weights: new Map([["semantic", 0]]) }],
    ["weights", "an object of a class", { weights: Object.create({ semantic: 0 }) }],
    ["diversify", "a Date", { diversify: new Date(0) }],
  ])("%s: %s", (field, got, given) => {
    expect(() => resolve(given as SearchParameters)).toThrow(
      expect.objectContaining({
        code: "BAD_ARGUMENT",
        message: expect.stringMatching(`^expected ${field.replace(".", "\\.")} to be .*got ${got}`),
      }),
    );
  });

  test("and one of another realm, or without a prototype, is taken", () => {
    const bare = Object.assign(Object.create(null), { topK: 3, filters: { path: "a" } });
    expect(resolve(bare)).toMatchObject({ topK: 3 });
    expect(resolve(runInNewContext('({ topK: 4, filters: { metadata: { k: ["a"] } } })'))).toMatchObject({
      topK: 4,
    });
  });
});

describe("a filter names its own field, whatever is wrong with it", () => {
  const holes = (...items: unknown[]) => Object.assign(new Array(items.length + 1), { 1: items[0] });
  test.each<[string, unknown, string]>([
    ["a hole before a pattern", { path: holes("a.md") }, "filters.path to be a string"],
    ["holes alone", { path: new Array(2) }, "filters.path to be a string"],
    ["a hole before a type", { mime: holes("text/plain") }, "filters.mime to be a string"],
    ["a hole before a value", { metadata: { k: holes("a") } }, "filters.metadata.k to be a string"],
    ["a value that is undefined", { metadata: { k: undefined } }, "filters.metadata.k to be a string"],
    ["a lone surrogate", { metadata: { k: "\ud800" } }, "filters.metadata.k to be without a lone surrogate"],
    ["too many patterns", { path: new Array(2000).fill("*.md") }, "filters.path to be at most 64 patterns"],
  ])("%s", (_, filters, message) => {
    expect(() => resolve({ filters } as SearchParameters)).toThrow(
      expect.objectContaining({ code: "BAD_ARGUMENT", message: expect.stringContaining(message) }),
    );
  });
  test("as many patterns as are allowed", () => {
    expect(resolve({ filters: { path: new Array(64).fill("*.md") } }).filters).not.toBe(null);
  });
});

describe("presets (SPEC §20.2)", () => {
  test.each<[PresetName, SearchParameters, Record<string, unknown>]>([
    ["cfs", {}, { semanticK: 20, lexicalK: 20, rrfK: 60, semanticWeight: 1, lexicalWeight: 1 }],
    ["rifflux", {}, { semanticK: 20, lexicalK: 20 }],
    ["rifflux", { topK: 25 }, { semanticK: 50, lexicalK: 50 }],
    ["rifflux", { pageSize: 25 }, { semanticK: 50, lexicalK: 50 }],
    ["rifflux", { topK: 10_000 }, { semanticK: 10_000, lexicalK: 10_000 }],
    ["orchestration", {}, { semanticK: 100, lexicalK: 100, preferCoverage: true, groupBy: "path" }],
    [
      "orchestration",
      { preferCoverage: false, semanticK: 7 },
      { semanticK: 7, lexicalK: 100, preferCoverage: false },
    ],
    [
      "docstokg",
      {},
      {
        semanticK: 60,
        lexicalK: 80,
        semanticWeight: Math.fround(0.65),
        lexicalWeight: Math.fround(0.35),
        lambda: null,
      },
    ],
    ["docstokg", { diversify: true }, { semanticK: 90, lexicalK: 80, lambda: 700 }],
    ["docstokg", { diversify: true, semanticK: 61 }, { semanticK: 92 }],
    ["docstokg", { diversify: true, semanticK: 10_000 }, { semanticK: 10_000 }],
    ["docstokg", { weights: { semantic: 1 } }, { semanticWeight: 1, lexicalWeight: Math.fround(0.35) }],
  ])("%s with %j", (preset, given, resolved) => {
    expect(resolve({ preset, ...given })).toMatchObject(resolved);
  });
});

describe("the key", () => {
  test("is one for parameters that mean the same, and tells others apart", () => {
    const same: SearchParameters[] = [
      {},
      { mode: "hybrid" },
      { topK: 10, semanticK: 20 },
      { preset: "cfs", bindPhrases: true, spelling: true },
      { explain: true },
    ];
    expect(new Set(same.map((each) => parametersKey(resolve(each)))).size).toBe(1);
    const different: SearchParameters[] = [
      {},
      { mode: "lexical" },
      { topK: 11 },
      { rrfK: 61 },
      { preset: "docstokg" },
      { ef: 51 },
      { exact: true },
      { pageSize: 10 },
      { filters: { path: "a" } },
      { filters: { path: "b" } },
      { filters: { contains: "a" } },
      { diversify: true },
      { diversify: { lambda: 0.701 } },
      { groupBy: "path" },
      { preferCoverage: true },
      { minSimilarity: 0.3 },
      { bindPhrases: false },
      { spelling: false },
    ];
    expect(new Set(different.map((each) => parametersKey(resolve(each)))).size).toBe(different.length);
  });
});

test("a wrong parameter or query leaves the library as it was", async () => {
  const { library } = await openTiny(":memory:");
  await library.add(DOCUMENTS);
  const lexical = await library.search("fox", { mode: "lexical" });
  await expect(library.search("fox", { topK: 0 })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  await expect(library.search(5 as unknown as string)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  expect(printed(await library.search("fox", { mode: "lexical" }))).toBe(printed(lexical));
  await library.close();
});
