import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SearchResult } from "selfsame";
import { evaluateSearch, type JudgedUnit, parseJudgements, parseQueries } from "selfsame/eval";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Opened, openTiny } from "../library/opened.ts";
import { measures } from "../reference/evaluation.ts";
import { scratchFolder } from "../store/scratch.ts";
import { DOCUMENTS } from "./documents.ts";

const folder = scratchFolder();
const file = join(folder, "library.db");
let opened: Opened;
beforeAll(async () => {
  opened = await openTiny(file);
  await opened.library.add(DOCUMENTS);
});
afterAll(() => opened.library.close());

const QUERIES = [
  { id: "fox", text: "quick fox" },
  { id: "merkle", text: "merkle tree" },
  { id: "unjudged", text: "word" },
  { id: "irrelevant", text: "ties" },
];

const NAMES: Record<JudgedUnit, (result: SearchResult) => string> = {
  path: ({ path }) => path,
  "path#number": ({ path, chunkIndex }) => `${path}#${chunkIndex}`,
  "chunk id": ({ chunkId }) => chunkId,
};

/** Judgements that name the second and the fourth result of each search by words. */
async function judgementsBy(unit: JudgedUnit): Promise<Map<string, Map<string, number>>> {
  const judgements = new Map<string, Map<string, number>>();
  for (const { id, text } of QUERIES.slice(0, 2)) {
    const grouping = unit === "path" ? ({ groupBy: "path" } as const) : {};
    const { results } = await opened.library.search(text, { mode: "lexical", ...grouping });
    const names = results.map(NAMES[unit]);
    judgements.set(
      id,
      new Map([
        [names[1] ?? names[0]!, 2],
        [names[3] ?? "nowhere", 1],
      ]),
    );
  }
  return judgements.set(
    "irrelevant",
    new Map([[NAMES[unit]((await opened.library.search("ties")).results[0]!), 0]]),
  );
}

describe("evaluation of searches", () => {
  test.each(Object.keys(NAMES) as JudgedUnit[])("by %s: the means of what each mode ranks", async (unit) => {
    const judgements = await judgementsBy(unit);
    const { modes, unasked } = await evaluateSearch(opened.library, QUERIES, judgements, 5);
    for (const mode of ["hybrid", "semantic", "lexical"] as const) {
      const all = [];
      for (const { id, text } of QUERIES.slice(0, 2)) {
        const grouping = unit === "path" ? ({ groupBy: "path" } as const) : {};
        const { results } = await opened.library.search(text, { mode, topK: 5, ...grouping });
        all.push(measures(results.map(NAMES[unit]), Object.fromEntries(judgements.get(id)!), 5)!);
      }
      const { mean, queries, skipped } = modes[mode];
      expect([queries, skipped]).toStrictEqual([2, 2]);
      for (const name of ["precision", "recall", "ndcg", "reciprocalRank"] as const) {
        expect(mean[name]).toBeCloseTo((all[0]![name] + all[1]![name]) / 2, 5);
      }
    }
    expect(modes.lexical.mean.precision).toBeGreaterThan(0);
    expect(unasked).toStrictEqual([]);
  });

  test("tells what was judged and is not there, and what was judged and not asked", async () => {
    const judgements = new Map([
      [
        "fox",
        new Map([
          ["fox.txt#0", 1],
          ["fox.txt#9", 1],
          ["gone.md#0", 1],
        ]),
      ],
      ["other", new Map([["fox.txt#0", 1]])],
    ]);
    const found = await evaluateSearch(opened.library, QUERIES, judgements, 10);
    expect(found).toMatchObject({
      unit: "path#number",
      unasked: ["other"],
      missing: ["fox.txt#9", "gone.md#0"],
    });
    expect(found.modes.lexical.mean.recall).toBeCloseTo(1 / 3, 6);
  });

  test("takes one kind of judgement", async () => {
    const judgements = new Map([
      [
        "fox",
        new Map([
          ["fox.txt", 1],
          ["fox.txt#0", 1],
        ]),
      ],
    ]);
    await expect(evaluateSearch(opened.library, QUERIES, judgements, 10)).rejects.toMatchObject({
      code: "BAD_JUDGEMENTS",
      message: expect.stringContaining("fox.txt#0"),
    });
  });
});

