import { namesInPreset, PARAMETER_ROWS } from "./parameter-table.ts";
import type { SearchParameters } from "./search-parameters.ts";

/**
 * Merges the given parameters over a project's defaults, key by key and filter by filter. A default is left out if it
 * would override what is given: if it conflicts with a given parameter, or if the given preset sets it.
 *
 * @example
 * withDefaults({ topK: 5, mode: "lexical" }, { pageSize: 20 }) // { mode: "lexical", pageSize: 20 }
 */
export function withDefaults(defaults: SearchParameters, asked: SearchParameters): SearchParameters {
  const left: { [N in keyof SearchParameters]?: unknown } = { ...defaults };
  for (const [name, { conflicts }] of PARAMETER_ROWS)
    if (conflicts !== undefined && asked[name] !== undefined) delete left[conflicts];
  if (asked.preset !== undefined) for (const name of namesInPreset(asked.preset)) delete left[name];
  const filters = { ...defaults.filters, ...asked.filters };
  const { filters: _replaced, ...merged } = { ...left, ...asked } as SearchParameters;
  return Object.keys(filters).length > 0 ? { ...merged, filters } : merged;
}
