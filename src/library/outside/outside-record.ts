import { littleEndianBytes } from "../../engine/byte-order.ts";
import { ID_BYTES } from "../../engine/digest.ts";
import type { Engine } from "../../engine/engine.ts";
import { badArgument } from "../../errors/arguments.ts";
import { describeValue } from "../../errors/describe-value.ts";
import { isPlainObject } from "../../errors/plain-object.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import type { SparseEntry } from "../../store/outside.ts";
import { canonicalBytes } from "../../text/canonical.ts";
import { canonicalJson, type Json } from "../../text/canonical-json.ts";
import { hasLoneSurrogate } from "../../text/lone-surrogate.ts";
import { canonicalPath } from "../../text/path.ts";
import { compareUtf8 } from "../../text/utf8-order.ts";
import { givenVector } from "../../vectors/given-vector.ts";
import { sparseInteger } from "../../vectors/sparse-weight.ts";

/** Terms with their weights, as sparse models and BM25 give them. */
export interface WeightedTerms {
  /** The terms. */
  readonly terms: readonly string[];
  /** One weight for each term. */
  readonly weights: readonly number[];
}

/**
 * A chunk that was made elsewhere, as it is given to `Library.ingest`. Vectors may also stand in it as in vector files, under
 * `SpladeV3`, `BM25` and the name of the dense model. Every further member is kept as metadata.
 */
export interface OutsideChunk {
  /** 32 hexadecimal digits, with or without hyphens. */
  readonly uuid: string;
  /** The document: a path like `guides/restore`. */
  readonly doc_id: string;
  /** The text of the chunk. */
  readonly text: string;
  /** The order of chunks in their document follows `source_chunk_idxs`, then `chunk_id`. */
  readonly chunk_id?: string | number;
  /** The numbers of the source chunks that it was made of. */
  readonly source_chunk_idxs?: readonly number[];
  /** The number of tokens that its maker counted. */
  readonly num_tokens?: number;
  /** The dense vector, in a library of external vectors. */
  readonly vector?: readonly number[] | Float32Array | null;
  /** The sparse vector. */
  readonly sparse?: WeightedTerms | null;
  /** The BM25 weights: kept and given back. Words are ranked by the text. */
  readonly bm25?: WeightedTerms | null;
  readonly [field: string]: unknown;
}

