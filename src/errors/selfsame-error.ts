/** Every code that a SelfsameError can carry. Codes are stable, for programs to branch on. */
export type ErrorCode =
  | "ABORTED"
  | "BAD_ARGUMENT"
  | "BAD_CLUSTER_DATA"
  | "BAD_CONFIG"
  | "BAD_INDEX_BYTES"
  | "BAD_JUDGEMENTS"
  | "BAD_MODEL"
  | "BAD_NAMESPACE"
  | "BAD_OUTSIDE_DATA"
  | "BAD_RECEIPT"
  | "BAD_REMOTE"
  | "BAD_SHARD"
  | "BAD_SNAPSHOT"
  | "BAD_TOKENIZER"
  | "BAD_VECTOR"
  | "CANON_MISMATCH"
  | "CLUSTER_EMPTY"
  | "CLUSTER_UNREACHABLE"
  | "CURSOR_STALE"
  | "DATABASE_BUSY"
  | "DATABASE_CANNOT_OPEN"
  | "DATABASE_CONSTRAINT"
  | "DATABASE_CORRUPT"
  | "DATABASE_FAILED"
  | "DATABASE_FOREIGN"
  | "DATABASE_IO"
  | "DATABASE_LOCK_LOST"
  | "DATABASE_MOVED"
  | "DATABASE_READONLY"
  | "DATABASE_TOO_NEW"
  | "DATABASE_TOO_OLD"
  | "DISK_FULL"
  | "ENGINE_REFUSED"
  | "FILE_MISSING"
  | "FILE_TOO_LARGE"
  | "INDEX_BUSY"
  | "INGEST_DRIFT"
  | "JOB_FAILED"
  | "NAMESPACE_MISMATCH"
  | "OUT_OF_MEMORY"
  | "PACKAGE_MISSING"
  | "PACK_DAMAGED"
  | "PACK_OUTDATED"
  | "PACK_SIGNATURE"
  | "PACK_VECTORS_DIFFER"
  | "PATH_OUTSIDE_ROOT"
  | "QUOTA_EXCEEDED"
  | "SHARD_CHANGED"
  | "SHARD_UNAVAILABLE"
  | "WATCH_FAILED"
  | "WORKER_FAILED";

/** Facts about an error, for programs: which argument, file or text it is about. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>;

/** Further properties of an error. */
export interface SelfsameErrorOptions extends ErrorOptions {
  /** Facts for programs. */
  readonly details?: ErrorDetails;
}

/**
 * The only error type of the library. `code` is stable, `reason` says what was expected and what came instead, `hint`
 * says what to do, and `details` has the facts as data. `message` consists of reason and hint.
 *
 * @example
 * try { await open("notes.db") } catch (error) {
 *   if (error instanceof SelfsameError && error.code === "FILE_MISSING") …
 * }
 */
export class SelfsameError extends Error {
  /** The start of `String(error)`. */
  override readonly name = "SelfsameError";
  /** What kind of error it is, for programs to branch on. */
  readonly code: ErrorCode;
  /** What was expected and what came instead, without the hint. */
  readonly reason: string;
  /** What to do about it, a sentence for people; empty if there is no advice. */
  readonly hint: string;
  /** Which argument, file or text it is about. */
  readonly details: ErrorDetails;

  /** @internal */
  constructor(code: ErrorCode, reason: string, hint = "", options: SelfsameErrorOptions = {}) {
    const { details = {}, ...rest } = options;
    super(hint === "" ? reason : `${reason}. ${hint}`, rest);
    this.code = code;
    this.reason = reason;
    this.hint = hint;
    this.details = details;
  }
}

/** Returns the error for work that an AbortSignal stopped. */
export function abortedError(signal: AbortSignal, expected: string, got: string): SelfsameError {
  return new SelfsameError("ABORTED", `expected ${expected}, got ${got}`, "", { cause: signal.reason });
}
