import type { Filters, SearchParameters } from "../index.ts";
import { findConfig } from "./config.ts";
import { UsageError } from "./usage-error.ts";

/** The flags of `selfsame search` that say how it is made. */
export interface SearchFlags {
  readonly mode?: SearchParameters["mode"];
  readonly topK?: number;
  readonly path?: string[];
  readonly mime?: string[];
  readonly after?: string;
  readonly before?: string;
  readonly contains?: string;
  readonly weights?: { readonly semantic: number; readonly lexical: number };
  readonly groupBy?: "path";
  readonly diversify?: boolean;
  readonly exact?: boolean;
  readonly pageSize?: number;
  readonly cursor?: string;
  readonly preset?: SearchParameters["preset"];
  readonly explain?: boolean;
}

/** Flags over the configuration's `search`: key by key, and filter by filter. */
export function searchParameters(flags: SearchFlags): SearchParameters {
  const { path, mime, after, before, contains, ...own } = flags;
  const defaults = findConfig()?.search ?? {};
  const filters = defined<Filters>({
    ...defaults.filters,
    ...defined({ path, mime, modifiedAfter: after, modifiedBefore: before, contains }),
  });
  const merged: SearchParameters = { ...withoutRival(defaults, flags), ...defined(own) };
  if (merged.cursor !== undefined && merged.pageSize === undefined)
    throw new UsageError(
      "expected --page-size with --cursor, got --cursor alone",
      "Give the same --page-size as for the page that the cursor is from",
    );
  return Object.keys(filters).length === 0 ? merged : { ...merged, filters };
}

/** topK and pageSize exclude each other: the flag drives out the other one of the configuration. */
function withoutRival(defaults: SearchParameters, flags: SearchFlags): SearchParameters {
  const { topK, pageSize, ...rest } = defaults;
  return {
    ...rest,
    ...(topK !== undefined && flags.pageSize === undefined ? { topK } : {}),
    ...(pageSize !== undefined && flags.topK === undefined ? { pageSize } : {}),
  };
}

function defined<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