/** A chunk that was read and checked. */
export interface ReadOutsideChunk {
  /** 16 bytes. */
  readonly id: Uint8Array<ArrayBuffer>;
  /** The canonical path of its document. */
  readonly path: string;
  /** Canonical, without a line break at its end; UTF-8. */
  readonly text: Uint8Array<ArrayBuffer>;
  readonly tokens: number;
  /** Canonical JSON. */
  readonly fields: string;
  readonly bm25: string | null;
  readonly vector: Uint8Array | null;
  readonly sparse: readonly SparseEntry[] | null;
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const TERM_BYTES_MAX = 1024;
const TERMS_MAX = 65_535;
const LF = 10;

/**
 * Reads a record. SPEC §23.1
 *
 * @param dimension the length of its vector; null in a library whose vectors come from its model
 * @throws {SelfsameError} BAD_OUTSIDE_DATA or BAD_VECTOR
 */
export function readOutsideChunk(
  engine: Engine,
  record: OutsideChunk,
  dimension: number | null,
): ReadOutsideChunk {
  if (!isPlainObject(record))
    throw badOutside(`expected a chunk to be an object, got ${describeValue(record)}`);
  const { uuid, doc_id, text, vector, sparse, bm25, ...fields } = record as OutsideChunk;
  const id = uuidBytes(uuid);
  if (typeof doc_id !== "string") throw badField(uuid, "doc_id", "a string", doc_id);
  if (typeof text !== "string" || hasLoneSurrogate(text))
    throw badField(uuid, "text", "a string without lone surrogates", text);
  checkOrderFields(uuid, fields);
  return {
    id,
    path: within(uuid, "doc_id", () => canonicalPath(engine, doc_id)),
    text: withoutEnd(canonicalBytes(engine, text)),
    tokens: (fields["num_tokens"] as number | undefined | null) ?? 0,
    fields: within(uuid, "the other fields", () => canonicalJson(fields as { [name: string]: Json })),
    bm25: bm25 === undefined || bm25 === null ? null : readBm25(uuid, bm25),
    vector: readVector(engine, uuid, vector ?? null, dimension),
    sparse: sparse === undefined || sparse === null ? null : readSparse(uuid, sparse),
  };
}

/** Returns the 16 bytes of a UUID. @throws {SelfsameError} BAD_OUTSIDE_DATA */
export function uuidBytes(uuid: unknown): Uint8Array<ArrayBuffer> {
  if (typeof uuid !== "string" || !UUID.test(uuid))
    throw badOutside(
      `expected uuid to be 32 hexadecimal digits with or without hyphens, got ${describeValue(uuid)}`,
    );
  const digits = uuid.replaceAll("-", "");
  const bytes = new Uint8Array(ID_BYTES);
  for (let i = 0; i < ID_BYTES; i++) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

function checkOrderFields(uuid: string, fields: { readonly [name: string]: unknown }): void {
  const { chunk_id: chunkId, source_chunk_idxs: indexes, num_tokens: tokens } = fields;
  if (
    chunkId !== undefined &&
    chunkId !== null &&
    typeof chunkId !== "string" &&
    !Number.isSafeInteger(chunkId)
  )
    throw badField(uuid, "chunk_id", "a string or a whole number", chunkId);
  if (tokens !== undefined && tokens !== null && !isCount(tokens))
    throw badField(uuid, "num_tokens", "a whole number from 0", tokens);
  if (indexes !== undefined && indexes !== null && !(Array.isArray(indexes) && indexes.every(isCount)))
    throw badField(uuid, "source_chunk_idxs", "a list of whole numbers from 0", indexes);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The text of a chunk has no line break at its end: it is a part of its document. */
function withoutEnd(text: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return text.at(-1) === LF ? text.slice(0, -1) : text;
}

function readVector(
  engine: Engine,
  uuid: string,
  vector: NonNullable<OutsideChunk["vector"]> | null,
  dimension: number | null,
): Uint8Array | null {
  if (dimension === null) {
    if (vector === null) return null;
    throw new SelfsameError(
      "BAD_OUTSIDE_DATA",
      `expected chunk ${uuid} to come without a vector, got one: this library computes its vectors with its own model`,
      "Make a library for external vectors: open(name, { vectors: { name, dimension } })",
      { details: { uuid } },
    );
  }
  if (vector === null)
    throw new SelfsameError(
      "BAD_OUTSIDE_DATA",
      `expected a vector of ${dimension} numbers for chunk ${uuid}, got none`,
      "Give each chunk of this library its vector",
      { details: { uuid } },
    );
  return within(uuid, "vector", () => littleEndianBytes(givenVector(engine, vector, dimension)));
}

/** Returns the terms in the order of UTF-8 bytes, without those whose weight is 0; null if none is left. SPEC §24.1 */
function readSparse(uuid: string, sparse: WeightedTerms): SparseEntry[] | null {
  const pairs = termPairs(uuid, "sparse", sparse);
  const entries = pairs.map(([term, weight]) => ({
    term,
    weight: within(uuid, "sparse.weights", () => sparseInteger(weight)),
  }));
  const kept = entries.filter(({ weight }) => weight > 0);
  return kept.length === 0 ? null : kept;
}

function readBm25(uuid: string, bm25: WeightedTerms): string {
  const pairs = termPairs(uuid, "bm25", bm25);
  const wrong = pairs.find(([, weight]) => typeof weight !== "number" || !Number.isFinite(weight));
  if (wrong !== undefined) throw badField(uuid, "bm25.weights", "finite numbers", wrong[1]);
  return canonicalJson({ terms: pairs.map(([term]) => term), weights: pairs.map(([, weight]) => weight) });
}

/** Returns terms and weights as pairs, in the order of the terms' UTF-8 bytes. Each term must occur once. */
function termPairs(uuid: string, field: string, given: WeightedTerms): [term: string, weight: number][] {
  const { terms, weights } = (isPlainObject(given) ? given : {}) as Partial<WeightedTerms>;
  if (!Array.isArray(terms) || !Array.isArray(weights) || terms.length !== weights.length)
    throw badField(uuid, field, "{ terms, weights }, two lists of equal length", given);
  if (terms.length > TERMS_MAX) throw badField(uuid, `${field}.terms`, `at most ${TERMS_MAX} terms`, terms);
  const pairs = terms.map((term, i): [string, number] => {
    if (typeof term !== "string" || term === "" || term.length > TERM_BYTES_MAX || hasLoneSurrogate(term))
      throw badField(uuid, `${field}.terms[${i}]`, `a string of 1 to ${TERM_BYTES_MAX} characters`, term);
    return [term, weights[i] as number];
  });
  pairs.sort(([a], [b]) => compareUtf8(a, b));
  const twice = pairs.find(([term], i) => i > 0 && term === pairs[i - 1]![0]);
  if (twice !== undefined) throw badField(uuid, `${field}.terms`, "each term once", twice[0]);
  return pairs;
}

/** Runs a check whose error does not know which chunk it is about. */
function within<T>(uuid: string, field: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof SelfsameError)) throw error;
    const code = error.code === "BAD_VECTOR" ? "BAD_VECTOR" : "BAD_OUTSIDE_DATA";
    throw new SelfsameError(code, `chunk ${uuid}, ${field}: ${error.reason}`, error.hint, {
      cause: error,
      details: { uuid, field },
    });
  }
}

export function badOutside(
  reason: string,
  hint = "Correct the data and ingest again; nothing was changed",
): SelfsameError {
  return new SelfsameError("BAD_OUTSIDE_DATA", reason, hint);
}

function badField(uuid: string, field: string, expected: string, got: unknown): SelfsameError {
  const { reason } = badArgument(field, expected, got);
  return new SelfsameError("BAD_OUTSIDE_DATA", `chunk ${uuid}: ${reason}`, "", { details: { uuid, field } });
}
