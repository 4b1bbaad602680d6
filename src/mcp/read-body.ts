import type { IncomingMessage } from "node:http";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
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
  let bytes: Buffer | null;
  try {
    bytes = await readBytes(request, limit);
  } catch (error) {
    const reason = `Parse error: ${(error as Error).message}`;
    return { status: 400, answers: errorAnswers(undefined, ErrorCode.ParseError, reason) };
  }
  if (bytes === null) {
    const reason = `Payload too large: expected at most ${limit} bytes`;
    return { status: 413, answers: errorAnswers(undefined, -32000, reason) };
  }
  const read = readMessages(bytes);
  if ("messages" in read) return read;
  // A tool's error is a result, which clients read only of a response that succeeded.
  const isResult = read.answers.every((answer) => "result" in answer);
  return { status: isResult ? 200 : 400, answers: read.answers };
}

/** Reads all bytes; null if there are more than `limit`. The rest of a longer body is discarded as it comes. */
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
