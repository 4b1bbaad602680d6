import type { Engine } from "../engine/engine.ts";
import { badArgument } from "../errors/arguments.ts";
import { membersOf } from "../errors/plain-object.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { canonicalText, normalForm } from "../text/canonical.ts";
import { hasLoneSurrogate } from "../text/lone-surrogate.ts";
import { compileGlobs } from "./glob.ts";
import { LENGTH_MAX } from "./glob-pattern.ts";
import { parseInstant } from "./instant.ts";

/** A metadata value that filters can compare. */
export type Scalar = string | number | boolean | null;

/** Which documents a search considers. All given filters must match. SPEC §17 */
export interface Filters {
  /** A pattern like `docs/**` + `/*.md`, or several, one of which must match. */
  readonly path?: string | readonly string[];
  /** `text/markdown`, `text/*`, or several. */
  readonly mime?: string | readonly string[];
  /** Milliseconds since 1970, or a date (UTC if it has no time zone). Matches strictly later times. */
  readonly modifiedAfter?: number | string;
  /** The same. Matches strictly earlier times. */
  readonly modifiedBefore?: number | string;
  /** A string that the document's canonical text must contain; case-sensitive. */
  readonly contains?: string;
  /** For each key, the value that it must have, or a list of values of which it must have one. */
  readonly metadata?: Readonly<Record<string, Scalar | readonly Scalar[]>>;
}

/** The parts of a document that filters read. */
export interface FilteredDocument {
  readonly path: string;
  readonly mime: string | null;
  readonly modifiedAt: number | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Returns the canonical text. Called last, and only if a filter needs it. */
  text(): string;
}

export interface CompiledFilters {
  matches(document: FilteredDocument): boolean;
  /** Whether a result depends on what metadataRoot covers: media types, times, metadata. */
  readonly usesMetadata: boolean;
  /** The same filters in canonical form, for receipts and keys: lists, milliseconds, NFC. */
  readonly canonical: CanonicalFilters;
}

export interface CanonicalFilters {
  readonly path?: readonly string[];
  readonly mime?: readonly string[];
  readonly modifiedAfter?: number;
  readonly modifiedBefore?: number;
  readonly contains?: string;
  readonly metadata?: Readonly<Record<string, readonly Scalar[]>>;
}

/** SPEC §17.1 */
export const PATTERNS_MAX = 64;
/**
 * NFC composes at most four characters into one, each of at most two units. So a longer pattern is also too long in
 * NFC.
 */
const PATTERN_UNITS_MAX = 8 * LENGTH_MAX;

type Test = (document: FilteredDocument) => boolean;

/** In the order in which they are tested: cheap ones first. */
const FIELDS = ["path", "mime", "modifiedAfter", "modifiedBefore", "metadata", "contains"] as const;
const IN_METADATA: ReadonlySet<string> = new Set(["mime", "modifiedAfter", "modifiedBefore", "metadata"]);

/** @throws {SelfsameError} BAD_ARGUMENT that names the field */
export function compileFilters(engine: Engine, filters: Filters): CompiledFilters {
  const members = membersOf(filters);
  if (members === null) throw badArgument("filters", "a plain object", filters);
  for (const [key] of members) {
    if (!(FIELDS as readonly string[]).includes(key)) {
      throw new SelfsameError(
        "BAD_ARGUMENT",
        `expected filters among ${FIELDS.join(", ")}, got filters.${key}`,
        "",
        { details: { argument: `filters.${key}` } },
      );
    }
  }
  const values = new Map(members);
  const given = FIELDS.filter((field) => values.get(field) !== undefined);
  const canonical: CanonicalFilters = Object.fromEntries(
    given.map((field) => [field, READ[field](engine, values.get(field))]),
  );
  const tests = given.map((field) => TESTS[field](canonical));
  return {
    matches: (document) => tests.every((test) => test(document)),
    usesMetadata: given.some((field) => IN_METADATA.has(field)),
    canonical,
  };
}

/** Reads each field's canonical value, which shares no list or object with the input. */
const READ: Readonly<Record<(typeof FIELDS)[number], (engine: Engine, value: unknown) => unknown>> = {
  path: (engine, value) =>
    patterns(value).map((pattern) =>
      pattern.length > PATTERN_UNITS_MAX ? pattern : normalForm(engine, "nfc", pattern),
    ),
  mime: (_, value) => strings("filters.mime", value).map((type) => mimePattern(type, "filters.mime")),
  modifiedAfter: (_, value) => instant("filters.modifiedAfter", value),
  modifiedBefore: (_, value) => instant("filters.modifiedBefore", value),
  contains: needle,
  metadata: (_, value) => metadataValues(value),
};

