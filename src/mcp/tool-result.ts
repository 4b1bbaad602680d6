import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { SelfsameError } from "../index.ts";
import type { Service } from "./service.ts";

/** Above this the text that repeats the structured answer, for clients that know no other, is left out. */
const TEXT_LIMIT = 1 << 20;

/** Where a program finds the code of an error, and warnings that a contract's answer has no place for. */
const ERROR_META = "selfsame/error";
const WARNINGS_META = "selfsame/warnings";

interface Answer {
  readonly value: Record<string, unknown>;
  readonly warnings?: readonly string[];
}

/** The result of a tool, structured and as text; an error of the library becomes one that says what to do. */
export async function toolResult(service: Service, work: () => Promise<Answer>): Promise<CallToolResult> {
  try {
    const { value, warnings = [] } = await work();
    const json = JSON.stringify(value);
    const text =
      json.length <= TEXT_LIMIT ? json : `${json.length} characters of JSON: see structuredContent`;
    return {
      content: [{ type: "text", text }],
      structuredContent: value,
      ...(warnings.length === 0 ? {} : { _meta: { [WARNINGS_META]: [...warnings] } }),
    };
  } catch (error) {
    if (!(error instanceof SelfsameError)) {
      service.log(`a tool failed: ${(error as Error)?.stack ?? String(error)}`);
      throw error;
    }
    return errorResult(error);
  }
}

/** An error as the result of a tool: as text, with its way out, and as data. */
export function errorResult({ code, message, reason, hint, details }: SelfsameError): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: `${code}: ${message}` }],
    _meta: { [ERROR_META]: { code, message, reason, hint, details } },
  };
}
