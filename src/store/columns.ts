// The values that a library's columns may hold. SQLite enforces the tables' types when rows are written, but a file
// that came from somewhere else may hold anything. Every value that is read from a column with one of these names is
// checked here.

import * as sqlite from "./codes.ts";

/** The values that a column may hold. */
export interface ColumnRule {
  readonly type: "blob" | "integer" | "text";
  readonly isNullable: boolean;
  /** The minimum and maximum integer, or number of bytes. */
  readonly min: number;
  readonly max: number;
  /** The number of bytes must be a multiple of this; default 1. */
  readonly unit?: number;
}

/** The maximum length of a value of any kind. A longer one is refused when it is written. */
export const VALUE_BYTES_MAX = 1 << 28;
const NAME_BYTES_MAX = 1 << 16;
/** The name of a tree ends with the number of a remote. */
const TREE_BYTES_MAX = 24;
const REMOTE_MAX = 0xffff_ffff;

const blob = (min: number, max: number): ColumnRule => ({ type: "blob", isNullable: false, min, max });
const text = (max: number): ColumnRule => ({ type: "text", isNullable: false, min: 0, max });
const integer = (min: number, max: number): ColumnRule => ({ type: "integer", isNullable: false, min, max });
const orNull = (rule: ColumnRule): ColumnRule => ({ ...rule, isNullable: true });
const COUNT = integer(0, Number.MAX_SAFE_INTEGER);
const ANY_INTEGER = integer(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);

const RULES: { readonly [column: string]: ColumnRule } = {
  documentId: blob(16, 16),
  chunkId: blob(16, 16),
  textHash: blob(16, 32),
  model: blob(16, 32),
  path: { ...text(NAME_BYTES_MAX), min: 1 },
  format: { ...text(16), min: 1 },
  textBytes: COUNT,
  modifiedAt: orNull(integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
  mime: orNull({ ...text(NAME_BYTES_MAX), min: 1 }),
  metadata: orNull(text(VALUE_BYTES_MAX)),
  isOutside: integer(0, 1),
  digest: orNull(blob(32, 32)), // NULL of a chunk that was cut here, in a join
  fields: orNull(text(VALUE_BYTES_MAX)),
  bm25Terms: orNull(text(VALUE_BYTES_MAX)),
  sparseTerm: ANY_INTEGER,
  term: { ...text(NAME_BYTES_MAX), min: 1 },
  entries: { ...blob(0, 1 << 20), unit: 8 },
  text: text(VALUE_BYTES_MAX),
  size: integer(-1, Number.MAX_SAFE_INTEGER),
  changedNs: ANY_INTEGER,
  scannedNs: ANY_INTEGER,
  givenMetadata: text(VALUE_BYTES_MAX),
  chunk: ANY_INTEGER,
  sequence: COUNT,
  startByte: COUNT,
  endByte: COUNT,
  line: COUNT,
  page: COUNT,
  tokens: COUNT,
  headings: text(VALUE_BYTES_MAX),
  searchHeadings: text(VALUE_BYTES_MAX),
  searchText: orNull(text(VALUE_BYTES_MAX)),
  word: { ...text(NAME_BYTES_MAX), min: 1 },
  simHash: blob(8, 8),
  termNorm: integer(0, 0xffff_ffff),
  kind: text(16),
  target: text(NAME_BYTES_MAX),
  event: blob(16, 32),
  said: text(1 << 20),
  embedding: ANY_INTEGER,
  vector: { ...blob(2, 1 << 17), unit: 2 },
  tree: text(TREE_BYTES_MAX),
  prefix: text(32),
  pack: blob(32, 32),
  spool: COUNT,
  record: blob(0, 1 << 12), // empty: the root of no documents
  remote: integer(1, REMOTE_MAX),
  remoteName: { ...text(NAME_BYTES_MAX), min: 1 },
  pulledAt: COUNT,
  piece: COUNT,
  segment: text(128),
  bound: orNull(integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
  subtree: blob(32, 32),
  ids: COUNT,
  vectors: COUNT,
  totalBytes: COUNT,
  bytes: blob(0, VALUE_BYTES_MAX),
  // FTS5's own counts, as the statements that read them name them.
  wordTotals: blob(0, 64),
  wordLengths: blob(0, 64),
  wordRuns: blob(0, 1 << 16),
  wordPage: blob(0, 1 << 20),
  block: COUNT,
  lengths: { ...blob(0, 1 << 12), unit: 2 },
};

/** Returns the rule of a result column by its name, or undefined for a name that is not ours. */
export function columnRule(name: string): ColumnRule | undefined {
  return Object.hasOwn(RULES, name) ? RULES[name] : undefined;
}

/** Describes what a rule allows, for messages. */
export function allowed({ type, isNullable, min, max }: ColumnRule): string {
  const range = min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? "any" : `${min} to ${max}`;
  const what = type === "integer" ? `an integer (${range})` : `a ${type} of ${range} bytes`;
  return isNullable ? `${what}, or NULL` : what;
}

/** Returns the name of SQLite's type number. */
export function typeName(type: number): string {
  switch (type) {
    case sqlite.INTEGER:
      return "integer";
    case sqlite.FLOAT:
      return "real";
    case sqlite.TEXT:
      return "text";
    case sqlite.BLOB:
      return "blob";
    default:
      return "NULL";
  }
}
