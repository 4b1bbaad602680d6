import type { CallToolRequest, CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import { SelfsameError } from "../index.ts";
import { faultOf } from "./fault.ts";
import { errorResult } from "./tool-result.ts";
import { TOOLS } from "./tools.ts";

/** The schema of every tool's arguments. */
const INPUTS = new Map(TOOLS.map(({ name, input }) => [name, input]));

/** More members than any sound call has. */
const ARGUMENTS_MAX = 10_000;
/** More faults than that are not told. */
const FAULTS_MAX = 5;

/** The answer to a call of a tool that there is not, or with arguments that it does not take; null of a sound one. */
export function refusalOf({ name, arguments: given = {} }: CallToolRequest["params"]): CallToolResult | null {
  const input = INPUTS.get(name);
  if (input === undefined) {
    const hint = `The tools are ${[...INPUTS.keys()].join(", ")}`;
    return refusal(`expected the name of a tool, got ${JSON.stringify(name.slice(0, 100))}`, hint);
  }
  if (isMoreThan(given, ARGUMENTS_MAX)) {
    const message = `expected arguments of ${name} with at most ${ARGUMENTS_MAX} members in all, got more than the maximum`;
    return refusal(message, "Ask for less at once");
  }
  const { error } = input.safeParse(given);
  if (error === undefined) return null;
  const faults = new Map(error.issues.map((issue) => [issue.path.join("."), faultOf(issue, given)]));
  return refusal([...faults.values()].slice(0, FAULTS_MAX).join("; "), wayOut(name, input));
}

function refusal(message: string, hint: string): CallToolResult {
  return errorResult(new SelfsameError("BAD_ARGUMENT", message, hint));
}

function wayOut(tool: string, { shape }: z.ZodObject): string {
  const names = Object.keys(shape);
  const needed = names.filter((name) => !shape[name]!.safeParse(undefined).success);
  const others = names.filter((name) => !needed.includes(name));
  const taken = [needed.join(", "), others.length === 0 ? "" : `if wanted ${others.join(", ")}`];
  return `${tool} takes ${taken.filter((each) => each !== "").join(", and ")}; its schema in the list of tools says what each must be`;
}

/** Whether there are more members in a value, at any depth. */
function isMoreThan(value: unknown, limit: number): boolean {
  const found: unknown[] = [value];
  for (let i = 0; i < found.length; i++) {
    const each = found[i];
    if (typeof each !== "object" || each === null) continue;
    const members = Object.values(each);
    if (found.length - 1 + members.length > limit) return true;
    found.push(...members);
  }
  return false;
}
