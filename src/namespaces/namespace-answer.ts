import type { SearchStage } from "../library/searcher.ts";
import type { IndexStatus } from "../library/semantic-index.ts";
import type { SearchAnswer } from "../search/answer.ts";
import type { Receipt } from "../search/receipt.ts";
import type { SearchParameters } from "../search/search-parameters.ts";
import type { OpenLibrary } from "./connection.ts";

/** Options of `Namespaces.search`. */
export interface NamespaceSearchOptions {
  /** After this many milliseconds the answer is what was found by then; default: no limit. */
  readonly timeoutMs?: number;
}

/** The answer of `Namespaces.search`. */
export interface NamespaceAnswer extends Omit<SearchAnswer, "receipt"> {
  /** The receipt, with which any device can check this answer; null if it is not whole. */
  readonly receipt: Receipt | null;
  /** Whether the time ran out, so that the answer is only what was found by then. */
  readonly degraded: boolean;
  /** The steps of the search, for traces. */
  readonly stages: readonly SearchStage[];
  /** The index that answered, in this thread or another; null if the time ran out before. */
  readonly index: IndexStatus | null;
}

/** Searches, and records the steps. */
export async function searchWith(
  { searcher, parts }: Pick<OpenLibrary, "searcher" | "parts">,
  query: string,
  parameters: SearchParameters,
  onPartial: ((answer: SearchAnswer) => void) | undefined,
): Promise<NamespaceAnswer> {
  const stages: SearchStage[] = [];
  const onStage = (stage: SearchStage) => stages.push(stage);
  const hooks = onPartial === undefined ? { onStage } : { onStage, onPartial };
  const answer = await searcher.search(query, parameters, hooks);
  return { ...answer, degraded: false, stages, index: parts.semantic.status };
}

/** Returns an answer as `Library.search` gives it. */
export function searchAnswer({ degraded, stages, index, receipt, ...answer }: NamespaceAnswer): SearchAnswer {
  return { ...answer, receipt: receipt! };
}

/** Runs a search, and passes on what its words alone find, as soon as that is known. */
export type RunSearch = (onPartial?: (answer: SearchAnswer) => void) => Promise<NamespaceAnswer>;

/**
 * Runs a search for at most `timeoutMs`. If it takes longer, the answer has what was found by then, a warning, and no
 * receipt: how much that is depends on the device and its load. The search itself runs on to its end.
 */
export async function answerWithin(
  timeoutMs: number | undefined,
  run: RunSearch,
  query: string,
  { mode = "hybrid" }: SearchParameters,
): Promise<NamespaceAnswer> {
  if (timeoutMs === undefined) return run();
  const began = performance.now();
  let partial: SearchAnswer | null = null;
  const whole = run((answer) => {
    partial = answer;
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  try {
    const answer = await Promise.race([whole, timeout]);
    if (answer !== null) return answer;
  } finally {
    clearTimeout(timer);
  }
  whole.catch(() => undefined); // nobody waits for it any more
  const found = (partial as SearchAnswer | null) ?? NOTHING;
  const total = performance.now() - began;
  const rest = found === NOTHING ? "nothing was found by then" : found.warnings.join("; ");
  return {
    ...found,
    ...(found === NOTHING ? { query, mode } : {}),
    nextCursor: null,
    receipt: null,
    warnings: [`the search took longer than ${timeoutMs} ms: ${rest}`],
    timings: { ...found.timings, total },
    degraded: true,
    stages: [],
    index: null,
  };
}

const NOTHING: Omit<SearchAnswer, "receipt"> = {
  query: "",
  mode: "hybrid",
  results: [],
  nextCursor: null,
  corrections: [],
  nothingClose: false,
  onlyStopWords: false,
  warnings: [],
  timings: { embedding: 0, semantic: 0, lexical: 0, sparse: 0, ranking: 0, total: 0 },
};
