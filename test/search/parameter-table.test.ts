/** Everything that follows from the table of search parameters: the two sides are read and compared. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkFilterText,
  contractParameters,
  type PresetName,
  parameterWords,
  SEARCH_PARAMETERS,
  type SearchParameter,
  type SearchParameters,
  withDefaults,
} from "selfsame";
import { describe, expect, test } from "vitest";
import { parametersOfFlags, searchOptions } from "#dist/cli/search-flags.js";
import { input, parametersOf } from "#dist/mcp/search-input.js";
import { canonicalParameters, resolveParameters } from "#dist/search/parameters.js";
import { readReceiptParameters } from "#dist/search/receipt-parameters.js";
import { searchSchema } from "../../scripts/generate-schema.ts";
import { loadBuild } from "../engine/engines.ts";

const engine = loadBuild("simd");
const read = (file: string) => readFileSync(join(import.meta.dirname, "../..", file), "utf8");
const rows = Object.entries<SearchParameter>(SEARCH_PARAMETERS);
/** Each parameter and each field of a group, by its full name. */
const leaves = rows.flatMap(([name, row]): [string, SearchParameter][] => [
  [name, row],
  ...(row.kind === "group"
    ? Object.entries(row.fields).map(([field, each]): [string, SearchParameter] => [`${name}.${field}`, each])
    : []),
]);

test("selfsame.schema.json says the same (npx tsx scripts/generate-schema.ts writes it)", () => {
  expect(JSON.parse(read("selfsame.schema.json")).properties.search).toStrictEqual(searchSchema());
});

describe("SPEC", () => {
  const spec = read("SPEC.md");
  const table = (heading: string) => {
    const [, section] = spec.split(`\n### ${heading}\n`);
    const lines = section!
      .split("\n### ")[0]!
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    return lines.map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  };
  const code = (text: string | undefined) => (text === undefined ? "–" : `\`${text}\``);

  test("§20.1 has every parameter with its values, its default and its name in a receipt", () => {
    const expected = leaves
      .filter(([name]) => !name.startsWith("filters."))
      .map(([name, row]) => [code(name), valuesOf(row), defaultOf(row), code(row.receipt)]);
    expect(table("20.1 Parameters")).toStrictEqual(expected);
  });

  test("§20.2 has every value that a preset sets", () => {
    const presets = SEARCH_PARAMETERS.preset.choices;
    const set = leaves.filter(([, row]) => row.presets !== undefined);
    const cell = (row: SearchParameter, preset: PresetName) => {
      const value = row.presets?.[preset];
      if (value === undefined) return "–";
      return typeof value === "object" ? `${value.perResult} · results` : String(value);
    };
    expect(table("20.2 Presets").slice(0, set.length)).toStrictEqual(
      set.map(([name, row]) => [code(name), ...presets.map((preset) => cell(row, preset))]),
    );
  });

  function valuesOf(row: SearchParameter): string {
    switch (row.kind) {
      case "choice":
        return row.choices.map(code).join(", ");
      case "number":
        return `${row.isWhole ? "whole number" : "number"}, ${grouped(row.minimum)} to ${grouped(row.maximum)}`;
      case "flag":
        return "true or false";
      case "text":
        return "text";
      case "vector":
        return "a list of numbers";
      case "sparse":
        return "terms and weights";
      case "group":
        return row.orFlag ? "true, false or an object" : "an object";
      default:
        throw new Error(`${row.kind} stands in §17`);
    }
  }

  function defaultOf(row: SearchParameter): string {
    if (row.default === false) return "false";
    return parameterWords(row, (name) => code(name)).byDefault ?? "none";
  }

  const grouped = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");
});

