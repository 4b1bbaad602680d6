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
import { schemaFault } from "../http/index.ts";
import { type Inputs, refusedCall } from "./check-arguments.ts";

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
 * Answers requests with wrong params before the SDK sees them. The SDK would report an internal error with its validator's JSON;
 * this answers "Invalid params" and a sentence. A tool call with wrong arguments gets a tool's error, with its code and hint.
 * Call it after a server is connected to the transport.
 */
export function checkParams(transport: Transport, inputs: Inputs): void {
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const answer = isJSONRPCRequest(message) ? answerTo(message, inputs) : null;
    if (answer === null) return receive?.(message, extra);
    const { id } = message as JSONRPCRequest;
    transport.send({ jsonrpc: "2.0", id, ...answer }).catch((cause) => transport.onerror?.(cause as Error));
  };
}

type Answer = Pick<JSONRPCErrorResponse, "error"> | Pick<JSONRPCResultResponse, "result">;

/** Returns null for a sound request, which the server answers. */
function answerTo(request: JSONRPCRequest, inputs: Inputs): Answer | null {
  const issue = REQUESTS.get(request.method)?.safeParse(request).error?.issues[0];
  if (issue !== undefined) {
    const message = `Invalid params: ${schemaFault(issue, request)}`;
    return { error: { code: ErrorCode.InvalidParams, message } };
  }
  if (request.method !== TOOL_CALL) return null;
  const result = refusedCall(inputs, request.params as CallToolRequest["params"]);
  return result === null ? null : { result };
}
