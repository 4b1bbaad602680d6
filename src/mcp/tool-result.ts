import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { SelfsameError } from "../index.ts";
import type { LibraryAccess } from "./access.ts";

/** A longer answer is not repeated as text, which is for clients that do not read structured answers. */
const TEXT_LIMIT = 1 << 20;

/** The keys of `_meta` under which programs find the code of an error, and warnings that an answer has no field for. */
const ERROR_META = "selfsame/error";
const WARNINGS_META = "selfsame/warnings";

interface Answer {
  /** All fields. */
  readonly value: Record<string, unknown>;
  /** The answer for an agent that reads it; null if every answer is structured. */
  readonly text: (() => string) | null;
  readonly warnings?: readonly string[];
}

/**
 * Runs a tool and returns its answer: as text, or with all fields if the client asked for that. A SelfsameError becomes a result
 * that says what to do.
 */
export async function toolResult(
  service: Pick<LibraryAccess, "log">,
  isStructured: boolean,
  work: () => Promise<Answer>,
): Promise<CallToolResult> {
  try {
    const { value, text, warnings = [] } = await work();
    const meta = warnings.length === 0 ? {} : { _meta: { [WARNINGS_META]: [...warnings] } };
    if (!isStructured && text !== null) return { content: [{ type: "text", text: text() }], ...meta };
    const json = JSON.stringify(value);
    const repeated =
      json.length <= TEXT_LIMIT ? json : `${json.length} characters of JSON: see structuredContent`;
    return { content: [{ type: "text", text: repeated }], structuredContent: value, ...meta };
  } catch (error) {
    if (!(error instanceof SelfsameError)) {
      service.log(`a tool failed: ${(error as Error)?.stack ?? String(error)}`);
      throw error;
    }
    return errorResult(error);
  }
}

/** Returns an error as the result of a tool: as text, with its hint, and as data. */
export function errorResult({ code, message, reason, hint, details }: SelfsameError): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: `${code}: ${message}` }],
    _meta: { [ERROR_META]: { code, message, reason, hint, details } },
  };
}