describe("a receipt", () => {
  const resolved = resolveParameters(engine, {
    topK: 7,
    weights: { semantic: 2 },
    diversify: { lambda: 0.3 },
    filters: { path: "a" },
    groupBy: "path",
  });

  test("has every parameter that decides the answer, in the table's order", () => {
    const names = leaves.flatMap(([, { receipt, isRareInReceipt }]) =>
      receipt === undefined || isRareInReceipt === true ? [] : [receipt],
    );
    expect(Object.keys(canonicalParameters(resolved))).toStrictEqual(
      names.filter((name) => name !== "pageSize"),
    );
    const paged = canonicalParameters(resolveParameters(engine, { pageSize: 3 }));
    expect(Object.keys(paged)).toStrictEqual(names.filter((name) => name !== "topK"));
  });

  test("gives the same parameters when it is read", () => {
    const { p } = readReceiptParameters(engine, canonicalParameters(resolved));
    expect(canonicalParameters(p)).toStrictEqual(canonicalParameters(resolved));
  });

  test("has what is rare where it is not the default, and gives it back", () => {
    const rare = canonicalParameters(
      resolveParameters(engine, {
        weights: { sparse: 0.5 },
        sparseK: 7,
        bm25Scoring: "bm25plus",
        vector: [3, -4, 0, 0, 0, 0, 0, 0],
        sparse: { terms: ["zebra", "ant", "none"], weights: [0.24, 1, 0] },
      }),
    );
    expect(rare).toMatchObject({
      ...{ sparseWeight: 0.5, sparseK: 7, bm25Scoring: "bm25plus", vector: `cc4c9a99${"0".repeat(24)}` },
      sparse: { terms: ["ant", "zebra"], weights: [2048, 492] },
    });
    expect(canonicalParameters(readReceiptParameters(engine, rare).p)).toStrictEqual(rare);
  });

  test.each([
    ["vector", "00"],
    ["vector", "0080".repeat(8)],
    ["vector", [1, 2]],
    ["sparse.weights[0]", { terms: ["a"], weights: [0] }, "sparse"],
    ["sparse.terms[1]", { terms: ["a", "a"], weights: [1, 1] }, "sparse"],
    ["sparse", { terms: ["a"], weights: [] }, "sparse"],
  ])("refuses a wrong %s", (field, value, name = field) => {
    const parameters = { ...canonicalParameters(resolved), sparseWeight: 1, [name]: value };
    expect(() => readReceiptParameters(engine, parameters as never)).toThrow(
      expect.objectContaining({ code: "BAD_RECEIPT", details: { field: `parameters.${field}` } }),
    );
  });

  test("names a wrong parameter as the receipt spells it", () => {
    const parameters = { ...canonicalParameters(resolved), semanticWeight: -1 };
    expect(() => readReceiptParameters(engine, parameters)).toThrow(
      expect.objectContaining({ code: "BAD_RECEIPT", details: { field: "parameters.semanticWeight" } }),
    );
  });
});

