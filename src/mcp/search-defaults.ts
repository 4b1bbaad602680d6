import type { SearchParameters } from "../index.ts";

/** Parameters that exclude each other: one that is given drives out the other one of the defaults. */
const RIVALS: readonly (readonly [keyof SearchParameters, keyof SearchParameters])[] = [
  ["topK", "pageSize"],
  ["approximate", "ef"],
];

/** What is given over the project's defaults: key by key, and filter by filter. */
export function withDefaults(defaults: SearchParameters, given: SearchParameters): SearchParameters {
  const left: Partial<Record<keyof SearchParameters, unknown>> = { ...defaults };
  for (const [a, b] of RIVALS) {
    if (given[a] !== undefined) delete left[b];
    if (given[b] !== undefined) delete left[a];
  }
  const filters = { ...defaults.filters, ...given.filters };
  return { ...left, ...given, ...(Object.keys(filters).length === 0 ? {} : { filters }) } as SearchParameters;
}
