import type { Engine } from "../engine/engine.ts";
import { describeValue } from "../errors/describe-value.ts";
import { membersOf } from "../errors/plain-object.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { canonicalJson, type Json } from "../text/canonical-json.ts";
import { lambdaThousandths } from "./diversify.ts";
import { type CompiledFilters, compileFilters, type Filters } from "./filters.ts";
import { FUSION_LIMIT } from "./fuse.ts";

/** By meaning, by words, or by both, fused. */
export type SearchMode = "hybrid" | "semantic" | "lexical";

/** How a search is made; every field has a default. SPEC §20.1 */
export interface SearchParameters {
  /** `keyword` is another word for `lexical`. */
  readonly mode?: SearchMode | "keyword";
  /** How many results; default 10. */
  readonly topK?: number;
  /** How many candidates the channel by meaning gives; default 20, or `topK` where that is more. */
  readonly semanticK?: number;
  /** How many candidates the channel by words gives; the same default. */
  readonly lexicalK?: number;
  /** The constant of reciprocal rank fusion; default 60. */
  readonly rrfK?: number;
  /** How much each channel counts; default 1 and 1. */
  readonly weights?: Readonly<Partial<Record<"semantic" | "lexical", number>>>;
  /**
   * In mode hybrid, the share of the query's phrases and terms that must match a chunk for its rank by words to count; default
   * 0.5. With 0 every rank counts, as in the contracts.
   */
  readonly lexicalSupport?: number;
  /** How widely the graph is searched, where it answers; default 50. */
  readonly ef?: number;
  /** Short for `ef: 20`. */
  readonly approximate?: boolean;
  /** Scan all vectors, where the graph would answer. */
  readonly exact?: boolean;
  /** Another word for `exact`. */
  readonly recallFirst?: boolean;
  /** Of equal scores, what both channels found stands first. */
  readonly preferCoverage?: boolean;
  /** Which documents are looked at; default all. */
  readonly filters?: Filters;
  /** `pre`, the default: channels see only what passes. `post`: they see all, 100 candidates each, and what does not pass is left out. */
  readonly filterMode?: "pre" | "post";
  /** Results unlike each other: λ from 0 to 1, default 0.7. */
  readonly diversify?: boolean | Diversity;
  /** `path`: one result per document, fused by documents. */
  readonly groupBy?: "path";
  /** Results come in pages of this size, instead of the first `topK`. */
  readonly pageSize?: number;
  /** Where the next page begins, from the page before. */
  readonly cursor?: string;
  /** Tell how the ranking came about. */
  readonly explain?: boolean;
  /** Other defaults, as one of the contracts has them. SPEC §20.2 */
  readonly preset?: PresetName;
}

/** How unlike each other results are to be. */
export interface Diversity {
  /** From 0, as unlike as can be, to 1, by relevance alone; default 0.7. */
  readonly lambda?: number;
}

/** All parameters, none left open. */
export interface ResolvedParameters {
  readonly mode: SearchMode;
  readonly topK: number;
  readonly semanticK: number;
  readonly lexicalK: number;
  readonly rrfK: number;
  readonly semanticWeight: number;
  readonly lexicalWeight: number;
  /** In thousandths. */
  readonly support: number;
  readonly ef: number;
  readonly exact: boolean;
  readonly preferCoverage: boolean;
  readonly filters: CompiledFilters | null;
  readonly filterMode: "pre" | "post";
  /** λ in thousandths; null for none. */
  readonly lambda: number | null;
  readonly groupBy: "path" | null;
  readonly pageSize: number | null;
  readonly cursor: string | null;
  readonly explain: boolean;
}

/** A contract whose defaults are taken. SPEC §20.2 */
export type PresetName = "cfs" | "rifflux" | "orchestration" | "docstokg";

