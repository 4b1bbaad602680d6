import { describeValue } from "../errors/describe-value.ts";
import { membersOf } from "../errors/plain-object.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { SearchParameter } from "./parameter-kinds.ts";

/**
 * Checks a value against its row and returns it. A group is returned as a copy, whose members were read once. Filters
 * are left to `compileFilters`, which checks what a row cannot express.
 *
 * @param field the name of the value in errors
 * @throws {SelfsameError} BAD_ARGUMENT that names the field
 */
export function checkParameter(field: string, row: SearchParameter, value: unknown): unknown {
  switch (row.kind) {
    case "choice":
      if (row.choices.includes(value as string)) return value;
      throw refusal(field, row.choices.join(", "), value);
    case "number": {
      const isNumber = row.isWhole ? Number.isInteger(value) : typeof value === "number";
      if (isNumber && (value as number) >= row.minimum && (value as number) <= row.maximum) return value;
      throw refusal(field, numberWords(row), value);
    }
    case "flag":
      if (typeof value === "boolean") return value;
      throw refusal(field, "true or false", value);
    case "text":
      if (typeof value === "string") return value;
      throw refusal(field, "a string", value);
    case "vector":
      if (Array.isArray(value) || value instanceof Float32Array) return value;
      throw refusal(field, "a list of numbers", value);
    case "sparse":
      return value; // checkSparse checks it
    case "group": {
      if (row.orFlag && typeof value === "boolean") return value;
      const rows = new Map(Object.entries(row.fields));
      const members = Object.entries(presentMembers(field, value, [...rows.keys()]));
      return Object.fromEntries(
        members.map(([name, member]) => [name, checkParameter(`${field}.${name}`, rows.get(name)!, member)]),
      );
    }
    default:
      throw new Error(`${field} is a filter, which compileFilters checks`);
  }
}

/**
 * Returns the members of a plain object that are not undefined. None may be unknown or null.
 *
 * @param field the name of the object in errors; empty for the parameters themselves
 */
export function presentMembers(
  field: string,
  value: unknown,
  known: readonly string[],
): Record<string, unknown> {
  const all = membersOf(value);
  if (all === null) throw refusal(field === "" ? "parameters" : field, "a plain object", value);
  const members = all.filter(([, member]) => member !== undefined);
  for (const [name, member] of members) {
    const full = field === "" ? name : `${field}.${name}`;
    if (member === null) throw refusal(full, "a value or absent", member);
    if (known.includes(name)) continue;
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected ${field === "" ? "parameters" : field} among ${known.join(", ")}, got ${full}`,
      "See SearchParameters",
      { details: { argument: full } },
    );
  }
  return Object.fromEntries(members);
}

/** Returns the error for a parameter with an invalid value. */
export function refusal(field: string, expected: string, got: unknown): SelfsameError {
  const described = describeValue(got);
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected ${field} to be ${expected}, got ${described}`,
    "See SearchParameters",
    { details: { argument: field, expected, got: described } },
  );
}

function numberWords({ isWhole, minimum, maximum }: Extract<SearchParameter, { kind: "number" }>): string {
  return `a ${isWhole ? "whole " : ""}number from ${minimum} to ${maximum}`;
}
