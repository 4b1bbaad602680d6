import { littleEndianBytes } from "../engine/byte-order.ts";
import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import { givenVector } from "../vectors/given-vector.ts";
import type { SparseTerms } from "../vectors/sparse-index.ts";
import type { Bm25Scoring } from "./bm25.ts";
import { checkParameter, presentMembers, refusal } from "./check-parameter.ts";
import { lambdaThousandths } from "./diversify.ts";
import { type CompiledFilters, compileFilters } from "./filters.ts";
import type { PresetValue } from "./parameter-kinds.ts";
import {
  COUNT_MAX,
  PARAMETER_ROWS,
  RARE_IN_RECEIPT,
  RECEIPT_NAMES,
  SEARCH_PARAMETERS,
} from "./parameter-table.ts";
import type { PresetName, SearchMode, SearchParameters } from "./search-parameters.ts";
import { checkSparse } from "./sparse-query.ts";

/** All parameters, none left open, in the order in which a receipt lists them. */
export interface ResolvedParameters {
  readonly mode: SearchMode;
  readonly topK: number;
  readonly pageSize: number | null;
  readonly semanticK: number;
  readonly lexicalK: number;
  readonly sparseK: number;
  readonly bm25Scoring: Bm25Scoring;
  readonly rrfK: number;
  readonly semanticWeight: number;
  readonly lexicalWeight: number;
  /** 0: the sparse channel is not searched. */
  readonly sparseWeight: number;
  /** The query's vector, if it was given. */
  readonly vector: Int16Array | null;
  /** The query's sparse vector, if it was given. */
  readonly sparse: SparseTerms | null;
  readonly ef: number;
  readonly exact: boolean;
  readonly preferCoverage: boolean;
  readonly filters: CompiledFilters | null;
  readonly filterMode: "pre" | "post";
  /** λ in thousandths; null for none. */
  readonly lambda: number | null;
  readonly groupBy: "path" | null;
  /** The distance within which results are folded; 0 folds none. */
  readonly nearDuplicates: number;
  readonly minSimilarity: number | null;
  readonly bindPhrases: boolean;
  readonly spelling: boolean;
  readonly cursor: string | null;
  readonly explain: boolean;
}

/** Returns the parameters of the same search without its sparse channel. */
export function withoutSparse(p: ResolvedParameters): ResolvedParameters {
  return { ...p, sparseWeight: 0, sparseK: SPARSE_K, sparse: null };
}

/** The minimum number of candidates per channel, unless the caller or a preset sets it. */
const CANDIDATES_MIN = 20;
/** The minimum number of candidates per channel with filters that apply after ranking. */
const POST_FILTER_MIN = 100;
const SPARSE_K = SEARCH_PARAMETERS.sparseK.default as number;
/** Preset docstokg with diversify multiplies the number of semantic candidates by this many halves. */
const OVERFETCH_HALVES = 3;

/** Checks parameters and fills in defaults. @throws {SelfsameError} BAD_ARGUMENT that names the field. SPEC §20.1 */
export function resolveParameters(engine: Engine, parameters: SearchParameters): ResolvedParameters {
  const given = checked(parameters);
  const { preset, topK = SEARCH_PARAMETERS.topK.default as number, pageSize = null, diversify } = given;
  const results = pageSize ?? topK;
  const filters = given.filters === undefined ? null : compileFilters(engine, given.filters);
  const filterMode = settingOf("filterMode", given);
  const leastK = filters !== null && filterMode === "post" ? POST_FILTER_MIN : 0;
  const candidates = (name: "semanticK" | "lexicalK") => {
    const value = given[name] ?? times(presetValue(SEARCH_PARAMETERS[name], preset), results);
    return Math.max(Math.min(value ?? Math.max(CANDIDATES_MIN, results), COUNT_MAX), leastK);
  };
  const lambda = lambdaOf(diversify);
  const mode = settingOf("mode", given);
  const isOverfetched = preset === "docstokg" && lambda !== null;
  const semanticK = candidates("semanticK");
  const weight = (channel: "semantic" | "lexical" | "sparse") => {
    const row = SEARCH_PARAMETERS.weights.fields[channel];
    return binary32((given.weights?.[channel] ?? presetValue(row, preset) ?? row.default) as number);
  };
  const usesVector = mode !== "lexical" || lambda !== null;
  const vector = given.vector === undefined ? null : givenVector(engine, given.vector, given.vector.length);
  const sparse = given.sparse === undefined ? null : checkSparse("sparse", given.sparse);
  // What a mode does not search is not part of its search.
  const sparseWeight = mode === "semantic" ? 0 : weight("sparse");
  return {
    mode,
    topK,
    pageSize,
    semanticK: isOverfetched ? Math.min(Math.ceil((semanticK * OVERFETCH_HALVES) / 2), COUNT_MAX) : semanticK,
    lexicalK: candidates("lexicalK"),
    sparseK: sparseWeight === 0 ? SPARSE_K : Math.max(given.sparseK ?? SPARSE_K, leastK),
    bm25Scoring: mode === "semantic" ? "bm25" : settingOf("bm25Scoring", given),
    rrfK: binary32(settingOf("rrfK", given)),
    semanticWeight: weight("semantic"),
    lexicalWeight: weight("lexical"),
    sparseWeight,
    vector: usesVector ? vector : null,
    sparse: sparseWeight === 0 ? null : sparse,
    ef: settingOf("ef", given),
    exact: settingOf("exact", given),
    preferCoverage: settingOf("preferCoverage", given),
    filters,
    filterMode,
    lambda,
    groupBy: settingOf("groupBy", given) ?? null,
    nearDuplicates: settingOf("nearDuplicates", given) + 0,
    // Without −0, which a receipt cannot tell from 0.
    minSimilarity: given.minSimilarity === undefined ? null : given.minSimilarity + 0,
    bindPhrases: settingOf("bindPhrases", given),
    spelling: settingOf("spelling", given),
    cursor: given.cursor ?? null,
    explain: settingOf("explain", given),
  };
}

