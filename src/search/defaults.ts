import { keysOfPreset, type SearchParameters } from "./parameters.ts";

type Key = keyof SearchParameters;
type Pair = readonly [Key, Key];

/** Parameters that a search refuses together. */
export const RIVALS: readonly Pair[] = [
  ["topK", "pageSize"],
  ["approximate", "ef"],
];

/** Two words for one thing: a search takes both, and one that is true is enough. */
const SYNONYMS: readonly Pair[] = [["exact", "recallFirst"]];

/**
 * What is asked for over a project's defaults: key by key, and filter by filter. Whatever would keep something that is
 * asked for from having its way is left out of the defaults: its rival, and of a preset all that it sets itself.
 */
export function withDefaults(defaults: SearchParameters, asked: SearchParameters): SearchParameters {
  const left: { [K in Key]?: unknown } = { ...defaults };
  for (const [a, b] of [...RIVALS, ...SYNONYMS]) {
    if (asked[a] !== undefined) delete left[b];
    if (asked[b] !== undefined) delete left[a];
  }
  if (asked.preset !== undefined) for (const key of keysOfPreset(asked.preset)) delete left[key];
  const filters = { ...defaults.filters, ...asked.filters };
  const merged = { ...left, ...asked, filters } as SearchParameters;
  if (Object.keys(filters).length > 0) return merged;
  const { filters: _none, ...unfiltered } = merged;
  return unfiltered;
}
