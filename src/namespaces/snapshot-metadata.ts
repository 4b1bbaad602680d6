import { describeValue } from "../errors/describe-value.ts";
import { isPlainObject } from "../errors/plain-object.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";

/** The version of the layout. */
export const SNAPSHOT_VERSION = "1.0";

/** The files of a snapshot besides `metadata.json`. */
export const SNAPSHOT_FILES = [
  "library.db",
  "vectors.index",
  "uuid_registry.jsonl",
] as const satisfies readonly SnapshotFile[];

/** The name of one of these files. */
export type SnapshotFile = "library.db" | "vectors.index" | "uuid_registry.jsonl";

/** What `metadata.json` of a snapshot says. SPEC §22.2 */
export interface SnapshotMetadata {
  /** The namespace. */
  readonly namespace: string;
  /** When it was made, as an ISO date. */
  readonly created_at: string;
  /** The number of chunks, each with its vector. */
  readonly ntotal: number;
  /** The number of documents. */
  readonly documents: number;
  /** The length of a vector. */
  readonly dimension: number;
  /** Which index answers: the exact scan or the graph. */
  readonly index_type: "Flat" | "HNSW";
  /** The sha256 of the parts of the canon as JSON, after `sha256:`. */
  readonly config_hash: string;
  /** The version of the layout. */
  readonly snapshot_version: typeof SNAPSHOT_VERSION;
  /** The canon of the library. */
  readonly canon: string;
  /** The root of its documents. */
  readonly root: string;
  /** The root of their metadata. */
  readonly metadata_root: string;
  /** The size and sha256 of every other file. */
  readonly files: Readonly<
    Record<
      SnapshotFile,
      {
        /** The size of the file. */
        readonly bytes: number;
        /** In hexadecimal. */
        readonly sha256: string;
      }
    >
  >;
}

/** A snapshot that was made or restored. */
export interface Snapshot {
  /** Its folder. */
  readonly folder: string;
  /** What its `metadata.json` says. */
  readonly metadata: SnapshotMetadata;
}

const DIGEST = /^[0-9a-f]{64}$/;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const matches = (pattern: RegExp) => (value: unknown) => typeof value === "string" && pattern.test(value);

const FIELDS: Readonly<Record<Exclude<keyof SnapshotMetadata, "files">, (value: unknown) => boolean>> = {
  namespace: matches(/^.{1,64}$/),
  created_at: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  ntotal: isCount,
  documents: isCount,
  dimension: isCount,
  index_type: matches(/^(Flat|HNSW)$/),
  config_hash: matches(/^sha256:[0-9a-f]{64}$/),
  snapshot_version: (value) => value === SNAPSHOT_VERSION,
  canon: matches(DIGEST),
  root: matches(DIGEST),
  metadata_root: matches(DIGEST),
};

/** Checks the content of `metadata.json`. @throws {SelfsameError} BAD_SNAPSHOT */
export function readSnapshotMetadata(text: string, where: string): SnapshotMetadata {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (!isPlainObject(value)) throw badSnapshot(where, "metadata.json with a JSON object", "something else");
  for (const [name, fits] of Object.entries(FIELDS))
    if (!fits(value[name]))
      throw badSnapshot(where, `metadata.json with a valid ${name}`, describeValue(value[name]));
  const { files } = value;
  for (const name of SNAPSHOT_FILES) {
    const file = isPlainObject(files) ? files[name] : null;
    if (!isPlainObject(file) || !isCount(file["bytes"]) || !matches(DIGEST)(file["sha256"]))
      throw badSnapshot(where, `the size and sha256 of ${name} in metadata.json`, describeValue(file));
  }
  return value as unknown as SnapshotMetadata;
}

/** Returns the error for a snapshot that is missing, damaged or of something else. */
export function badSnapshot(where: string, expected: string, got: string): SelfsameError {
  return new SelfsameError(
    "BAD_SNAPSHOT",
    `${where}: expected ${expected}, got ${got}`,
    "Nothing was changed. Take another snapshot",
    { details: { snapshot: where } },
  );
}
