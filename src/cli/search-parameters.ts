import { type SearchParameters, withDefaults } from "../index.ts";
import { findConfig } from "./config.ts";
import { parametersOfFlags, type SearchFlagValues } from "./search-flags.ts";
import { UsageError } from "./usage-error.ts";

/** Returns the parameters that the flags set, merged over the configuration's `search`. */
export function searchParameters(flags: SearchFlagValues): SearchParameters {
  const merged = withDefaults(findConfig()?.search ?? {}, parametersOfFlags(flags));
  if (merged.cursor !== undefined && merged.pageSize === undefined)
    throw new UsageError(
      "expected --page-size with --cursor, got --cursor alone",
      "Give the --page-size of the page that the cursor came from",
    );
  return merged;
}
