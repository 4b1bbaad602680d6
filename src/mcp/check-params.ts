import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCRequest,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

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
 * Answers requests whose params are not what their method takes with "Invalid params" and a sentence, in place of the SDK, which
 * calls that an internal error and sends its validator's JSON. To be called when a server is connected to the transport.
 */
export function checkParams(transport: Transport): void {
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const fault = isJSONRPCRequest(message) ? faultOf(message) : null;
    if (fault === null) return receive?.(message, extra);
    const error = { code: ErrorCode.InvalidParams, message: `Invalid params: ${fault}` };
    const { id } = message as JSONRPCRequest;
    transport.send({ jsonrpc: "2.0", id, error }).catch((cause) => transport.onerror?.(cause as Error));
  };
}

function faultOf(request: JSONRPCRequest): string | null {
  const result = REQUESTS.get(request.method)?.safeParse(request);
  if (result === undefined || result.success) return null;
  const issue = result.error.issues[0]!;
  const name = issue.path.join(".");
  if (issue.code !== "invalid_type") return `${name}: ${issue.message}`;
  const wanted = issue.expected === "record" ? "object" : issue.expected;
  return `expected ${name} to be of type ${wanted}, got ${typeAt(request, issue.path)}`;
}

/** What stands at a path, in the words of JSON. */
function typeAt(value: unknown, path: readonly PropertyKey[]): string {
  const found = path.reduce((each, key) => (each as Record<PropertyKey, unknown> | undefined)?.[key], value);
  if (found === undefined) return "none";
  if (found === null) return "null";
  return Array.isArray(found) ? "array" : typeof found;
}
