import {
  CallToolRequestSchema,
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { type JsonExtent, jsonExtent } from "../http/index.ts";
import { SelfsameError } from "../index.ts";
import { errorResult } from "./tool-result.ts";

/** One JSON-RPC message or a batch of them; undefined for an HTTP request without a body. */
export interface Messages {
  readonly messages: JSONRPCMessage | readonly JSONRPCMessage[] | undefined;
}

/** The answers to messages that are not accepted: one for each id, or one with the id null. */
export interface RefusedMessages {
  readonly answers: readonly object[];
}

/** No sound call of a tool nests deeper or has more members. */
const DEPTH_MAX = 64;
const MEMBERS_MAX = 10_000;

const TOOL_CALL = CallToolRequestSchema.shape.method.value;

/**
 * Reads the bytes of one line or one HTTP body. Depth and size are checked before the text is parsed, so that nothing later
 * runs out of stack or memory.
 */
export function readMessages(bytes: Uint8Array): Messages | RefusedMessages {
  const extent = jsonExtent(bytes);
  if (extent.depth > DEPTH_MAX || extent.members > MEMBERS_MAX) return { answers: tooLarge(extent) };
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const message = `Parse error: ${(error as Error).message}`;
    return { answers: errorAnswers(undefined, ErrorCode.ParseError, message) };
  }
  const list = Array.isArray(value) ? value : [value];
  if (list.length > 0 && list.every((each) => JSONRPCMessageSchema.safeParse(each).success))
    return { messages: value as JSONRPCMessage | JSONRPCMessage[] };
  const message = "Invalid Request: expected a JSON-RPC message";
  return { answers: errorAnswers(value, ErrorCode.InvalidRequest, message) };
}

/** Answers every request in `value`, one message or a batch, with an error. Without any, the one answer has the id null. */
export function errorAnswers(value: unknown, code: number, message: string): readonly object[] {
  const answers = requestsIn(value).map(({ id }) => errorAnswer(id, code, message));
  return answers.length === 0 ? [errorAnswer(null, code, message)] : answers;
}

function errorAnswer(id: RequestId | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** Calls of tools get a tool's error, with its code and hint. */
function tooLarge({ depth, members, outline }: JsonExtent): readonly object[] {
  const reason =
    depth > DEPTH_MAX
      ? `expected JSON nested at most ${DEPTH_MAX} deep, got ${depth}`
      : `expected JSON with at most ${MEMBERS_MAX} members, got ${members}, which is more than the maximum`;
  const result = errorResult(new SelfsameError("BAD_ARGUMENT", reason, "Ask for less in one request"));
  const message = `Invalid Request: ${reason}`;
  const requests = requestsIn(parsedOutline(outline));
  if (requests.length === 0) return errorAnswers(undefined, ErrorCode.InvalidRequest, message);
  return requests.map(({ id, method }) =>
    method === TOOL_CALL
      ? { jsonrpc: "2.0", id, result }
      : errorAnswer(id, ErrorCode.InvalidRequest, message),
  );
}

function parsedOutline(outline: string): unknown {
  try {
    return JSON.parse(outline);
  } catch {
    return undefined;
  }
}

interface Identified {
  readonly id: RequestId;
  readonly method: unknown;
}

/** The members that have an id, sound requests or not. A client's own response has the id of another request. */
function requestsIn(value: unknown): readonly Identified[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each): each is Identified => {
    if (typeof each !== "object" || each === null || "result" in each || "error" in each) return false;
    const { id } = each as { readonly id?: unknown };
    return typeof id === "string" || Number.isSafeInteger(id);
  });
}
