import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream";

/** After an early answer, the rest of the body is discarded for at most this long. */
const LINGER_MS = 5_000;

/** Why a request is refused before it is read to its end. */
export interface Refusal {
  readonly status: number;
  /** For programs, such as `PAYLOAD_TOO_LARGE`. */
  readonly code: string;
  /** What was expected and what came instead. */
  readonly reason: string;
  /** What to do about it; empty if there is no advice. */
  readonly hint: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal that is thrown while a request is read. */
export class RefusedRequest extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

/** The body of a refusal: `{ error: { code, message, hint } }`. */
export function refusalBody({ code, reason, hint }: Refusal): object {
  return { error: { code, message: reason, hint } };
}

/**
 * Writes a JSON answer, perhaps before the body has arrived. Then the connection is closed. Closing it with unread data would
 * reset it, and the client could lose the answer; so what still comes is discarded for a moment. If an answer was begun already,
 * the connection ends.
 */
export function answerJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return void response.destroy();
  const json = JSON.stringify(body);
  const all = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(json), ...headers };
  if (request.complete || !hasBody(request)) return void response.writeHead(status, all).end(json);
  response.writeHead(status, { ...all, Connection: "close" });
  if (status === 408) return void response.end(json); // nothing comes that could be waited for
  response.write(json);
  const lingering = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  finished(request.resume(), () => response.end());
  response.once("close", () => clearTimeout(lingering));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
