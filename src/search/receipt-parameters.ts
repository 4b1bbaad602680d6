import type { Engine } from "../engine/engine.ts";
import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Json } from "../text/canonical-json.ts";
import { FUSION_LIMIT } from "./fuse.ts";
import {
  canonicalParameters,
  type ResolvedParameters,
  resolveParameters,
  type SearchMode,
  type SearchParameters,
} from "./parameters.ts";
import type { ReceiptBody } from "./receipt.ts";

/** How an answer came about; `none`: nothing could be searched. */
export type DoneMode = SearchMode | "none";

/** What a mode comes down to where there is no vector of the query, or none of any chunk. SPEC §20.7 */
const WITHOUT_VECTORS: Readonly<Record<SearchMode, DoneMode>> = {
  hybrid: "lexical",
  semantic: "none",
  lexical: "lexical",
};

/**
 * The mode that was really run.
 *
 * @param isWhole whether everything could be done that was asked for
 */
export function doneMode({ mode }: ResolvedParameters, isWhole: boolean): DoneMode {
  return isWhole ? mode : WITHOUT_VECTORS[mode];
}

/**
 * A receipt's parameters: those of the search that was really made, so that every device can make it again. Without vectors
 * that is one by words, not diversified, or none at all. SPEC §20.7
 */
export function receiptParameters(
  p: ResolvedParameters,
  isWhole: boolean,
  from: number,
): ReceiptBody["parameters"] {
  return {
    ...canonicalParameters(p),
    ...(isWhole ? {} : { mode: doneMode(p, isWhole), lambda: null }),
    ...(from === 0 ? {} : { from }),
  };
}

/** The search that a receipt is of. */
export interface ReceiptedSearch {
  readonly p: ResolvedParameters;
  /** The number of results before the page. */
  readonly from: number;
  /** Whether nothing was searched: its answer is empty. */
  readonly isNone: boolean;
}

const NAMES = [
  "mode",
  "topK",
  "pageSize",
  "from",
  "semanticK",
  "lexicalK",
  "rrfK",
  "semanticWeight",
  "lexicalWeight",
  "support",
  "ef",
  "exact",
  "preferCoverage",
  "filters",
  "filterMode",
  "lambda",
  "groupBy",
];

/** Reads a receipt's parameters back. @throws {SelfsameError} BAD_RECEIPT that names the parameter */
export function readReceiptParameters(
  engine: Engine,
  parameters: ReceiptBody["parameters"],
): ReceiptedSearch {
  const unknown = Object.keys(parameters).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw new SelfsameError(
      "BAD_RECEIPT",
      `expected parameters among ${NAMES.join(", ")}, got ${describeValue(unknown)}`,
    );
  }
  const { from, mode, lambda, support, semanticWeight, lexicalWeight, filters, groupBy, ...rest } =
    parameters;
  if (from !== undefined && !isWhole(from, 1, Number.MAX_SAFE_INTEGER))
    throw refusal("from", "a whole number above 0", from);
  if (support !== undefined && !isWhole(support, 0, 1000))
    throw refusal("support", "whole thousandths from 0 to 1000", support);
  if (lambda !== undefined && lambda !== null && !isWhole(lambda, 0, 1000))
    throw refusal("lambda", "whole thousandths from 0 to 1000, or null", lambda);
  for (const [name, weight] of Object.entries({ semanticWeight, lexicalWeight })) {
    const isFitting = typeof weight === "number" && weight >= 0 && weight <= FUSION_LIMIT;
    if (weight !== undefined && !isFitting) throw refusal(name, `a number from 0 to ${FUSION_LIMIT}`, weight);
  }
  const isNone = mode === "none";
  const given = {
    ...rest,
    mode: isNone ? "semantic" : mode,
    weights: { semantic: semanticWeight, lexical: lexicalWeight },
    lexicalSupport: support === undefined ? undefined : (support as number) / 1000,
    filters: filters ?? undefined,
    groupBy: groupBy ?? undefined,
    diversify: typeof lambda === "number" ? { lambda: lambda / 1000 } : undefined,
  } as unknown as SearchParameters;
  return { p: resolved(engine, given), from: (from as number | undefined) ?? 0, isNone };
}

/** The other parameters have in a receipt the names that they have in a search. */
function resolved(engine: Engine, given: SearchParameters): ResolvedParameters {
  try {
    return resolveParameters(engine, given);
  } catch (cause) {
    if (!(cause instanceof SelfsameError) || cause.code !== "BAD_ARGUMENT") throw cause;
    const { argument, expected, got } = cause.details;
    const reason =
      argument === undefined
        ? `expected parameters of a search, got: ${cause.reason}`
        : `expected parameters.${argument} to be ${expected}, got ${got}`;
    throw new SelfsameError("BAD_RECEIPT", reason, "", {
      cause,
      details: { field: `parameters.${argument}` },
    });
  }
}

function isWhole(value: Json, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

function refusal(name: string, what: string, got: Json | undefined): SelfsameError {
  return new SelfsameError(
    "BAD_RECEIPT",
    `expected parameters.${name} to be ${what}, got ${describeValue(got)}`,
  );
}
