import { refusal } from "./check-parameter.ts";
import type { PresetName, SearchMode, SearchParameters } from "./search-parameters.ts";

/** Parameters in the words of the contracts: those of a search, and three that only contracts have. SPEC §20.2 */
export interface ContractParameters extends Omit<SearchParameters, "mode" | "preset"> {
  /** `keyword` is a contract's word for `lexical`. */
  readonly mode?: SearchMode | "keyword";
  /** A contract's word for `exact`. */
  readonly recallFirst?: boolean;
  /** A contract's word for `ef: 20`. */
  readonly approximate?: boolean;
}

/** How widely the graph is searched if a contract asks for an approximate search. */
const APPROXIMATE_EF = 20;

/**
 * Returns the parameters of a search that is asked for in the words of a contract. The core has one word for each thing;
 * other words live here. SPEC §20.2
 *
 * @throws {SelfsameError} BAD_ARGUMENT if `approximate` stands beside `ef`
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
