import { isPlainObject } from "../../errors/plain-object.ts";
import {
  BM25_KEY,
  SPARSE_KEY,
  type VectorMembers,
  vectorMembers,
} from "../../files/outside/vector-members.ts";
import type { ExternalVectors } from "../vector-source.ts";
import type { OutsideChunk } from "./outside-record.ts";

/**
 * Returns a record with its vectors under `vector`, `sparse` and `bm25`. They may also stand in it as in vector files: under
 * `SpladeV3`, `BM25` and the name of the dense model. SPEC §23.5
 *
 * @throws {SelfsameError} BAD_OUTSIDE_DATA
 */
export function inlineRecord(
  record: OutsideChunk,
  denseKey: string | undefined,
  where: string,
): OutsideChunk {
  if (!isPlainObject(record)) return record; // refused with the others that are no chunks
  const { members, denseKey: key } = vectorsIn(record, denseKey, where);
  const taken = new Set([SPARSE_KEY, BM25_KEY, key]);
  const fields = Object.entries(record).filter(
    ([name, value]) => !taken.has(name) && (value ?? null) !== null,
  );
  return { ...members, ...Object.fromEntries(fields) } as OutsideChunk;
}

/**
 * Returns the name and the dimension of a record's dense vector, so that a library can be made for it; null if it has none.
 * The name is that under which it stands in the record. Under `vector` it is `denseKey`, or empty.
 *
 * @example
 * vectorsOfRecord({ uuid, doc_id, text, "Qwen3-4B": { vector } }); // { name: "Qwen3-4B", dimension: 2560 }
 */
export function vectorsOfRecord(
  record: OutsideChunk,
  { denseKey }: { readonly denseKey?: string } = {},
): ExternalVectors | null {
  if (!isPlainObject(record)) return null;
  const { members, denseKey: key } = vectorsIn(record, denseKey, "record 1");
  const vector = (record.vector ?? members.vector ?? null) as ArrayLike<unknown> | null;
  return vector === null ? null : { name: key ?? denseKey ?? "", dimension: vector.length };
}

/** A list is a field like `source_chunk_idxs`: only an object with a vector is one. */
function vectorsIn(record: OutsideChunk, denseKey: string | undefined, where: string): VectorMembers {
  const isNamed = (record.vector ?? null) === null;
  const holdsVector = (value: unknown) => isPlainObject(value) && Array.isArray(value["vector"]);
  const names = Object.keys(record).filter(
    (name) =>
      name === SPARSE_KEY ||
      name === BM25_KEY ||
      (isNamed && (name === denseKey || holdsVector(record[name]))),
  );
  const value = Object.fromEntries(names.map((name) => [name, record[name]]));
  const wanted = isNamed && denseKey !== undefined && names.includes(denseKey) ? denseKey : undefined;
  return vectorMembers({ value, file: "the records", at: where }, wanted);
}
