import type { IncomingMessage } from "node:http";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { bodyBytes, RefusedRequest } from "../http/index.ts";
import { errorAnswers, type Messages, readMessages } from "./read-messages.ts";

/** Why a body is refused, as JSON-RPC answers. */
export interface RefusedBody {
  readonly status: number;
  readonly answers: readonly object[];
}

/**
 * Reads the body of a request. The SDK's transport would report every malformed message as a parse error; here, as over
 * standard input, only a text that is not JSON is one.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Messages | RefusedBody> {
  let bytes: Buffer;
  try {
    bytes = await bodyBytes(request, { max: limit });
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    const { status, reason } = error.refusal;
    const isIncomplete = status === 400;
    const answers = isIncomplete
      ? errorAnswers(undefined, ErrorCode.ParseError, `Parse error: ${reason}`)
      : errorAnswers(undefined, -32000, reason);
    return { status, answers };
  }
  const read = readMessages(bytes);
  if ("messages" in read) return read;
  // A tool's error is a result, which clients read only of a response that succeeded.
  const isResult = read.answers.every((answer) => "result" in answer);
  return { status: isResult ? 200 : 400, answers: read.answers };
}
