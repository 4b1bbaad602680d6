import { SelfsameError } from "../errors/selfsame-error.ts";
import { parseJudgements, parseQueries } from "../search/judgements.ts";
import { measure } from "../search/metrics.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/evaluation.json */
export interface EvaluationVectors {
  readonly cases: readonly {
    readonly name: string;
    readonly ranking: string;
    readonly grades: Readonly<Record<string, number | undefined>>;
    readonly k: number;
    readonly measures: object | null;
  }[];
  readonly queries: readonly {
    readonly name: string;
    readonly file: string;
    readonly queries: readonly object[];
  }[];
  readonly judgements: readonly {
    readonly name: string;
    readonly file: string;
    readonly judgements: object;
  }[];
  readonly invalidQueries: readonly { readonly file: string; readonly line: number }[];
  readonly invalidJudgements: readonly { readonly file: string; readonly line: number }[];
}

/** SPEC §19 */
export function checkEvaluation(vectors: EvaluationVectors): Outcome {
  const tally = new Tally("evaluation");
  for (const { name, ranking, grades, k, measures } of vectors.cases) {
    const judged = new Map(Object.entries(grades).map(([id, grade]) => [id, grade!]));
    const got = measure(ranking === "" ? [] : ranking.split(" "), judged, k);
    const printed =
      got && Object.fromEntries(Object.entries(got).map(([key, value]) => [key, value.toFixed(6)]));
    tally.record(name, [["measures", JSON.stringify(measures), JSON.stringify(printed)]]);
  }
  for (const { name, file, queries } of vectors.queries) {
    tally.record(`queries: ${name}`, [["read", JSON.stringify(queries), JSON.stringify(parseQueries(file))]]);
  }
  for (const { name, file, judgements } of vectors.judgements) {
    const read = [...parseJudgements(file)].map(([query, grades]) => [query, Object.fromEntries(grades)]);
    tally.record(`judgements: ${name}`, [
      ["read", JSON.stringify(judgements), JSON.stringify(Object.fromEntries(read))],
    ]);
  }
  for (const { file, line } of vectors.invalidQueries) {
    tally.record(`queries ${JSON.stringify(file)}`, [["line", `${line}`, lineOf(() => parseQueries(file))]]);
  }
  for (const { file, line } of vectors.invalidJudgements) {
    tally.record(`judgements ${JSON.stringify(file)}`, [
      ["line", `${line}`, lineOf(() => parseJudgements(file))],
    ]);
  }
  return tally.outcome();
}

/** Returns the line that a BAD_JUDGEMENTS error names, or the message of any other error. */
function lineOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof SelfsameError)) throw error;
    const { line } = error.details;
    return error.code === "BAD_JUDGEMENTS" && line !== undefined ? `${line}` : error.message;
  }
  return "no error";
}