/** One value of each parameter, as a flag, as a tool's argument and as the library takes it. */
const SAMPLES: readonly (readonly [flags: string[], tool: object, parameters: SearchParameters])[] = [
  [["--mode", "lexical"], { mode: "lexical" }, { mode: "lexical" }],
  [["--top-k", "3"], { top_k: 3 }, { topK: 3 }],
  [["--page-size", "4"], { page_size: 4 }, { pageSize: 4 }],
  [["--semantic-k", "5"], { semantic_k: 5 }, { semanticK: 5 }],
  [["--lexical-k", "6"], { lexical_k: 6 }, { lexicalK: 6 }],
  [["--sparse-k", "9"], { sparse_k: 9 }, { sparseK: 9 }],
  [["--bm25-scoring", "bm25plus"], { bm25_scoring: "bm25plus" }, { bm25Scoring: "bm25plus" }],
  [["--rrf-k", "0.5"], { rrf_k: 0.5 }, { rrfK: 0.5 }],
  [
    ["--weights", "2,.5"],
    { weights: { semantic: 2, lexical: 0.5 } },
    { weights: { semantic: 2, lexical: 0.5 } },
  ],
  [
    ["--weights", "2,.5,3"],
    { weights: { semantic: 2, lexical: 0.5, sparse: 3 } },
    { weights: { semantic: 2, lexical: 0.5, sparse: 3 } },
  ],
  [["--vector", "[1, -0.5]"], { vector: [1, -0.5] }, { vector: [1, -0.5] }],
  [
    ["--sparse", '{"terms": ["a"], "weights": [0.24]}'],
    { sparse: { terms: ["a"], weights: [0.24] } },
    { sparse: { terms: ["a"], weights: [0.24] } },
  ],
  [["--ef", "70"], { ef: 70 }, { ef: 70 }],
  [["--exact"], { exact: true }, { exact: true }],
  [["--prefer-coverage"], { prefer_coverage: true }, { preferCoverage: true }],
  [
    ["--path", "a/**", "--path", "b"],
    { filters: { path: ["a/**", "b"] } },
    { filters: { path: ["a/**", "b"] } },
  ],
  [["--mime", "text/*"], { filters: { mime: ["text/*"] } }, { filters: { mime: ["text/*"] } }],
  [
    ["--after", "2026-02-17"],
    { filters: { modified_after: "2026-02-17" } },
    { filters: { modifiedAfter: "2026-02-17" } },
  ],
  [
    ["--before", "2026-02-17"],
    { filters: { modified_before: "2026-02-17" } },
    { filters: { modifiedBefore: "2026-02-17" } },
  ],
  [["--contains", "fox"], { filters: { contains: "fox" } }, { filters: { contains: "fox" } }],
  [
    ["--metadata", "top_k=en", "--metadata", "top_k=1.5", "--metadata", "v=1.2.3=x"],
    { filters: { metadata: { top_k: ["en", 1.5, "1.5"], v: ["1.2.3=x"] } } },
    { filters: { metadata: { top_k: ["en", 1.5, "1.5"], v: ["1.2.3=x"] } } },
  ],
  [["--filter-mode", "post"], { filter_mode: "post" }, { filterMode: "post" }],
  [["--diversify"], { diversify: true }, { diversify: true }],
  [["--diversify", "--lambda", "0.3"], { diversify: { lambda: 0.3 } }, { diversify: { lambda: 0.3 } }],
  [["--lambda", "1"], { diversify: { lambda: 1 } }, { diversify: { lambda: 1 } }],
  [["--group-by", "path"], { group_by: "path" }, { groupBy: "path" }],
  [["--near-duplicates", "3"], { near_duplicates: 3 }, { nearDuplicates: 3 }],
  [["--min-similarity", "-0.5"], { min_similarity: -0.5 }, { minSimilarity: -0.5 }],
  [["--no-bind-phrases"], { bind_phrases: false }, { bindPhrases: false }],
  [["--no-spelling"], { spelling: false }, { spelling: false }],
  [["--cursor", "x"], { cursor: "x" }, { cursor: "x" }],
  [["--explain"], { explain: true }, { explain: true }],
  [["--preset", "cfs"], { preset: "cfs" }, { preset: "cfs" }],
];

