import type { Asked } from "../http/index.ts";
import {
  type Explanation,
  type NamespaceAnswer,
  noticesOf,
  printReceipt,
  type Receipt,
  type SearchAnswer,
  type SearchResult,
} from "../index.ts";
import type { QueryAnswer, QueryRequest, QueryResult } from "./query-schema.ts";
import { utf16Ranges } from "./utf16-ranges.ts";

/** What an answer says about the namespace beside the search. */
export interface AnswerContext {
  readonly namespace: string;
  readonly stats: QueryAnswer["stats"];
  /** What is wrong with the namespace. */
  readonly warnings: readonly string[];
}

type Weights = QueryAnswer["fusion_weights"];

/** Returns contract 5's answer. The receipt is canonical; scores, times and statistics are for people. SPEC §21.1 */
export function queryAnswerOf(
  request: QueryRequest,
  answer: NamespaceAnswer,
  { namespace, stats, warnings }: AnswerContext,
): QueryAnswer {
  const { explanation, receipt } = answer;
  const fusion_weights = weightsOf(explanation);
  const channels = channelScores(explanation);
  const ranks = new Map(explanation?.fused.map(({ chunkId, rank }) => [chunkId, rank]));
  const results = answer.results.map((result, i): QueryResult => {
    const offsets = utf16Ranges(result.content, result.highlights);
    return {
      doc_id: result.path,
      chunk_id: chunkIdOf(result),
      vector_id: uuidOf(result.chunkId),
      namespace,
      score: result.score,
      fused_rank: ranks.get(result.chunkId) ?? i + 1,
      text: result.content,
      highlights: offsets.map(([start, end]) => result.content.slice(start, end)),
      provenance_offsets: offsets,
      ...(result.duplicates === undefined ? {} : { duplicates: result.duplicates.map(uuidOf) }),
      ...(request.diagnostics === false ? {} : { diagnostics: { ...channels(result), fusion_weights } }),
      metadata: { ...(result.document.metadata as object | null), ...result.fields },
    };
  });
  const all = [...answer.warnings, ...warnings];
  return {
    results,
    next_cursor: answer.nextCursor,
    total_candidates: explanation?.totalCandidates ?? 0,
    timings_ms: timingsOf(answer),
    fusion_weights,
    stats,
    receipt: receipt === null ? null : receiptJson(receipt),
    notices: noticesOf(answer as SearchAnswer),
    warnings: all,
    degraded: answer.degraded || all.length > 0,
    ...((request as Asked)["explain"] === true && explanation !== undefined
      ? { explanation: { ...explanation } }
      : {}),
  };
}

/** A chunk that was made elsewhere keeps its name. */
function chunkIdOf({ path, chunkIndex, fields }: SearchResult): string {
  const name = fields?.["chunk_id"];
  return typeof name === "string" || typeof name === "number" ? String(name) : `${path}#${chunkIndex}`;
}

/** Returns a receipt as it is written to a file, with its version. */
export function receiptJson(receipt: Receipt): NonNullable<QueryAnswer["receipt"]> {
  return JSON.parse(printReceipt(receipt));
}

/** Returns the times of the contract's three steps, in milliseconds with three decimals. */
function timingsOf({ timings, stages }: NamespaceAnswer): QueryAnswer["timings_ms"] {
  const fusion = stages
    .filter(({ name }) => name === "fusion" || name === "diversity")
    .reduce((sum, { duration }) => sum + duration, 0);
  return {
    lexical_ms: rounded(timings.lexical + timings.sparse),
    dense_ms: rounded(timings.embedding + timings.semantic),
    fusion_ms: rounded(fusion),
    total_ms: rounded(timings.total),
  };
}

/** Microseconds are as much as a clock says. */
export function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function weightsOf(explanation: Explanation | undefined): Weights {
  const { semantic = 0, lexical = 0, sparse = 0 } = explanation?.weights ?? {};
  return { bm25: decimal(lexical), splade: decimal(sparse), dense: decimal(semantic) };
}

/** A weight is binary32. Seven digits name it, and are what people wrote. */
function decimal(value: number): number {
  return Number(value.toPrecision(7));
}

/** Returns a function that says how well each channel found a result. SPEC §16.4 */
function channelScores(
  explanation: Explanation | undefined,
): (result: SearchResult) => Omit<NonNullable<QueryResult["diagnostics"]>, "fusion_weights"> {
  const { lexical = [], semantic = [], sparse = [] } = explanation ?? {};
  const best = lexical[0]?.bm25 ?? 0;
  const worst = lexical.at(-1)?.bm25 ?? 0;
  const relative = (bm25: number) => (worst === best ? 1 : (worst - bm25) / (worst - best));
  const words = new Map(lexical.map(({ chunkId, bm25 }) => [chunkId, relative(bm25)]));
  const meaning = new Map(semantic.map(({ chunkId, cosine }) => [chunkId, Math.min(1, Math.max(0, cosine))]));
  const terms = new Map(sparse.map(({ chunkId, score }) => [chunkId, score]));
  return ({ chunkId }) => ({
    bm25_score: words.get(chunkId) ?? null,
    splade_score: terms.get(chunkId) ?? null,
    dense_score: meaning.get(chunkId) ?? null,
  });
}

/** Returns 32 hexadecimal digits in the groups of a UUID. */
export function uuidOf(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
