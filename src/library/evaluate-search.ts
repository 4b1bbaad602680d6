import { SelfsameError } from "../errors.ts";
import type { SearchResult } from "../search/answer.ts";
import type { JudgedQuery } from "../search/judgements.ts";
import { type Evaluation, evaluate, type Grades } from "../search/metrics.ts";
import type { SearchMode } from "../search/parameters.ts";
import type { Library } from "./library.ts";

/** What people judged: whole documents by path, chunks as `path#number` (from 0), or chunks by id. */
export type JudgedUnit = "path" | "path#number" | "chunk id";

/** How well a library answers judged queries, in each mode. */
export interface SearchEvaluation {
  /** How many results of each ranking count. */
  readonly k: number;
  /** What the judgements name. */
  readonly unit: JudgedUnit;
  /** By mode, over the same queries. */
  readonly modes: Readonly<Record<SearchMode, Evaluation>>;
  /** Judged queries that were not asked; they count nowhere. */
  readonly unasked: readonly string[];
  /** Judged documents or chunks that the library does not hold; no ranking can find them. */
  readonly missing: readonly string[];
}

const MODES = ["hybrid", "semantic", "lexical"] as const satisfies readonly SearchMode[];

/**
 * Asks every judged query in each mode, and measures the rankings. SPEC §19.4
 *
 * @example
 * const queries = parseQueries(await readFile("queries.jsonl", "utf8"));
 * const judgements = parseJudgements(await readFile("qrels.jsonl", "utf8"));
 * const { modes } = await evaluateSearch(library, queries, judgements, 10);
 * console.log(modes.hybrid.mean.ndcg);
 */
export async function evaluateSearch(
  library: Library,
  queries: readonly JudgedQuery[],
  judgements: ReadonlyMap<string, Grades>,
  k: number,
): Promise<SearchEvaluation> {
  const asked = new Map(
    queries.flatMap(({ id }) => (judgements.has(id) ? [[id, judgements.get(id)!] as const] : [])),
  );
  const judged = new Set([...asked.values()].flatMap((grades) => [...grades.keys()]));
  const known = new Set(library.documents().map(({ path }) => path));
  const unit = unitOf(judged, known);
  const modes: Partial<Record<SearchMode, Evaluation>> = {};
  for (const mode of MODES) {
    const rankings = new Map<string, string[]>();
    for (const { id, text } of queries) {
      rankings.set(id, asked.has(id) ? await ranking(library, text, mode, k, unit) : []);
    }
    modes[mode] = evaluate(rankings, asked, k);
  }
  return {
    k,
    unit,
    modes: modes as Record<SearchMode, Evaluation>,
    unasked: [...judgements.keys()].filter((id) => !asked.has(id)),
    missing: missingOf(library, judged, known, unit),
  };
}

async function ranking(
  library: Library,
  text: string,
  mode: SearchMode,
  k: number,
  unit: JudgedUnit,
): Promise<string[]> {
  const grouping = unit === "path" ? ({ groupBy: "path" } as const) : {};
  const { results } = await library.search(text, { mode, topK: k, ...grouping });
  return results.map((result) => nameOf(result, unit));
}

function nameOf({ path, chunkIndex, chunkId }: SearchResult, unit: JudgedUnit): string {
  if (unit === "chunk id") return chunkId;
  return unit === "path" ? path : `${path}#${chunkIndex}`;
}

/** The one kind that all names are of. A name that is a path of the library is one, whatever it looks like. */
function unitOf(names: ReadonlySet<string>, known: ReadonlySet<string>): JudgedUnit {
  const first = new Map<JudgedUnit, string>();
  for (const name of names) {
    const unit = unitOfName(name, known);
    if (!first.has(unit)) first.set(unit, name);
  }
  if (first.size > 1) {
    const examples = [...first].map(([unit, name]) => `${JSON.stringify(name)} (a ${unit})`);
    throw new SelfsameError(
      "BAD_JUDGEMENTS",
      `expected judgements of one kind, got ${examples.join(" and ")}`,
      "Judge documents by path, or chunks by path#number, or chunks by id",
    );
  }
  return [...first.keys()][0] ?? "path";
}

function unitOfName(name: string, known: ReadonlySet<string>): JudgedUnit {
  if (known.has(name)) return "path";
  if (/#[0-9]+$/.test(name)) return "path#number";
  return /^[0-9a-f]{32}$/.test(name) ? "chunk id" : "path";
}

function missingOf(
  library: Library,
  judged: ReadonlySet<string>,
  known: ReadonlySet<string>,
  unit: JudgedUnit,
): string[] {
  if (unit === "path") return [...judged].filter((name) => !known.has(name));
  const held = new Set(
    [...known].flatMap((path) =>
      library
        .chunks(path)
        .map(({ chunkId, sequence }) => (unit === "chunk id" ? chunkId : `${path}#${sequence}`)),
    ),
  );
  return [...judged].filter((name) => !held.has(name));
}
