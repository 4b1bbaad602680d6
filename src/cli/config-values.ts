import { checkFilterText, SEARCH_PARAMETERS, type SearchParameter, SelfsameError } from "../index.ts";
import type { Located } from "./located-json.ts";
import type { SchemaFault } from "./schema-check.ts";
import { checkPattern, type ValueCheck } from "./value-checks.ts";

const CHECKS: readonly (readonly [key: string, check: ValueCheck])[] = [
  ["include", checkPattern],
  ["exclude", checkPattern],
  ...(["path", "mime", "modifiedAfter", "modifiedBefore"] as const).map((filter): [string, ValueCheck] => [
    `search.filters.${filter}`,
    (text, name) => checkFilterText(filter, text, name),
  ]),
];

/**
 * Returns the first fault that a schema cannot describe, in a configuration that matches its schema; null if there is
 * none.
 */
export function findWrongValue(config: Located): SchemaFault | null {
  for (const [key, check] of CHECKS) {
    for (const [name, value] of stringsAt(config, key)) {
      try {
        check(value.value as string, name);
      } catch (error) {
        if (!(error instanceof SelfsameError)) throw error;
        return { at: value.at, message: error.reason, hint: error.hint };
      }
    }
  }
  return findConflict(config);
}

/** Returns the fault of the first two search parameters that cannot be combined. */
function findConflict(config: Located): SchemaFault | null {
  for (const [name, { conflicts }] of Object.entries<SearchParameter>(SEARCH_PARAMETERS)) {
    if (conflicts === undefined || valueAt(config, ["search", name]) === null) continue;
    const other = valueAt(config, ["search", conflicts]);
    if (other === null) continue;
    return {
      at: other.at,
      message: `expected search.${name} or search.${conflicts}, got both`,
      hint: "Remove one of them",
    };
  }
  return null;
}

/** Returns the value at a path of keys and list indices; null if there is none. */
export function valueAt(value: Located, keys: readonly (string | number)[]): Located | null {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  const next =
    value.kind === "object"
      ? value.members.get(String(key))?.value
      : value.kind === "array"
        ? value.items[Number(key)]
        : undefined;
  return next === undefined ? null : valueAt(next, rest);
}

/** Returns the string at a key, or each string of a list there. */
function stringsAt(
  config: Located,
  key: string,
): [name: string, value: Extract<Located, { value: unknown }>][] {
  const found = valueAt(config, key.split("."));
  if (found?.kind === "string") return [[key, found]];
  if (found?.kind !== "array") return [];
  return found.items.flatMap((item, i) => (item.kind === "string" ? [[`${key}[${i}]`, item] as const] : []));
}
