import type { Engine } from "../engine/engine.ts";
import { badArgument } from "../errors/arguments.ts";
import { membersOf } from "../errors/plain-object.ts";
import { type CompiledFilters, compileFilters, type Filters } from "../search/filters.ts";
import { DISTANCE_MAX } from "../search/fold-duplicates.ts";
import { hasLoneSurrogate } from "../text/lone-surrogate.ts";
import { CALIBRATION, CALIBRATION_MAX } from "./calibration.ts";
import { type Affect, isAffectNumber } from "./features.ts";
import { FEATURES, type FeatureName, WEIGHT_MAX, WEIGHTS } from "./ranker.ts";
import {
  BANDS,
  type Calibration,
  type RecallContext,
  type RecallFilters,
  type RecallRequest,
  type ResolvedFilters,
  type ResolvedRecall,
} from "./request.ts";

/** Lists and names of a request are at most this long. SPEC §26.1 */
const LABELS_MAX = 64;
const WORKSPACE_MAX = 16;
const NAME_UNITS_MAX = 1024;
const TEXT_UNITS_MAX = 100_000;
const DEADLINE_MAX = 60_000;

/** The range and the default of each budget. What lies outside is clamped, and the trace says so. SPEC §26.1 */
const BUDGET_RANGES = {
  time_budget_ms: { minimum: 5, maximum: 1000, default: 40, isWhole: false },
  top_k: { minimum: 1, maximum: 100, default: 12, isWhole: true },
  mmr_lambda: { minimum: 0, maximum: 1, default: 0.35, isWhole: false },
  near_duplicates: { minimum: 0, maximum: DISTANCE_MAX, default: 3, isWhole: true },
  per_document: { minimum: 1, maximum: 100, default: 100, isWhole: true },
} as const;

const POLICY = ["allow_shared", "max_band", "roles"];

/** A request that was read once and checked. */
export interface CheckedRequest {
  readonly query: string;
  /** As it was given; null if it was not. */
  readonly space: string | null;
  readonly p: ResolvedRecall;
  /** null if no document is left out by them. */
  readonly filters: CompiledFilters | null;
}

/** Checks a request and fills in defaults. @throws {SelfsameError} BAD_ARGUMENT that names the field. SPEC §26.1 */
export function checkRequest(engine: Engine, request: RecallRequest): CheckedRequest {
  const { query_text, ctx = {} } = members("the request", request, [
    "query_text",
    "ctx",
  ]) as unknown as RecallRequest;
  if (typeof query_text !== "string") throw badArgument("query_text", "a string", query_text);
  const given = members("ctx", ctx, Object.keys(FIELDS)) as RecallContext;
  for (const [name, check] of Object.entries(FIELDS)) {
    const value = given[name as keyof RecallContext];
    if (value !== undefined) check(`ctx.${name}`, value);
  }
  const clamped: string[] = [];
  const budget = (name: keyof typeof BUDGET_RANGES): number => {
    const { minimum, maximum, default: normal } = BUDGET_RANGES[name];
    const value = given[name] ?? normal;
    const inside = Math.min(maximum, Math.max(minimum, value));
    if (inside !== value) clamped.push(`${name}: ${value} → ${inside}`);
    return inside + 0;
  };
  const { filters, compiled } = readFilters(engine, given.filters ?? {});
  const p: ResolvedRecall = {
    person_id: given.person_id ?? null,
    focus_event_id: given.focus_event_id ?? null,
    workspace: [...(given.workspace ?? [])],
    time_budget_ms: budget("time_budget_ms"),
    top_k: budget("top_k"),
    mmr_lambda: Math.floor(budget("mmr_lambda") * 1000 + 0.5),
    near_duplicates: budget("near_duplicates"),
    per_document: given.per_document === undefined ? null : budget("per_document"),
    filters,
    now: given.now ?? null,
    affect:
      given.affect === undefined
        ? null
        : { valence: given.affect.valence + 0, arousal: given.affect.arousal + 0 },
    tom: [...new Set(given.tom ?? [])],
    weights: weightsOf(given.weights ?? {}),
    calibration: given.calibration === undefined ? CALIBRATION : roundedCalibration(given.calibration),
    stores: given.stores === undefined ? null : [...new Set(given.stores)],
    allow_cross_encoder: given.allow_cross_encoder ?? false,
    use_feedback: given.use_feedback ?? false,
    deadline_ms: given.deadline_ms ?? null,
    clamped,
  };
  return { query: query_text, space: given.space_id ?? null, p, filters: compiled };
}

type Check = (name: string, value: unknown) => void;