const TESTS: Readonly<Record<(typeof FIELDS)[number], (filters: CanonicalFilters) => Test>> = {
  path: ({ path }) => {
    const globs = compileGlobs(path!, "filters.path");
    return (document) => globs.matches(document.path);
  },
  mime: ({ mime }) => {
    const wanted = new Set(mime);
    return (document) => {
      if (document.mime === null) return false;
      const type = bareMime(document.mime);
      return wanted.has(type) || wanted.has(type.replace(/\/.*$/s, "/*")) || wanted.has("*/*");
    };
  },
  modifiedAfter:
    ({ modifiedAfter }) =>
    (document) =>
      document.modifiedAt !== null && document.modifiedAt > modifiedAfter!,
  modifiedBefore:
    ({ modifiedBefore }) =>
    (document) =>
      document.modifiedAt !== null && document.modifiedAt < modifiedBefore!,
  contains:
    ({ contains }) =>
    (document) =>
      document.text().includes(contains!),
  metadata: ({ metadata }) => {
    const wanted = Object.entries(metadata!);
    return (document) => wanted.every(([key, values]) => hasOneOf(document.metadata, key, values));
  },
};

/** A missing key counts as null. A list has each of its elements. SPEC §17.4 */
function hasOneOf(metadata: FilteredDocument["metadata"], key: string, values: readonly Scalar[]): boolean {
  const value = metadata !== null && Object.hasOwn(metadata, key) ? metadata[key] : null;
  const candidates: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.some((wanted) => candidates.includes(wanted));
}

function patterns(value: unknown): string[] {
  const list = strings("filters.path", value);
  if (list.length <= PATTERNS_MAX) return list;
  throw badArgument("filters.path", `at most ${PATTERNS_MAX} patterns`, list.length);
}

/** Returns a list, or a single value as a list. It is a copy, in which a hole is undefined. */
function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? Array.from(value as unknown[]) : [value];
}

function strings(field: string, value: unknown): string[] {
  const list = listOf(value);
  if (list.length === 0 || list.some((each) => typeof each !== "string")) {
    throw badArgument(field, "a string or a list of strings", value);
  }
  return list as string[];
}

/** Returns a media type, or a wildcard for all of a kind, in canonical form. Errors use `name`. */
export function mimePattern(pattern: string, name: string): string {
  const type = bareMime(pattern);
  if (/^(\*\/\*|[a-z0-9!#$&^_.+-]+\/(\*|[a-z0-9!#$&^_.+-]+))$/.test(type)) return type;
  throw badArgument(name, 'a type like "text/markdown" or "text/*"', pattern);
}

/** Removes parameters and maps A to Z to a to z. SPEC §17.3 */
function bareMime(mime: string): string {
  const type = mime.split(";", 1)[0]!.replace(/^[ \t]+|[ \t]+$/g, "");
  return type.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
}

function instant(field: string, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value + 0;
  const parsed = typeof value === "string" ? parseInstant(value) : null;
  if (parsed === null) {
    throw badArgument(field, 'whole milliseconds since 1970 or a date like "2026-02-17T09:30:00Z"', value);
  }
  return parsed;
}

/** Removes the line feed at the end of canonical text: a substring need not have one. SPEC §17.5 */
function needle(engine: Engine, value: unknown): string {
  const text = typeof value === "string" ? canonicalText(engine, value) : "";
  if (text === "") throw badArgument("filters.contains", "a text that is not empty", value);
  return text.slice(0, -1);
}

function metadataValues(value: unknown): Record<string, Scalar[]> {
  const members = membersOf(value);
  if (members === null) throw badArgument("filters.metadata", "a plain object", value);
  const entries = members.map(([key, each]): [string, Scalar[]] => {
    if (hasLoneSurrogate(key))
      throw badArgument("filters.metadata", "without lone surrogates in its keys", key);
    const list = listOf(each);
    if (list.length === 0 || !list.every(isScalar)) {
      const form = "a string, a finite number, a boolean, null, or a list of them";
      throw badArgument(`filters.metadata.${key}`, form, each);
    }
    if (list.some((scalar) => typeof scalar === "string" && hasLoneSurrogate(scalar))) {
      throw badArgument(`filters.metadata.${key}`, "without a lone surrogate", each);
    }
    return [key, list];
  });
  return Object.fromEntries(entries);
}

function isScalar(value: unknown): value is Scalar {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  return typeof value === "number" && Number.isFinite(value);
}