describe("the command line and the agents' tool", () => {
  const parsed = async (flags: string[]) => {
    const { Command } = await import("commander");
    const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    for (const option of searchOptions()) command.addOption(option);
    return parametersOfFlags(command.parse(flags, { from: "user" }).opts());
  };

  test.each(SAMPLES)("%j", async (flags, tool, parameters) => {
    expect(await parsed(flags)).toStrictEqual(parameters);
    if ("page_size" in tool) return; // there, top_k is the size of a page
    const few = Object.entries(tool).filter(([name]) => name in input.shape);
    const others = Object.entries(tool).filter(([name]) => !(name in input.shape));
    const given = { query: "x", ...Object.fromEntries(few), options: Object.fromEntries(others) };
    expect(parametersOf(input.parse(given))).toStrictEqual(parameters);
  });

  test("have every parameter, and the samples above name each flag", () => {
    const flags = new Set(SAMPLES.flatMap(([each]) => each.filter((word) => word.startsWith("--"))));
    expect([...flags].sort()).toStrictEqual(
      searchOptions()
        .map(({ long }) => long!)
        .sort(),
    );
    const given = new Set(SAMPLES.flatMap(([, , parameters]) => Object.keys(parameters)));
    expect([...given].sort()).toStrictEqual(rows.map(([name]) => name).sort());
    for (const [name, row] of leaves) {
      const isShown = row.flag !== undefined || name === "filters" || name.startsWith("weights.");
      expect([name, isShown]).toStrictEqual([name, true]);
    }
  });

  test.each([
    [["--top-k", "3", "--page-size", "3"]],
    [["--mode", "keyword"]],
    [["--weights", "1"]],
    [["--weights", "1,2,3,4"]],
    [["--weights", "1,x"]],
    [["--rrf-k", "-1"]],
    [["--rrf-k", "1000001"]],
    [["--rrf-k", "1e3"]],
    [["--lambda", "1.1"]],
    [["--ef", "1.5"]],
    [["--metadata", "lang"]],
    [["--metadata", "=en"]],
    [["--path", "["]],
    [["--after", "yesterday"]],
    [["--mime", "text"]],
    [["--contains", ""]],
  ])("refuse %j", async (flags) => {
    await expect(parsed(flags)).rejects.toThrow();
  });
});

describe("contract words", () => {
  test("become the core's", () => {
    expect(contractParameters("orchestration", { mode: "keyword", topK: 3 })).toStrictEqual({
      preset: "orchestration",
      mode: "lexical",
      topK: 3,
    });
    expect(contractParameters("docstokg", { recallFirst: true })).toStrictEqual({
      preset: "docstokg",
      exact: true,
    });
    expect(contractParameters("docstokg", { recallFirst: false, mode: "semantic" })).toStrictEqual({
      preset: "docstokg",
      mode: "semantic",
    });
    expect(contractParameters("cfs", { approximate: true })).toStrictEqual({ preset: "cfs", ef: 20 });
  });

  test.each<[object, string]>([
    [{ approximate: true, ef: 5 }, "ef"],
    [{ approximate: "yes" }, "approximate"],
    [{ recallFirst: 1 }, "recallFirst"],
  ])("%j is refused", (given, argument) => {
    expect(() => contractParameters("cfs", given)).toThrow(
      expect.objectContaining({ code: "BAD_ARGUMENT", details: expect.objectContaining({ argument }) }),
    );
  });
});

test("defaults give way to what conflicts with them, and to a preset", () => {
  expect(withDefaults({ topK: 5, mode: "lexical" }, { pageSize: 20 })).toStrictEqual({
    mode: "lexical",
    pageSize: 20,
  });
  expect(withDefaults({ pageSize: 5 }, { topK: 20 })).toStrictEqual({ topK: 20 });
  expect(withDefaults({ weights: { lexical: 3 }, lexicalK: 5, ef: 9 }, { preset: "docstokg" })).toStrictEqual(
    {
      ef: 9,
      preset: "docstokg",
    },
  );
  expect(withDefaults({ filters: { path: "a", mime: "b/c" } }, { filters: { path: "d" } })).toStrictEqual({
    filters: { path: "d", mime: "b/c" },
  });
});

test.each([
  ["path", "docs/**", "docs/["],
  ["mime", "text/*", "text"],
  ["modifiedAfter", "2026-02-17T09:30Z", "2026-02-30"],
  ["modifiedBefore", "2026-02-17", "soon"],
] as const)("the text of filter %s is checked before anything is searched", (filter, right, wrong) => {
  expect(() => checkFilterText(filter, right)).not.toThrow();
  expect(() => checkFilterText(filter, wrong, "--flag")).toThrow(
    expect.objectContaining({
      code: "BAD_ARGUMENT",
      details: expect.objectContaining({ argument: "--flag" }),
    }),
  );
});
