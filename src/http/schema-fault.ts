import type { z } from "zod";
import { describeJson } from "./describe-json.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** An error names at most this many unknown members. */
const KEYS_MAX = 5;

/** Says what a schema finds wrong with a value: "expected X, got Y". */
export function schemaFault(issue: Issue, value: unknown, path: Path = issue.path): string {
  const name = path.join(".");
  const found = memberAt(value, path);
  switch (issue.code) {
    case "invalid_type":
      return typeFault(name, [issue.expected], found);
    case "invalid_union": {
      // The alternative that fails only in one of its members is the one that was meant.
      const inner = issue.errors.flat().find((each) => each.path.length > 0);
      if (inner !== undefined) return schemaFault(inner, value, [...path, ...inner.path]);
      return typeFault(name, typesOf(issue), found);
    }
    case "invalid_value":
      return `expected ${name} to be ${issue.values.map(String).join(" or ")}, got ${describeJson(found)}`;
    case "too_small":
      if (issue.origin === "string") return `expected ${name} not to be empty, got ${describeJson(found)}`;
      if (issue.origin === "array")
        return `expected ${name} to have at least ${issue.minimum} members, got ${describeJson(found)}`;
      return `expected ${name} to be at least ${issue.minimum}, got ${describeJson(found)}`;
    case "too_big":
      if (issue.origin === "array" && Array.isArray(found))
        return `expected ${name} to have at most ${issue.maximum} members, got ${found.length}`;
      if (issue.origin === "string" && typeof found === "string")
        return `expected ${name} to have at most ${issue.maximum} characters, got ${found.length}`;
      return `expected ${name} to be at most ${issue.maximum}, got ${describeJson(found)}`;
    case "invalid_format":
      return `expected ${name} to match ${issue.pattern ?? issue.format}, got ${describeJson(found)}`;
    case "unrecognized_keys":
      return `expected known ${name === "" ? "arguments" : `members of ${name}`}, got ${issue.keys
        .slice(0, KEYS_MAX)
        .map((key) => describeJson(key))
        .join(", ")}`;
    default:
      return `expected another ${name}, got ${describeJson(found)} (${issue.message})`;
  }
}

function typeFault(name: string, types: readonly string[], found: unknown): string {
  const wanted = types.map((type) => ({ record: "object", int: "integer" })[type] ?? type);
  const got = typeof found === "number" && types.includes("int") ? describeJson(found) : typeOf(found);
  if (name === "") return `expected an ${wanted.join(" or ")}, got ${got}`;
  return `expected ${name} to be of type ${wanted.join(" or ")}, got ${got}`;
}

/** Returns the types of a union's alternatives. */
function typesOf(issue: Issue): string[] {
  if (issue.code === "invalid_type") return [issue.expected];
  return issue.code === "invalid_union" ? issue.errors.flat().flatMap(typesOf) : [];
}

function memberAt(value: unknown, path: Path): unknown {
  return path.reduce((each, key) => (each as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

/** Names the type as JSON does. */
function typeOf(value: unknown): string {
  if (value === undefined) return "none";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
