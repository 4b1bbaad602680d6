import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { refusalOf } from "./check-arguments.ts";
import { faultOf } from "./fault.ts";

const TOOL_CALL = CallToolRequestSchema.shape.method.value;

/** The requests that the server answers. */
const REQUESTS = new Map(
  [
    CallToolRequestSchema,
    InitializeRequestSchema,
    ListResourcesRequestSchema,
    ListResourceTemplatesRequestSchema,
    ListToolsRequestSchema,
    PingRequestSchema,
    ReadResourceRequestSchema,
  ].map((schema) => [schema.shape.method.value as string, schema] as const),
);

/**
 * Answers requests whose params are not what their method takes, in place of the SDK: with "Invalid params" and a sentence (the SDK
 * calls that an internal error and sends its validator's JSON), and calls of tools whose arguments are wrong with a result that
 * has the code and the way out. To be called when a server is connected to the transport.
 */
export function checkParams(transport: Transport): void {
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const answer = isJSONRPCRequest(message) ? answerTo(message) : null;
    if (answer === null) return receive?.(message, extra);
    const { id } = message as JSONRPCRequest;
    transport.send({ jsonrpc: "2.0", id, ...answer }).catch((cause) => transport.onerror?.(cause as Error));
  };
}

type Answer = Pick<JSONRPCErrorResponse, "error"> | Pick<JSONRPCResultResponse, "result">;

/** Null of what the server is to answer. */
function answerTo(request: JSONRPCRequest): Answer | null {
  const issue = REQUESTS.get(request.method)?.safeParse(request).error?.issues[0];
  if (issue !== undefined) {
    const message = `Invalid params: ${faultOf(issue, request)}`;
    return { error: { code: ErrorCode.InvalidParams, message } };
  }
  if (request.method !== TOOL_CALL) return null;
  const result = refusalOf(request.params as CallToolRequest["params"]);
  return result === null ? null : { result };
}
