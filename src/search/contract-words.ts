import type { SearchResult } from "./answer.ts";
import { refusal } from "./check-parameter.ts";
import type { PresetName, SearchMode, SearchParameters } from "./search-parameters.ts";

/** Parameters in the vocabulary of the contracts: those of a search, and three that only contracts have. SPEC §20.2 */
export interface ContractParameters extends Omit<SearchParameters, "mode" | "preset"> {
  /** `keyword` is the contracts' name for `lexical`. */
  readonly mode?: SearchMode | "keyword";
  /** The contracts' name for `exact`. */
  readonly recallFirst?: boolean;
  /** The contracts' name for `ef: 20`. */
  readonly approximate?: boolean;
}

/**
 * Returns the orchestration contract's label for a result: what only words found is an exact match there.
 *
 * @example
 * contractLabel(result.match) // "exact", "semantic" or "hybrid"
 */
export function contractLabel(match: SearchResult["match"]): "exact" | "semantic" | "sparse" | "hybrid" {
  return match === "lexical" ? "exact" : match;
}

/** The `ef` of the graph search if a contract requests an approximate search. */
const APPROXIMATE_EF = 20;

/**
 * Converts a contract's parameters to the parameters of a search. The core has one name for each thing; other names are
 * handled here. SPEC §20.2
 *
 * @throws {SelfsameError} BAD_ARGUMENT if both `approximate` and `ef` are given
 * @example
 * contractParameters("orchestration", { mode: "keyword" }) // { preset: "orchestration", mode: "lexical" }
 */
export function contractParameters(preset: PresetName, given: ContractParameters): SearchParameters {
  const { mode, recallFirst, approximate, ...own } = given;
  for (const [name, value] of Object.entries({ recallFirst, approximate }))
    if (value !== undefined && typeof value !== "boolean") throw refusal(name, "true or false", value);
  if (approximate === true && own.ef !== undefined)
    throw refusal("ef", "absent if approximate is given", own.ef);
  return {
    preset,
    ...own,
    ...(mode === undefined ? {} : { mode: mode === "keyword" ? "lexical" : mode }),
    ...(recallFirst === true ? { exact: true } : {}),
    ...(approximate === true ? { ef: APPROXIMATE_EF } : {}),
  };
}
