import type { IncomingMessage } from "node:http";
import { RefusedRequest } from "./refusal.ts";

export interface BodyLimits {
  /** The largest body, in bytes. */
  readonly max: number;
  /** How long to wait for the client in total, beside what its data takes at the slowest accepted rate; default 30 s. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 30_000;
/** A client that sends more slowly than this, after its patience is used up, is cut off: 16 KiB a second. */
const BYTES_PER_MS = 16;

/**
 * Returns the pieces of a body as they come, no faster than they are asked for. Only the time in which this waits for the client
 * counts as the client's: a server that is busy with the pieces cuts nobody off.
 *
 * @throws {RefusedRequest} 413 for a body that is too large, 408 for a client that is too slow, 400 for one that left
 */
export async function* bodyPieces(
  request: IncomingMessage,
  { max, patienceMs = PATIENCE_MS }: BodyLimits,
): AsyncGenerator<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > max) throw tooLarge(max);
  const pieces = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  let length = 0;
  let waitedMs = 0;
  for (;;) {
    const began = performance.now();
    const next = await within(pieces.next(), patienceMs + length / BYTES_PER_MS - waitedMs);
    waitedMs += performance.now() - began;
    if (next.done === true) return;
    const piece = next.value as Buffer;
    length += piece.length;
    if (length > max) throw tooLarge(max);
    yield piece;
  }
}

/** Reads a whole body. @throws {RefusedRequest} */
export async function bodyBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of bodyPieces(request, limits)) pieces.push(piece);
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), Math.max(ms, 0));
  });
  try {
    return await Promise.race([promise, late]);
  } catch (error) {
    throw error instanceof RefusedRequest ? error : clientLeft(error as Error);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
  }
}

function tooLarge(max: number): RefusedRequest {
  return new RefusedRequest({
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
    reason: `Payload too large: expected at most ${max} bytes`,
    hint: "Send less in one request",
  });
}

function tooSlow(): RefusedRequest {
  return new RefusedRequest({
    status: 408,
    code: "REQUEST_TIMEOUT",
    reason: "Request timeout: expected the body sooner",
    hint: "Send the request again, faster",
  });
}

function clientLeft(cause: Error): RefusedRequest {
  return new RefusedRequest({
    status: 400,
    code: "BODY_INCOMPLETE",
    reason: `expected the whole body, got a connection that ended: ${cause.message}`,
    hint: "Send the request again",
  });
}
