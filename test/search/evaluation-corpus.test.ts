import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseJudgements, parseQueries } from "#dist/search/judgements.js";
import { evaluate } from "#dist/search/metrics.js";
import vectors from "../../test-vectors/search.json" with { type: "json" };
import { readJudged } from "../reference/corpus.ts";

// Of the published answers, which every build gives (search-vectors.test.ts), by the published judgements.
const queries = parseQueries(readJudged("queries.jsonl"));
const judgements = parseJudgements(readJudged("qrels.jsonl"));
const keyOf = new Map(
  vectors.parameters.chunks.map((line): [string, string] => [line.slice(0, 32), line.slice(33)]),
);

const MODES = ["hybrid", "semantic", "lexical"] as const;
type Mode = (typeof MODES)[number];

function rankingOf(query: string, mode: Mode): string[] {
  const found = vectors.cases.find(
    ({ id, parameters }) => id === query && JSON.stringify(parameters) === JSON.stringify({ mode }),
  );
  return found!.results.map((line) => keyOf.get(line.slice(0, 32))!);
}

describe("the published judgements", () => {
  it("are of queries and chunks that are there, one query at the least each", () => {
    const keys = new Set(keyOf.values());
    for (const grades of judgements.values()) for (const key of grades.keys()) expect(keys).toContain(key);
    expect(queries.map(({ id }) => id)).toEqual([...judgements.keys()]);
    expect(queries.length).toBeGreaterThanOrEqual(50);
    expect(keys.size).toBeGreaterThanOrEqual(200);
  });
});

describe("on the published corpus", () => {
  const ndcg = Object.fromEntries(
    MODES.map((mode) => {
      const rankings = new Map(queries.map(({ id }) => [id, rankingOf(id, mode)]));
      return [mode, evaluate(rankings, judgements, 10).mean.ndcg];
    }),
  ) as Record<Mode, number>;

  it("have the figures of docs/benchmarks.md; no rule is chosen for them alone", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../docs/benchmarks.md"), "utf8");
    const figures = (["hybrid", "semantic", "lexical"] as const).map(
      (mode) => `${ndcg[mode].toFixed(3)} ${mode}`,
    );
    expect(docs).toContain(`nDCG@10 is ${figures[0]}, ${figures[1]} and ${figures[2]}`);
  });

  it.each(["identifier-function", "identifier-alone"])(
    "the chunk of an exact identifier stands first: %s",
    (id) => {
      expect(rankingOf(id, "hybrid")[0]).toBe("code/hyper-parameters.ts#0");
      expect(rankingOf(id, "lexical")[0]).toBe("code/hyper-parameters.ts#0");
    },
  );

  it("the example of the contract has its sentences on top", () => {
    const top = rankingOf("merkle-verification", "hybrid").slice(0, 5);
    expect(top).toContain("merkle-trees.md#3"); // Merkle tree structure allows verification…
    expect(top).toContain("merkle-trees.md#0"); // Merkle roots enable cryptographic verification…
  });
});
