import { badArgument, listArgument, objectArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { SearchResult } from "../search/answer.ts";
import type { JudgedQuery } from "../search/judgements.ts";
import { type Evaluation, evaluate, type Grades } from "../search/metrics.ts";
import { COUNT_MAX } from "../search/parameter-table.ts";
import type { SearchMode } from "../search/search-parameters.ts";
import type { Library } from "./library.ts";

/** The unit of judgements: whole documents by path, chunks as `path#number` (from 0), or chunks by id. */
export type JudgedUnit = "path" | "path#number" | "chunk id";

/** How well a library answers judged queries, in each mode. */
export interface SearchEvaluation {
  /** How many results of each ranking count. */
  readonly k: number;
  /** What the judgements refer to. */
  readonly unit: JudgedUnit;
  /** The evaluation of each mode, over the same queries. */
  readonly modes: Readonly<Record<SearchMode, Evaluation>>;
  /** Judged queries that were not run; they are not counted. */
  readonly unasked: readonly string[];
  /** Judged documents or chunks that the library does not hold; no ranking can find them. */
  readonly missing: readonly string[];
  /**
   * What the searches could not do, without duplicates. Figures with a warning are not those of the mode they are
   * listed under.
   */
  readonly warnings: readonly string[];
}

const MODES = ["hybrid", "semantic", "lexical"] as const satisfies readonly SearchMode[];

/**
 * Runs every judged query in each mode and measures the rankings. SPEC §19.4
 *
 * @param k how many results of each ranking count, from 1 to 10,000
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
  const given = copyArguments(library, queries, judgements, k);
  return evaluateCopies(library, given.queries, given.judgements, k);
}

async function evaluateCopies(
  library: Library,
  queries: readonly JudgedQuery[],
  judgements: ReadonlyMap<string, Grades>,
  k: number,
): Promise<SearchEvaluation> {
  const asked = new Map(
    queries.flatMap(({ id }) => (judgements.has(id) ? [[id, judgements.get(id)!] as const] : [])),
  );
  const judged = new Set([...asked.values()].flatMap((grades) => [...grades.keys()]));
  const known = new Set((await library.documents()).map(({ path }) => path));
  const unit = unitOf(judged, known);
  const modes: Partial<Record<SearchMode, Evaluation>> = {};
  const warnings = new Set<string>();
  for (const mode of MODES) {
    const rankings = new Map<string, string[]>();
    for (const { id, text } of queries) {
      rankings.set(id, asked.has(id) ? await ranking(library, text, mode, k, unit, warnings) : []);
    }
    modes[mode] = evaluate(rankings, asked, k);
  }
  return {
    k,
    unit,
    modes: modes as Record<SearchMode, Evaluation>,
    unasked: [...judgements.keys()].filter((id) => !asked.has(id)),
    missing: await missingOf(library, judged, known, unit),
    warnings: [...warnings],
  };
}

/**
 * Copies the arguments, which the caller may change later, and checks what a type cannot guarantee in plain JavaScript.
 */
function copyArguments(
  library: Library,
  queries: readonly JudgedQuery[],
  judgements: ReadonlyMap<string, Grades>,
  k: number,
): { readonly queries: readonly JudgedQuery[]; readonly judgements: ReadonlyMap<string, Grades> } {
  objectArgument("library", library, ["search", "documents", "chunks"]);
  const copies = listArgument("queries", queries).map((query) => ({ ...query }));
  for (const query of copies) {
    if (typeof query.id !== "string" || typeof query.text !== "string")
      throw badArgument("each query", "an object with the strings id and text", query);
  }
  if (!(judgements instanceof Map))
    throw badArgument("judgements", "a Map of grades by query, as parseJudgements gives", judgements);
  for (const [id, grades] of judgements)
    if (!(grades instanceof Map)) throw badArgument(`the judgements of ${id}`, "a Map of grades", grades);
  if (!(Number.isInteger(k) && k >= 1 && k <= COUNT_MAX))
    throw badArgument("k", `a whole number from 1 to ${COUNT_MAX}`, k);
  return {
    queries: copies,
    judgements: new Map([...judgements].map(([id, grades]) => [id, new Map(grades)])),
  };
}

async function ranking(
  library: Library,
  text: string,
  mode: SearchMode,
  k: number,
  unit: JudgedUnit,
  warnings: Set<string>,
): Promise<string[]> {
  const grouping = unit === "path" ? ({ groupBy: "path" } as const) : {};
  const { results, warnings: told } = await library.search(text, { mode, topK: k, ...grouping });
  for (const warning of told) warnings.add(warning);
  return results.map((result) => nameOf(result, unit));
}

function nameOf({ path, chunkIndex, chunkId }: SearchResult, unit: JudgedUnit): string {
  if (unit === "chunk id") return chunkId;
  return unit === "path" ? path : `${path}#${chunkIndex}`;
}

/**
 * Returns the unit that all names belong to. A name that is a path in the library is a path, whatever it looks like.
 */
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

async function missingOf(
  library: Library,
  judged: ReadonlySet<string>,
  known: ReadonlySet<string>,
  unit: JudgedUnit,
): Promise<string[]> {
  if (unit === "path") return [...judged].filter((name) => !known.has(name));
  const held = new Set<string>();
  for (const path of known) {
    for (const { chunkId, sequence } of await library.chunks(path))
      held.add(unit === "chunk id" ? chunkId : `${path}#${sequence}`);
  }
  return [...judged].filter((name) => !held.has(name));
}
