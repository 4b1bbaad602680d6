import { type ErrorCode, type ErrorDetails, SelfsameError } from "./selfsame-error.ts";

/** An error in a message between threads. A clone of the error itself would lose its class and its code. */
export interface ErrorRecord {
  /** null for an error that is not ours: a bug. */
  readonly code: ErrorCode | null;
  readonly reason: string;
  readonly hint: string;
  readonly details: ErrorDetails;
  readonly cause?: string;
}

/** Returns the record of any thrown value. */
export function errorRecord(error: unknown): ErrorRecord {
  if (!(error instanceof SelfsameError)) return { code: null, reason: String(error), hint: "", details: {} };
  const { code, reason, hint, details, cause } = error;
  return { code, reason, hint, details, ...(cause === undefined ? {} : { cause: String(cause) }) };
}

/** Returns the error that a record was made from. An error that was not ours gets the code `otherwise`, if given. */
export function errorOfRecord(record: ErrorRecord, otherwise: ErrorCode | null = null): Error {
  const { reason, hint, details, cause } = record;
  const code = record.code ?? otherwise;
  if (code === null) return new Error(reason);
  return new SelfsameError(code, reason, hint, {
    details,
    ...(cause === undefined ? {} : { cause: new Error(cause) }),
  });
}