const FIELDS: Readonly<Record<keyof RecallContext, Check>> = {
  person_id: text(NAME_UNITS_MAX),
  space_id: text(NAME_UNITS_MAX),
  focus_event_id: text(NAME_UNITS_MAX),
  workspace: texts(WORKSPACE_MAX, TEXT_UNITS_MAX),
  time_budget_ms: finite(false),
  top_k: finite(true),
  allow_cross_encoder: flag,
  mmr_lambda: finite(false),
  near_duplicates: finite(true),
  per_document: finite(true),
  filters: () => undefined,
  now: (name, value) => {
    if (!Number.isSafeInteger(value)) throw badArgument(name, "whole milliseconds since 1970", value);
  },
  affect: (name, value) => {
    const { valence, arousal } = members(name, value, ["valence", "arousal"]) as Partial<Affect>;
    for (const [field, each] of Object.entries({ valence, arousal }))
      if (!isAffectNumber(each)) throw badArgument(`${name}.${field}`, "a number from -1 to 1", each);
  },
  tom: texts(LABELS_MAX, NAME_UNITS_MAX),
  weights: (name, value) => {
    for (const [feature, weight] of Object.entries(members(name, value, FEATURES)))
      if (!isWithin(weight, WEIGHT_MAX))
        throw badArgument(`${name}.${feature}`, `a number from -${WEIGHT_MAX} to ${WEIGHT_MAX}`, weight);
  },
  calibration: (name, value) => {
    const { slope, offset } = members(name, value, ["slope", "offset"]) as Partial<Calibration>;
    for (const [field, each] of Object.entries({ slope, offset }))
      if (!isWithin(each, CALIBRATION_MAX))
        throw badArgument(
          `${name}.${field}`,
          `a number from -${CALIBRATION_MAX} to ${CALIBRATION_MAX}`,
          each,
        );
  },
  stores: texts(LABELS_MAX, NAME_UNITS_MAX),
  use_feedback: flag,
  deadline_ms: (name, value) => {
    if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > DEADLINE_MAX)
      throw badArgument(name, `a whole number from 1 to ${DEADLINE_MAX}`, value);
  },
};

function text(unitsMax: number): Check {
  return (name, value) => {
    if (typeof value !== "string" || value === "" || value.length > unitsMax || hasLoneSurrogate(value))
      throw badArgument(name, `a string of 1 to ${unitsMax} characters`, value);
  };
}

function texts(countMax: number, unitsMax: number): Check {
  const each = text(unitsMax);
  return (name, value) => {
    if (!Array.isArray(value) || value.length > countMax)
      throw badArgument(name, `a list of at most ${countMax} strings`, value);
    for (const [i, one] of Array.from(value).entries()) each(`${name}[${i}]`, one);
  };
}

/** Outside of its range a budget is clamped, so infinity is allowed, and only what is no number is an error. */
function finite(isWhole: boolean): Check {
  return (name, value) => {
    const isNumber = typeof value === "number" && !Number.isNaN(value);
    if (!isNumber || (isWhole && Number.isFinite(value) && !Number.isInteger(value)))
      throw badArgument(name, isWhole ? "a whole number" : "a number", value);
  };
}

function flag(name: string, value: unknown): void {
  if (typeof value !== "boolean") throw badArgument(name, "true or false", value);
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === "number" && Math.abs(value) <= most;
}

/** Returns the members of a plain object that are not undefined; an unknown one is an error. */
function members(name: string, value: unknown, known: readonly string[]): Record<string, unknown> {
  const found = membersOf(value);
  if (found === null) throw badArgument(name, "a plain object", value);
  const present = found.filter(([, member]) => member !== undefined);
  const unknown = present.find(([member]) => !known.includes(member));
  if (unknown !== undefined)
    throw badArgument(`${name}.${unknown[0]}`, `one of ${known.join(", ")}`, unknown[1]);
  return Object.fromEntries(present);
}

function readFilters(
  engine: Engine,
  given: RecallFilters,
): { readonly filters: ResolvedFilters; readonly compiled: CompiledFilters | null } {
  const found = membersOf(given);
  if (found === null) throw badArgument("ctx.filters", "a plain object", given);
  const all = Object.fromEntries(found.filter(([, value]) => value !== undefined)) as RecallFilters;
  const { allow_shared = true, max_band = "GREEN", roles = [] } = all;
  flag("ctx.filters.allow_shared", allow_shared);
  if (!BANDS.includes(max_band))
    throw badArgument("ctx.filters.max_band", `one of ${BANDS.join(", ")}`, max_band);
  texts(LABELS_MAX, NAME_UNITS_MAX)("ctx.filters.roles", roles);
  const rest = Object.fromEntries(Object.entries(all).filter(([name]) => !POLICY.includes(name))) as Filters;
  const compiled = Object.keys(rest).length === 0 ? null : compileFilters(engine, rest);
  return {
    filters: { allow_shared, max_band, roles: [...new Set(roles)], others: compiled?.canonical ?? {} },
    compiled,
  };
}

function weightsOf(given: Partial<Record<FeatureName, number>>): Record<FeatureName, number> {
  const rounded = FEATURES.map((name) => [name, Math.fround(given[name] ?? WEIGHTS[name]) + 0]);
  return Object.fromEntries(rounded) as Record<FeatureName, number>;
}

function roundedCalibration({ slope, offset }: Calibration): Calibration {
  return { slope: Math.fround(slope) + 0, offset: Math.fround(offset) + 0 };
}
