import type { CallToolRequest, CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import { describeJson, schemaFault } from "../http/index.ts";
import { SelfsameError } from "../index.ts";
import { errorResult } from "./tool-result.ts";
import { TOOLS } from "./tools.ts";

/** The schema of every tool's arguments. */
const INPUTS = new Map(TOOLS.map(({ name, input }) => [name, input]));

/** An answer names at most this many faults. */
const FAULTS_MAX = 5;

/** Returns the answer to a call of an unknown tool or with wrong arguments; null for a sound call. */
export function refusedCall({
  name,
  arguments: given = {},
}: CallToolRequest["params"]): CallToolResult | null {
  const input = INPUTS.get(name);
  if (input === undefined) {
    const hint = `The tools are ${[...INPUTS.keys()].join(", ")}`;
    return refusal(`expected the name of a tool, got ${describeJson(name)}`, hint);
  }
  const { error } = input.safeParse(given);
  if (error === undefined) return null;
  const faults = new Map(error.issues.map((issue) => [issue.path.join("."), schemaFault(issue, given)]));
  return refusal([...faults.values()].slice(0, FAULTS_MAX).join("; "), expectedArguments(name, input));
}

function refusal(message: string, hint: string): CallToolResult {
  return errorResult(new SelfsameError("BAD_ARGUMENT", message, hint));
}

function expectedArguments(tool: string, { shape }: z.ZodObject): string {
  const names = Object.keys(shape);
  const needed = names.filter((name) => !shape[name]!.safeParse(undefined).success);
  const others = names.filter((name) => !needed.includes(name));
  const parts = [
    needed.length === 0 ? "" : `requires ${needed.join(", ")}`,
    others.length === 0 ? "" : `accepts ${others.join(", ")}`,
  ];
  return `${tool} ${parts.filter((each) => each !== "").join(" and ")}; tools/list has the schema`;
}
