import type { z } from "zod";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** So many characters of a value, and so many unknown names, are shown. */
const SHOWN = 60;
const KEYS_MAX = 5;

/** What a schema finds wrong with a value: "expected X, got Y". */
export function faultOf(issue: Issue, value: unknown, path: Path = issue.path): string {
  const name = path.join(".");
  const found = at(value, path);
  switch (issue.code) {
    case "invalid_type":
      return typeFault(name, [issue.expected], found);
    case "invalid_union": {
      // The alternative that is right as far as a member of it is the one that was meant.
      const inner = issue.errors.flat().find((each) => each.path.length > 0);
      if (inner !== undefined) return faultOf(inner, value, [...path, ...inner.path]);
      return typeFault(name, typesOf(issue), found);
    }
    case "invalid_value":
      return `expected ${name} to be ${issue.values.map(String).join(" or ")}, got ${shown(found)}`;
    case "too_small":
      if (issue.origin === "string") return `expected ${name} not to be empty, got ${shown(found)}`;
      return `expected ${name} to be at least ${issue.minimum}, got ${shown(found)}`;
    case "too_big":
      return `expected ${name} to be at most ${issue.maximum}, got ${shown(found)}`;
    case "invalid_format":
      return `expected ${name} to match ${issue.pattern ?? issue.format}, got ${shown(found)}`;
    case "unrecognized_keys":
      return `expected known ${name === "" ? "arguments" : `members of ${name}`}, got ${issue.keys.slice(0, KEYS_MAX).map(shown).join(", ")}`;
    default:
      return `expected another ${name}, got ${shown(found)} (${issue.message})`;
  }
}

function typeFault(name: string, types: readonly string[], found: unknown): string {
  const wanted = types.map((type) => ({ record: "object", int: "integer" })[type] ?? type);
  const got = typeof found === "number" && types.includes("int") ? shown(found) : typeOf(found);
  return `expected ${name} to be of type ${wanted.join(" or ")}, got ${got}`;
}

/** The types of a union's alternatives. */
function typesOf(issue: Issue): string[] {
  if (issue.code === "invalid_type") return [issue.expected];
  return issue.code === "invalid_union" ? issue.errors.flat().flatMap(typesOf) : [];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce((each, key) => (each as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

/** In the words of JSON. */
function typeOf(value: unknown): string {
  if (value === undefined) return "none";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** As JSON, the beginning of it if it is long. */
function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? "none";
  return json.length <= SHOWN ? json : `${json.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, "")}…`;
}