/**
 * Returns a copy of the given parameters, each value checked against its row. Filters are checked when they are
 * compiled.
 */
function checked(parameters: SearchParameters): SearchParameters {
  const given = presentMembers("", parameters, Object.keys(SEARCH_PARAMETERS));
  for (const [name, row] of PARAMETER_ROWS) {
    const { conflicts, needs } = row;
    if (given[name] === undefined) continue;
    if (name !== "filters") given[name] = checkParameter(name, row, given[name]);
    if (conflicts !== undefined && given[conflicts] !== undefined)
      throw refusal(conflicts, `absent if ${name} is given`, given[conflicts]);
    if (needs !== undefined && given[needs] === undefined)
      throw refusal(needs, `given with a ${name}`, undefined);
  }
  return given as SearchParameters;
}

type Plain =
  | ("mode" | "rrfK" | "ef" | "exact" | "preferCoverage" | "filterMode" | "groupBy" | "explain")
  | ("bindPhrases" | "spelling" | "bm25Scoring" | "nearDuplicates");

/** Returns the given value, the preset's value, or the default. */
function settingOf<N extends Plain>(name: N, given: SearchParameters): NonNullable<SearchParameters[N]> {
  const row = SEARCH_PARAMETERS[name];
  const value = given[name] ?? presetValue(row, given.preset) ?? row.default;
  return value as NonNullable<SearchParameters[N]>;
}

function presetValue(
  { presets }: { readonly presets?: Readonly<Partial<Record<PresetName, PresetValue>>> },
  preset: PresetName | undefined,
): PresetValue | undefined {
  return preset === undefined ? undefined : presets?.[preset];
}

function times(value: PresetValue | undefined, results: number): number | undefined {
  return typeof value === "object" ? value.perResult * results : (value as number | undefined);
}

function lambdaOf(diversify: SearchParameters["diversify"]): number | null {
  if (diversify === undefined || diversify === false) return null;
  const { lambda = SEARCH_PARAMETERS.diversify.fields.lambda.default as number } =
    diversify === true ? {} : diversify;
  return lambdaThousandths(lambda);
}

/** Rounds to binary32. −0 becomes 0, which is how a receipt writes it. SPEC §16.1 */
function binary32(value: number): number {
  return Math.fround(value) + 0;
}

/**
 * Returns what decides the answer, in canonical form and in the table's order: for receipts, cursors and the cache.
 * SPEC §20.1
 */
export function canonicalParameters(p: ResolvedParameters): { [name: string]: Json | undefined } {
  const filters = p.filters === null ? null : (p.filters.canonical as unknown as Json);
  const vector = p.vector === null ? null : toHex(littleEndianBytes(p.vector));
  const values: Record<string, unknown> = { ...p, filters, vector };
  const unused = p.pageSize === null ? "pageSize" : "topK";
  const isThere = (name: string) => !RARE_IN_RECEIPT.has(name) || RARE_IN_RECEIPT.get(name) !== values[name];
  const names = RECEIPT_NAMES.filter((name) => name !== unused && isThere(name));
  return Object.fromEntries(names.map((name) => [name, values[name] as Json]));
}

export function parametersKey(p: ResolvedParameters): string {
  return canonicalJson(canonicalParameters(p));
}
