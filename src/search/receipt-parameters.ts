import { vectorOf } from "../engine/byte-order.ts";
import { fromHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Json } from "../text/canonical-json.ts";
import { RECEIPT_NAMES, receiptNameOf } from "./parameter-table.ts";
import { canonicalParameters, type ResolvedParameters, resolveParameters } from "./parameters.ts";
import type { ReceiptBody } from "./receipt.ts";
import type { SearchMode, SearchParameters } from "./search-parameters.ts";
import { checkSparseIntegers } from "./sparse-query.ts";

/** The mode that was actually run; `none`: nothing could be searched. */
export type DoneMode = SearchMode | "none";

/** The fallback of each mode if the query has no vector, or no chunk has one. SPEC §20.7 */
const WITHOUT_VECTORS: Readonly<Record<SearchMode, DoneMode>> = {
  hybrid: "lexical",
  semantic: "none",
  lexical: "lexical",
};

/**
 * Returns the mode that was actually run.
 *
 * @param isWhole whether everything requested could be done
 */
export function doneMode({ mode }: ResolvedParameters, isWhole: boolean): DoneMode {
  return isWhole ? mode : WITHOUT_VECTORS[mode];
}

/**
 * Returns a receipt's parameters: those of the search that was actually run, so that every device can re-run it.
 * Without vectors, that is a lexical search without diversification, or no search at all. SPEC §20.7
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

/** The search that a receipt describes. */
export interface ReceiptedSearch {
  readonly p: ResolvedParameters;
  /** The number of results before the page. */
  readonly from: number;
  /** Whether nothing was searched; the answer is then empty. */
  readonly isNone: boolean;
}

/** The first result's position in the whole list is not a parameter, but the answer of a later page depends on it. */
const NAMES = [...RECEIPT_NAMES, "from"];

/** Parses a receipt's parameters. @throws {SelfsameError} BAD_RECEIPT that names the parameter */
export function readReceiptParameters(
  engine: Engine,
  parameters: ReceiptBody["parameters"],
): ReceiptedSearch {
  const unknown = Object.keys(parameters).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw new SelfsameError(
      "BAD_RECEIPT",
      `expected parameters among ${NAMES.join(", ")}, got ${describeValue(unknown)}`,
      "",
      { details: { field: `parameters.${unknown}` } },
    );
  }
  const { from, mode, lambda, semanticWeight, lexicalWeight, sparseWeight, ...others } = parameters;
  const { filters, groupBy, minSimilarity, vector, sparse, ...rest } = others;
  if (from !== undefined && !isWhole(from, 1, Number.MAX_SAFE_INTEGER))
    throw refusal("from", "a whole number above 0", describeValue(from));
  if (lambda !== undefined && lambda !== null && !isWhole(lambda, 0, 1000))
    throw refusal("lambda", "whole thousandths from 0 to 1000, or null", describeValue(lambda));
  const isNone = mode === "none";
  const given = {
    ...rest,
    mode: isNone ? "semantic" : mode,
    weights: { semantic: semanticWeight, lexical: lexicalWeight, sparse: sparseWeight },
    filters: filters ?? undefined,
    groupBy: groupBy ?? undefined,
    minSimilarity: minSimilarity ?? undefined,
    diversify: typeof lambda === "number" ? { lambda: lambda / 1000 } : undefined,
  } as unknown as SearchParameters;
  const p = renamed(() => ({
    ...resolveParameters(engine, given),
    vector: vector === undefined ? null : receiptVector(engine, vector),
    sparse: sparse === undefined ? null : checkSparseIntegers("sparse", sparse),
  }));
  return { p, from: (from as number | undefined) ?? 0, isNone };
}

/** Reads the i16 vector that a receipt binds. */
function receiptVector(engine: Engine, hex: Json): Int16Array {
  const isHex = typeof hex === "string" && /^([0-9a-f]{32}){1,512}$/.test(hex);
  const bytes = isHex ? fromHex(hex) : new Uint8Array();
  const isAdmitted =
    isHex && engine.scope(() => engine.exports.is_admitted(engine.write(bytes), bytes.length));
  if (!isAdmitted)
    throw refusal("vector", "the bytes of a vector (SPEC §10.1), in hexadecimal", describeValue(hex));
  return vectorOf(bytes);
}

/** Resolves parameters as a search does. Errors use the parameter's name in the receipt. */
function renamed(resolve: () => ResolvedParameters): ResolvedParameters {
  try {
    return resolve();
  } catch (cause) {
    if (!(cause instanceof SelfsameError) || cause.code !== "BAD_ARGUMENT") throw cause;
    const { argument, expected, got } = cause.details;
    if (argument === undefined || expected === undefined) {
      const reason = `expected parameters of a search, got: ${cause.reason}`;
      throw new SelfsameError("BAD_RECEIPT", reason, "", { cause, details: { field: "parameters" } });
    }
    throw refusal(receiptNameOf(String(argument)), String(expected), String(got), cause);
  }
}

function isWhole(value: Json, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

function refusal(name: string, expected: string, got: string, cause?: SelfsameError): SelfsameError {
  const field = `parameters.${name}`;
  return new SelfsameError("BAD_RECEIPT", `expected ${field} to be ${expected}, got ${got}`, "", {
    ...(cause === undefined ? {} : { cause }),
    details: { field },
  });
}
