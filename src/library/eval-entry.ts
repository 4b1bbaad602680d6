/**
 * Evaluates how well a library answers: measures rankings against what people judged relevant.
 *
 * @example
 * import { evaluateSearch, parseJudgements, parseQueries } from "selfsame/eval";
 *
 * @module eval
 */

export { type JudgedQuery, parseJudgements, parseQueries } from "../search/judgements.ts";
export type { Evaluation, Grades, Metrics } from "../search/metrics.ts";
export { evaluateSearch, type JudgedUnit, type SearchEvaluation } from "./evaluate-search.ts";
