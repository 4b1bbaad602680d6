import { SelfsameError } from "../errors/selfsame-error.ts";
// Deeper than the API, whose whole need not be loaded for a configuration.
import { RIVALS } from "../search/defaults.ts";
import type { Located } from "./located-json.ts";
import type { SchemaFault } from "./schema-check.ts";
import { checkDate, checkMime, checkPattern, type ValueCheck } from "./value-checks.ts";

const CHECKS: readonly (readonly [key: string, check: ValueCheck])[] = [
  ["include", checkPattern],
  ["exclude", checkPattern],
  ["search.filters.path", checkPattern],
  ["search.filters.mime", checkMime],
  ["search.filters.modifiedAfter", checkDate],
  ["search.filters.modifiedBefore", checkDate],
];

/** What no schema can say of a configuration that is as its schema wants it; null if all is well. */
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
  for (const [one, other] of RIVALS) {
    const [first, second] = [valueAt(config, ["search", one]), valueAt(config, ["search", other])];
    if (first === null || second === null || ("value" in first && first.value === false)) continue;
    return {
      at: second.at,
      message: `expected search.${one} or search.${other}, got both`,
      hint: "Take one of them out",
    };
  }
  return null;
}

/** The value under a path of keys and places in lists; null where there is none. */
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

/** The string under a key, or each of a list. */
function stringsAt(
  config: Located,
  key: string,
): [name: string, value: Extract<Located, { value: unknown }>][] {
  const found = valueAt(config, key.split("."));
  if (found?.kind === "string") return [[key, found]];
  if (found?.kind !== "array") return [];
  return found.items.flatMap((item, i) => (item.kind === "string" ? [[`${key}[${i}]`, item] as const] : []));
}
