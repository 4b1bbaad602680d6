import { FORMATS, type Format, isFormat } from "../chunks/format.ts";
import type { Engine } from "../engine/engine.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { hasLoneSurrogate } from "../text/lone-surrogate.ts";
import { canonicalPath } from "../text/path.ts";
import { badClusterData } from "./bad-cluster-data.ts";
import { isDigest } from "./names.ts";

/** The most bytes of an operation. Texts are elsewhere; what is long is metadata. SPEC §29.10 */
export const OPERATION_BYTES_MAX = 512 << 10;
/** The most bytes of a document's canonical text, or of its outside chunks. */
export const TEXT_BYTES_MAX = 256 << 20;

/** Something that was done to the documents of a cluster. SPEC §29.10 */
export type Operation = PutOperation | RemoveOperation;

/** A document is there from now on, in place of any other with its path. */
export interface PutOperation {
  readonly op: "put";
  /** Canonical. */
  readonly path: string;
  /** `text`: its canonical text was stored. `outside`: its chunks, which were made elsewhere. */
  readonly kind: "text" | "outside";
  /** Of what was stored, in hexadecimal. */
  readonly digest: string;
  readonly bytes: number;
  /** null: that of the extension. */
  readonly format: Format | null;
  readonly modifiedAt: number | null;
  readonly mime: string | null;
  /** Canonical JSON. */
  readonly metadata: string | null;
}

/** The document with this path is gone. */
export interface RemoveOperation {
  readonly op: "remove";
  readonly path: string;
}

const VERSION = 1;

/** Returns the message of an operation. */
export function encodeOperation(operation: Operation): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ version: VERSION, ...operation }));
}

/**
 * Reads the message of an operation, which anybody may have sent.
 *
 * @param sequence its place in the stream, for messages
 * @throws {SelfsameError} BAD_CLUSTER_DATA
 */
export function decodeOperation(engine: Engine, bytes: Uint8Array, sequence: number): Operation {
  const wrong = (got: string) => badClusterData(`operation ${sequence} of the cluster to be sound`, got);
  if (bytes.length > OPERATION_BYTES_MAX) throw wrong(`${bytes.length} bytes`);
  const read = parsed(bytes);
  if (read === null) throw wrong("something that is no JSON object");
  if (read["version"] !== VERSION)
    throw wrong(`version ${JSON.stringify(read["version"]) ?? "none"}; a newer Selfsame may know it`);
  const { op, path } = read;
  if (typeof path !== "string" || !isCanonicalPath(engine, path)) throw wrong("a path that is not canonical");
  if (op === "remove") return { op, path };
  if (op !== "put") throw wrong(`an operation that is neither put nor remove`);
  const { kind, digest, bytes: size, format, modifiedAt, mime, metadata } = read;
  if (kind !== "text" && kind !== "outside") throw wrong("a kind that is neither text nor outside");
  if (!isDigest(digest)) throw wrong("no digest");
  if (!Number.isSafeInteger(size) || (size as number) < 0 || (size as number) > TEXT_BYTES_MAX)
    throw wrong(`a text that is not of 0 to ${TEXT_BYTES_MAX} bytes`);
  if (format !== null && !isFormat(format)) throw wrong(`a format that is none of ${FORMATS.join(", ")}`);
  if (modifiedAt !== null && !Number.isSafeInteger(modifiedAt)) throw wrong("a time that is no whole number");
  if (mime !== null && (typeof mime !== "string" || mime === "" || hasLoneSurrogate(mime)))
    throw wrong("a media type that is none");
  if (metadata !== null && !isMetadata(metadata)) throw wrong("metadata that is no canonical JSON object");
  return {
    ...{ op, path, kind, digest, bytes: size as number, format },
    ...{ modifiedAt: modifiedAt as number | null, mime: mime as string | null, metadata },
  };
}

function parsed(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function isCanonicalPath(engine: Engine, path: string): boolean {
  try {
    return canonicalPath(engine, path) === path;
  } catch {
    return false;
  }
}

function isMetadata(value: unknown): value is string {
  if (typeof value !== "string") return false;
  try {
    const read: unknown = JSON.parse(value);
    return (
      typeof read === "object" &&
      read !== null &&
      !Array.isArray(read) &&
      value !== "{}" &&
      canonicalJson(read as Record<string, never>) === value
    );
  } catch {
    return false;
  }
}