/** Numbers of the contracts: seed by seed. */
const PRESETS: Readonly<Record<PresetName, SearchParameters & { readonly candidatesPerResult?: number }>> = {
  cfs: { lexicalSupport: 0 },
  rifflux: { lexicalSupport: 0, candidatesPerResult: 2 },
  orchestration: { lexicalSupport: 0, semanticK: 100, lexicalK: 100, preferCoverage: true, groupBy: "path" },
  docstokg: { lexicalSupport: 0, semanticK: 60, lexicalK: 80, weights: { semantic: 0.65, lexical: 0.35 } },
};

/** The parameters that a preset sets; candidates per result are both channels' counts. */
export function keysOfPreset(preset: PresetName): (keyof SearchParameters)[] {
  const { candidatesPerResult, ...own } = PRESETS[preset];
  const keys = Object.keys(own) as (keyof SearchParameters)[];
  return candidatesPerResult === undefined ? keys : [...keys, "semanticK", "lexicalK"];
}

const DEFAULT_K = 20;
const DEFAULT_LAMBDA = 0.7;
const POST_FILTER_K = 100;
/** Of docstokg: so many more semantic candidates, in halves, where results are to be unlike each other. */
const OVERFETCH_HALVES = 3;
/** What any count may be at most: candidates, results, pages. */
export const COUNT_MAX = 10_000;

const KNOWN: Readonly<Record<keyof SearchParameters, true>> = {
  mode: true,
  topK: true,
  semanticK: true,
  lexicalK: true,
  rrfK: true,
  weights: true,
  lexicalSupport: true,
  ef: true,
  approximate: true,
  exact: true,
  recallFirst: true,
  preferCoverage: true,
  filters: true,
  filterMode: true,
  diversify: true,
  groupBy: true,
  pageSize: true,
  cursor: true,
  explain: true,
  preset: true,
};

/** Checks parameters and fills in defaults. @throws {SelfsameError} BAD_ARGUMENT that names the field */
export function resolveParameters(engine: Engine, parameters: SearchParameters): ResolvedParameters {
  const given = present("parameters", parameters, Object.keys(KNOWN)) as SearchParameters;
  const preset: (typeof PRESETS)[PresetName] =
    given.preset === undefined
      ? {}
      : PRESETS[oneOf("preset", given.preset, Object.keys(PRESETS) as PresetName[])];
  const asked = { ...preset, ...given };
  refuseContradictions(given);
  const topK = count("topK", asked.topK ?? 10);
  const filterMode = oneOf("filterMode", asked.filterMode ?? "pre", ["pre", "post"] as const);
  const filters = asked.filters === undefined ? null : compileFilters(engine, asked.filters);
  const lambda = lambdaOf(asked.diversify);
  const perResult = preset.candidatesPerResult;
  const byDefault = perResult === undefined ? Math.max(DEFAULT_K, topK) : topK * perResult;
  const leastK = filters !== null && filterMode === "post" ? POST_FILTER_K : 0;
  const candidates = (field: "semanticK" | "lexicalK") =>
    Math.max(
      asked[field] === undefined ? Math.min(byDefault, COUNT_MAX) : count(field, asked[field]),
      leastK,
    );
  const semanticK = candidates("semanticK");
  const isOverfetched = given.preset === "docstokg" && lambda !== null;
  const mode = oneOf("mode", asked.mode ?? "hybrid", ["hybrid", "semantic", "lexical", "keyword"] as const);
  const weights = { ...preset.weights, ...present("weights", asked.weights ?? {}, ["semantic", "lexical"]) };
  const isApproximate = flag("approximate", asked.approximate);
  return {
    mode: mode === "keyword" ? "lexical" : mode,
    topK,
    semanticK: isOverfetched ? Math.min(Math.ceil((semanticK * OVERFETCH_HALVES) / 2), COUNT_MAX) : semanticK,
    lexicalK: candidates("lexicalK"),
    rrfK: fusionNumber("rrfK", asked.rrfK ?? 60),
    semanticWeight: fusionNumber("weights.semantic", weights.semantic ?? 1),
    lexicalWeight: fusionNumber("weights.lexical", weights.lexical ?? 1),
    support: thousandths("lexicalSupport", asked.lexicalSupport ?? 0.5),
    ef: count("ef", asked.ef ?? (isApproximate ? 20 : 50)),
    exact: flag("exact", asked.exact) || flag("recallFirst", asked.recallFirst),
    preferCoverage: flag("preferCoverage", asked.preferCoverage),
    filters,
    filterMode,
    lambda,
    groupBy: asked.groupBy === undefined ? null : oneOf("groupBy", asked.groupBy, ["path"] as const),
    pageSize: asked.pageSize === undefined ? null : count("pageSize", asked.pageSize),
    cursor: cursorOf(asked.cursor),
    explain: flag("explain", asked.explain),
  };
}

