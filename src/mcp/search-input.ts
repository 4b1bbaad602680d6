/** The arguments of the tool `search`: the few that agents need, and all others of the library's search in one object. */
import { z } from "zod";
import { searchFields, searchParametersOf, snakeCase } from "../http/index.ts";
import {
  type GroupParameter,
  SEARCH_PARAMETERS,
  type SearchParameter,
  type SearchParameters,
  SelfsameError,
} from "../index.ts";
import { dbPath, query } from "./arguments.ts";
import { structured } from "./tool.ts";

// `top_k` is the size of a page here.
const { mode, top_k, page_size: _, min_similarity, cursor, ...others } = searchFields();

const few = {
  query,
  top_k: top_k!.describe("Results in one answer; default 10"),
  mode: mode!.describe("By meaning (semantic), words (lexical) or both (hybrid, the default)"),
  path: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Only documents whose path matches, such as "docs/**"'),
  min_similarity: min_similarity!.describe(
    "A cosine: leaves out what is less similar and has none of the words",
  ),
  cursor: cursor!.describe("From the end of an answer: gives the results after it"),
  structured,
};

/** The names in `options`, those of a group in braces. */
const NAMES = namesOf(SEARCH_PARAMETERS, (name) => snakeCase(name) in others);

const options = z.strictObject({ db_path: dbPath, ...others }).optional();

export const input = z.strictObject({ ...few, options });

/** What tools/list shows: the schemas of forty parameters would cost more than all else. */
export const listedInput = z.strictObject({
  ...few,
  options: z
    .looseObject({})
    .optional()
    .describe(`Rarely needed, described in docs/mcp.md: db_path (another library), ${NAMES}`),
});

/** Returns the library's parameters. Results come in pages, so that an answer can be continued. */
export function parametersOf(asked: z.infer<typeof input>): SearchParameters {
  const { query: _, structured: __, path, options: given = {}, ...rest } = asked;
  const { db_path: ___, ...more } = given as Record<string, unknown>;
  const filters = (more["filters"] ?? {}) as Record<string, unknown>;
  if (path !== undefined && filters["path"] !== undefined)
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected path or options.filters.path, got both",
      "Give all patterns in one of them",
    );
  return searchParametersOf({
    ...rest,
    ...more,
    ...(path === undefined ? {} : { filters: { ...filters, path } }),
  });
}

const TOP_K = SEARCH_PARAMETERS.topK.default as number;

/** Turns a number of results into a page of that size. A preset's candidates depend on the number itself, so it stays. */
export function inPages(parameters: SearchParameters): SearchParameters {
  const { topK, pageSize, preset } = parameters;
  if (pageSize !== undefined || preset !== undefined) return parameters;
  const { topK: _, ...rest } = parameters;
  return { ...rest, pageSize: topK ?? TOP_K };
}

function namesOf(rows: GroupParameter["fields"], wants: (name: string) => boolean): string {
  return Object.entries<SearchParameter>(rows)
    .filter(([name]) => wants(name))
    .map(([name, row]) =>
      row.kind === "group" ? `${snakeCase(name)} {${namesOf(row.fields, () => true)}}` : snakeCase(name),
    )
    .join(", ");
}
