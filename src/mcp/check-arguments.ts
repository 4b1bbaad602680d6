import type { CallToolRequest, CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { describeJson, lostMember, schemaFault } from "../http/index.ts";
import { SelfsameError } from "../index.ts";
import { errorResult } from "./tool-result.ts";
import { howToOffer } from "./tools.ts";

/** The schemas of the arguments of a server's tools, by name. */
export type Inputs = ReadonlyMap<string, z.ZodObject>;

/** An answer names at most this many faults. */
const FAULTS_MAX = 5;

/** Returns the answer to a call of an unknown tool or with wrong arguments; null for a sound call. */
export function refusedCall(
  inputs: Inputs,
  { name, arguments: given = {} }: CallToolRequest["params"],
): CallToolResult | null {
  const input = inputs.get(name);
  if (input === undefined) {
    const hint = howToOffer(name) ?? `The tools are ${[...inputs.keys()].join(", ")}`;
    return refusal(`expected the name of a tool, got ${describeJson(name)}`, hint);
  }
  const { error } = input.safeParse(given);
  const lost = lostMember(given);
  if (error === undefined) return lost === null ? null : refusal(lost, expectedArguments(name, input, []));
  const faults = new Map(error.issues.map((issue) => [issue.path.join("."), schemaFault(issue, given)]));
  return refusal(
    [...faults.values()].slice(0, FAULTS_MAX).join("; "),
    expectedArguments(name, input, error.issues[0]!.path),
  );
}

function refusal(message: string, hint: string): CallToolResult {
  return errorResult(new SelfsameError("BAD_ARGUMENT", message, hint));
}

/** Names what the tool takes, or what the object takes in which the fault is. */
function expectedArguments(tool: string, { shape }: z.ZodObject, [field]: readonly PropertyKey[]): string {
  const inner = shape[String(field)]?.unwrap?.();
  if (inner instanceof z.ZodObject)
    return `${tool} accepts in ${String(field)} ${Object.keys(inner.shape).join(", ")}`;
  const names = Object.keys(shape);
  const needed = names.filter((name) => !shape[name]!.safeParse(undefined).success);
  const others = names.filter((name) => !needed.includes(name));
  const parts = [
    needed.length === 0 ? "" : `requires ${needed.join(", ")}`,
    others.length === 0 ? "" : `accepts ${others.join(", ")}`,
  ];
  return `${tool} ${parts.filter((each) => each !== "").join(" and ")}; tools/list has the schema`;
}
