import type { IncomingMessage } from "node:http";
import { ErrorCode, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";

/** One JSON-RPC message or a list of them; undefined of a request without a body. */
export interface Messages {
  readonly messages: unknown;
}

/** Why a body is refused. */
export interface BodyRefusal {
  readonly status: number;
  readonly code: number;
  readonly reason: string;
}

/**
 * Reads the body of a request. The SDK's transport would call all that is no JSON-RPC message a parse error; as over standard
 * input, that is only what is no JSON.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Messages | BodyRefusal> {
  let messages: unknown;
  try {
    const bytes = await readBytes(request, limit);
    if (bytes === null)
      return { status: 413, code: -32000, reason: `Payload too large: expected at most ${limit} bytes` };
    messages = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    return { status: 400, code: ErrorCode.ParseError, reason: `Parse error: ${(error as Error).message}` };
  }
  const list = Array.isArray(messages) ? messages : [messages];
  if (list.length > 0 && list.every((each) => JSONRPCMessageSchema.safeParse(each).success))
    return { messages };
  return { status: 400, code: ErrorCode.InvalidRequest, reason: "Invalid Request: no JSON-RPC message" };
}

/** Null of a body that is longer; what is left of it flows by and is not kept. */
function readBytes(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    let pieces: Buffer[] = [];
    let length = 0;
    request.on("data", (piece: Buffer) => {
      length += piece.length;
      if (length <= limit) pieces.push(piece);
      else {
        pieces = [];
        resolve(null);
      }
    });
    request.once("end", () => resolve(Buffer.concat(pieces)));
    request.once("error", reject);
    if (Number(request.headers["content-length"] ?? 0) > limit) resolve(null);
  });
}
