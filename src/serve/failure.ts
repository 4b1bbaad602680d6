import { type Refusal, RefusedRequest } from "../http/index.ts";
import { type ErrorCode, SelfsameError } from "../index.ts";

/** The status of each error that a client can cause or wait out. All others are the server's own fault. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  ABORTED: 499,
  BAD_ARGUMENT: 400,
  BAD_NAMESPACE: 400,
  BAD_OUTSIDE_DATA: 400,
  BAD_RECEIPT: 400,
  BAD_VECTOR: 400,
  CANON_MISMATCH: 409,
  CLUSTER_EMPTY: 503,
  CLUSTER_UNREACHABLE: 503,
  CURSOR_STALE: 409,
  DATABASE_BUSY: 503,
  DISK_FULL: 507,
  FILE_MISSING: 404,
  INDEX_BUSY: 503,
  OUT_OF_MEMORY: 503,
  PACK_OUTDATED: 409,
  QUOTA_EXCEEDED: 507,
  SHARD_UNAVAILABLE: 503,
};

const MAKE_NAMESPACE = "GET /v1/namespaces lists those that exist; POST /v1/hybrid/ingest makes one";

/** Returns what a client is told about an error; null if it is a bug, which only the log may describe. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof RefusedRequest) return error.refusal;
  if (!(error instanceof SelfsameError)) return null;
  const { code, reason, details } = error;
  const isNamespace = code === "FILE_MISSING" && details["namespace"] !== undefined;
  const hint = isNamespace ? MAKE_NAMESPACE : error.hint;
  const status = STATUS[code] ?? 500;
  return { status, code, reason, hint, ...(status === 503 ? { headers: { "Retry-After": "1" } } : {}) };
}

/** Returns the refusal of a request that this server cannot mean, such as an unknown path. */
export function refused(status: number, code: string, reason: string, hint = ""): RefusedRequest {
  return new RefusedRequest({ status, code, reason, hint });
}