describe("wrong arguments are refused by name", () => {
  const judged = new Map([["fox", new Map([["fox.txt", 1]])]]);
  test.each<[string, unknown[], string]>([
    ["no library", [null, QUERIES, judged, 5], "library"],
    ["nothing but a library", [undefined], "queries"],
    ["queries that are none", [undefined, ["fox"], judged, 5], "each query"],
    ["judgements that are an object", [undefined, QUERIES, { fox: {} }, 5], "judgements"],
    ["grades that are an object", [undefined, QUERIES, new Map([["fox", {}]]), 5], "the judgements of fox"],
    ...[Number.NaN, -1, 0, 1.5, "5", undefined, 10_001].map((k): [string, unknown[], string] => [
      `k ${String(k)}`,
      [undefined, QUERIES, judged, k],
      "k",
    ]),
  ])("%s", async (_, [library = opened.library, ...rest], field) => {
    const evaluated = (evaluateSearch as (...given: unknown[]) => Promise<unknown>)(library, ...rest);
    await expect(evaluated).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
      message: expect.stringMatching(`^expected ${field} to be`),
    });
  });

  test.each([null, undefined, 5, {}, new Uint8Array(3)])("a file that is %o", (given) => {
    for (const parse of [parseQueries, parseJudgements]) {
      expect(() => parse(given as string)).toThrow(expect.objectContaining({ code: "BAD_ARGUMENT" }));
    }
  });
});

describe("selfsame eval", () => {
  const run = (...args: string[]) =>
    spawnSync(
      process.execPath,
      [join(import.meta.dirname, "../../dist/cli.bundle/main.js"), "eval", ...args],
      {
        encoding: "utf8",
      },
    );
  const queries = join(folder, "queries.tsv");
  const qrels = join(folder, "qrels.trec");
  const files = ["--db", file, "--model", "tiny", "--queries", queries, "--qrels", qrels];

  test("prints a table, or JSON", async () => {
    writeFileSync(queries, "1\tquick fox\n2\tmerkle tree\n");
    writeFileSync(qrels, "1 0 fox.txt#0 2\n1 0 guide/fox.md#0 1\n2 0 guide/merkle.md#1 1\n3 0 gone.md#0 1\n");
    const { stdout, stderr, status } = run(...files, "-k", "3");
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^mode +precision@3 +recall@3 +nDCG@3 +MRR\nhybrid +[01]\.\d{4}( +[01]\.\d{4}){3}\nsemantic .*\nlexical .*\n2 queries/,
    );
    expect(stderr).toContain("1 judged query is not in the queries: 3");
    const json = JSON.parse(run(...files, "-k", "3", "--json").stdout);
    expect(json).toMatchObject({ k: 3, unit: "path#number", root: await opened.library.root() });
    const row = /lexical +(\S+) +(\S+) +(\S+) +(\S+)/.exec(stdout)!.slice(1).map(Number);
    const { precision, recall, ndcg, reciprocalRank } = json.modes.lexical.mean;
    for (const [i, figure] of [precision, recall, ndcg, reciprocalRank].entries())
      expect(row[i]).toBeCloseTo(figure, 4);
  });

  test("says what is wrong with its files", () => {
    expect(run("--db", file, "--queries", queries).status).toBe(2);
    const missing = run(
      "--db",
      file,
      "--model",
      "tiny",
      "--queries",
      queries,
      "--qrels",
      join(folder, "none"),
    );
    expect([missing.status, missing.stderr]).toStrictEqual([1, expect.stringContaining("FILE_MISSING")]);
    writeFileSync(join(folder, "bad"), "1 0 a.md one\n");
    const bad = run("--db", file, "--model", "tiny", "--queries", queries, "--qrels", join(folder, "bad"));
    expect([bad.status, bad.stderr]).toStrictEqual([1, expect.stringMatching(/BAD_JUDGEMENTS.*line 1/)]);
  });
});
