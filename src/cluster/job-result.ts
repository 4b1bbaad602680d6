import { littleEndianBytes } from "../engine/byte-order.ts";
import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { concatFields } from "../identity/tagged-hash.ts";
import { utf8 } from "../text/canonical.ts";
import { badClusterData } from "./bad-cluster-data.ts";
import { readFields } from "./fields.ts";
import { JOB_BYTES_MAX, JOB_TEXTS_MAX, type Job, jobId } from "./job.ts";

const KIND = "selfsame result 1";
const WORKER_BYTES_MAX = 256;
/** A vector has at most this many components. SPEC §8.1 */
const DIMENSION_MAX = 8192;
/** No result is longer. */
export const RESULT_BYTES_MAX = JOB_BYTES_MAX + JOB_TEXTS_MAX * (DIMENSION_MAX * 2 + 8) + 4096;

/** What a worker made of a job. The texts are with it, so that anybody can compute it again. SPEC §29.12 */
export interface JobResult {
  readonly id: string;
  /** Who computed it. */
  readonly worker: string;
  readonly texts: readonly Uint8Array[];
  /** i16, little-endian, one for each text. */
  readonly vectors: readonly Uint8Array[];
}

/** Returns the object of a result, which is stored under the id of its job. */
export function encodeResult(job: Job, worker: string, vectors: readonly Int16Array[]): Uint8Array {
  const name = utf8(worker).subarray(0, WORKER_BYTES_MAX);
  return concatFields([utf8(KIND), job.model, name, ...job.texts, ...vectors.map(littleEndianBytes)]);
}

/**
 * Reads the result of a job. It proves that the texts are those of the job; that the vectors are theirs can only be
 * computed. @throws {SelfsameError} BAD_CLUSTER_DATA
 */
export function decodeResult(engine: Engine, id: string, bytes: Uint8Array, dimension: number): JobResult {
  const wrong = (got: string) => badClusterData(`the result of job ${id}`, got);
  const [kind, model, worker, ...rest] = readFields(bytes, 3 + 2 * JOB_TEXTS_MAX) ?? [];
  if (kind === undefined || toHex(kind) !== toHex(utf8(KIND)) || model === undefined || worker === undefined)
    throw wrong(`${bytes.length} other bytes`);
  const count = rest.length / 2;
  const [texts, vectors] = [rest.slice(0, count), rest.slice(count)];
  if (!Number.isInteger(count) || count === 0) throw wrong(`${rest.length} texts and vectors`);
  if (jobId(engine, model, texts) !== id) throw wrong("that of other texts");
  const odd = vectors.find(({ length }) => length !== 2 * dimension);
  if (odd !== undefined) throw wrong(`a vector of ${odd.length} bytes where ${2 * dimension} belong`);
  return { id, worker: new TextDecoder().decode(worker), texts, vectors };
}
