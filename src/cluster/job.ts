import { toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { concatFields, tagField, taggedHash } from "../identity/tagged-hash.ts";
import { utf8 } from "../text/canonical.ts";
import { badClusterData } from "./bad-cluster-data.ts";
import { readFields } from "./fields.ts";

/** The limits of a job: NATS accepts messages of 1 MiB unless told otherwise. SPEC §29.12 */
export const JOB_TEXTS_MAX = 256;
export const JOB_BYTES_MAX = 512 << 10;
/** A path is shortened to this many bytes where it only says which document a job is about. */
const PATH_BYTES_MAX = 1024;

const JOB = tagField("job");

/** Texts to embed. */
export interface Job {
  /** The digest of model and texts, in hexadecimal. */
  readonly id: string;
  /** The digest of the model that they are embedded by (SPEC §14.1). */
  readonly model: Uint8Array;
  /** A document that has the first text, for messages to people. */
  readonly path: string;
  /** Canonical texts. */
  readonly texts: readonly Uint8Array[];
}

/** A text to embed, and a document that has it. */
export interface TextToEmbed {
  readonly text: Uint8Array;
  readonly path: string;
}

/** Returns the id of a job: equal texts in the same order by the same model are the same job. SPEC §29.12 */
export function jobId(engine: Engine, model: Uint8Array, texts: readonly Uint8Array[]): string {
  return toHex(taggedHash(engine, JOB, [model, ...texts]));
}

/** Cuts texts into jobs, in their order: each takes as many as its limits allow. SPEC §29.12 */
export function cutJobs(engine: Engine, model: Uint8Array, texts: readonly TextToEmbed[]): Job[] {
  const jobs: Job[] = [];
  let part: TextToEmbed[] = [];
  let bytes = 0;
  const close = () => {
    if (part.length === 0) return;
    const inJob = part.map(({ text }) => text);
    jobs.push({ id: jobId(engine, model, inJob), model, path: part[0]!.path, texts: inJob });
    [part, bytes] = [[], 0];
  };
  for (const each of texts) {
    if (part.length === JOB_TEXTS_MAX || (part.length > 0 && bytes + each.text.length > JOB_BYTES_MAX))
      close();
    part.push(each);
    bytes += each.text.length;
  }
  close();
  return jobs;
}

/** Returns the message of a job. */
export function encodeJob({ model, path, texts }: Job): Uint8Array {
  return concatFields([model, utf8(path).subarray(0, PATH_BYTES_MAX), ...texts]);
}

/** Reads the message of a job, which anybody may have sent. @throws {SelfsameError} BAD_CLUSTER_DATA */
export function decodeJob(engine: Engine, bytes: Uint8Array): Job {
  const [model, path, ...texts] = readFields(bytes, JOB_TEXTS_MAX + 2) ?? [];
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  if (model?.length !== 32 || path === undefined || path.length > PATH_BYTES_MAX || texts.length === 0)
    throw badClusterData("a job of a model, a path and texts", `${bytes.length} other bytes`);
  if (texts.length > 1 && size > JOB_BYTES_MAX)
    throw badClusterData(`a job of at most ${JOB_BYTES_MAX} bytes`, `${size}`);
  const copies = texts.map((text) => text.slice());
  return {
    id: jobId(engine, model, copies),
    model: model.slice(),
    path: new TextDecoder().decode(path),
    texts: copies,
  };
}
