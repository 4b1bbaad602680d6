import type { IncomingHttpHeaders } from "node:http";
import {
  ErrorCode,
  isInitializeRequest,
  isJSONRPCRequest,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import type { Messages } from "./read-messages.ts";

export interface PostFault {
  readonly status: number;
  readonly code: number;
  readonly reason: string;
}

/** An error of the transport, in JSON-RPC's range for servers. */
const TRANSPORT_ERROR = -32000;
const BATCH_MAX = 100;

/**
 * Returns why posted messages are refused, or null. The SDK's transport has the same rules, but answers with the id null.
 *
 * @param isOpen whether the session is still answering a request with this id; null outside of a session
 */
export function faultOfPost(
  headers: IncomingHttpHeaders,
  { messages }: Messages,
  isOpen: ((id: RequestId) => boolean) | null,
): PostFault | null {
  if (messages === undefined) return null; // not a POST
  const list = [messages].flat();
  const fault = (reason: string, status = 400, code = TRANSPORT_ERROR) => ({ status, code, reason });
  const invalid = (reason: string) => fault(`Invalid Request: ${reason}`, 400, ErrorCode.InvalidRequest);
  const accept = headers.accept ?? "";
  if (!accept.includes("application/json") || !accept.includes("text/event-stream"))
    return fault("Not Acceptable: expected Accept: application/json, text/event-stream", 406);
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    return fault("Unsupported Media Type: expected Content-Type: application/json", 415);
  if (list.length > BATCH_MAX) return invalid(`expected at most ${BATCH_MAX} messages, got ${list.length}`);
  const isInitializing = list.some(isInitializeRequest);
  if (isOpen === null) {
    if (!isInitializing)
      return fault("Bad Request: expected initialize, or the header Mcp-Session-Id of a session");
    return list.length === 1 ? null : invalid("expected initialize as the only message");
  }
  if (isInitializing) return invalid("expected a new session for initialize, got one that is initialized");
  const version = headers["mcp-protocol-version"];
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version)))
    return fault(`Bad Request: expected protocol version ${SUPPORTED_PROTOCOL_VERSIONS.join(" or ")}`);
  const ids = list.filter(isJSONRPCRequest).map(({ id }) => id);
  const isUsed = ids.some(isOpen) || new Set(ids).size < ids.length;
  return isUsed ? invalid("expected a new id, got one of a request that has no answer yet") : null;
}
