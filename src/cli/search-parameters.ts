import type { Filters, SearchParameters } from "../index.ts";
import { withDefaults } from "../search/defaults.ts";
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

/** Flags over the configuration's `search`. */
export function searchParameters(flags: SearchFlags): SearchParameters {
  const { path, mime, after, before, contains, ...own } = flags;
  const filters = defined<Filters>({ path, mime, modifiedAfter: after, modifiedBefore: before, contains });
  const merged = withDefaults(findConfig()?.search ?? {}, { ...defined<SearchParameters>(own), filters });
  if (merged.cursor !== undefined && merged.pageSize === undefined)
    throw new UsageError(
      "expected --page-size with --cursor, got --cursor alone",
      "Give the same --page-size as for the page that the cursor is from",
    );
  return merged;
}

function defined<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