function refuseContradictions({ topK, pageSize, approximate, ef, cursor }: SearchParameters): void {
  if (topK !== undefined && pageSize !== undefined)
    refuse("pageSize", "absent where topK is given", pageSize);
  if (approximate === true && ef !== undefined) refuse("ef", "absent where approximate is given", ef);
  if (cursor !== undefined && pageSize === undefined) refuse("pageSize", "given with a cursor", pageSize);
}

/** The members of a plain object that are there, none of them unknown or null. */
function present(field: string, value: unknown, known: readonly string[]): Record<string, unknown> {
  const all = membersOf(value) ?? refuse(field, "a plain object", value);
  const members = all.filter(([, member]) => member !== undefined);
  for (const [name, member] of members) {
    const full = field === "parameters" ? name : `${field}.${name}`;
    if (member === null) refuse(full, "a value or absent", member);
    if (known.includes(name)) continue;
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected ${field} among ${known.join(", ")}, got ${full}`,
      "See SearchParameters",
    );
  }
  return Object.fromEntries(members);
}

/** What decides the answer, in one spelling: for receipts, cursors and the cache. SPEC §20.1 */
export function canonicalParameters(p: ResolvedParameters): { [name: string]: Json | undefined } {
  const { filters, cursor: _cursor, explain: _explain, topK, pageSize, ...rest } = p;
  return {
    ...rest,
    ...(pageSize === null ? { topK } : { pageSize }),
    filters: filters === null ? null : (filters.canonical as unknown as Json),
  };
}

export function parametersKey(p: ResolvedParameters): string {
  return canonicalJson(canonicalParameters(p));
}

function lambdaOf(diversify: SearchParameters["diversify"]): number | null {
  if (diversify === undefined || diversify === false) return null;
  if (diversify === true) return lambdaThousandths(DEFAULT_LAMBDA);
  const { lambda } = present("diversify", diversify, ["lambda"]);
  if (lambda !== undefined && typeof lambda !== "number") refuse("diversify.lambda", "a number", lambda);
  return lambdaThousandths((lambda as number | undefined) ?? DEFAULT_LAMBDA);
}

function cursorOf(cursor: unknown): string | null {
  if (cursor === undefined) return null;
  return typeof cursor === "string" ? cursor : refuse("cursor", "a string", cursor);
}

function count(field: string, value: unknown): number {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= COUNT_MAX)
    return value as number;
  return refuse(field, `a whole number from 1 to ${COUNT_MAX}`, value);
}

function fusionNumber(field: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && value <= FUSION_LIMIT) return Math.fround(value) + 0; // −0 becomes 0, which is how a receipt spells it
  return refuse(field, `a number from 0 to ${FUSION_LIMIT}`, value);
}

function thousandths(field: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && value <= 1) return Math.floor(value * 1000 + 0.5);
  return refuse(field, "a number from 0 to 1", value);
}

function flag(field: string, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value === true;
  return refuse(field, "true or false", value);
}

function oneOf<T extends string>(field: string, value: unknown, allowed: readonly T[]): T {
  if (allowed.includes(value as T)) return value as T;
  return refuse(field, allowed.join(", "), value);
}

function refuse(field: string, expected: string, got: unknown): never {
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected ${field} to be ${expected}, got ${describeValue(got)}`,
    "See SearchParameters",
    { details: { argument: field, expected, got: describeValue(got) } },
  );
}
