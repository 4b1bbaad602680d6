import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { compileFilters, type Filters } from "../search/filters.ts";
import { compileGlob } from "../search/glob.ts";
import { parseInstant } from "../search/instant.ts";
import { type Outcome, Tally } from "./outcome.ts";

interface DocumentOfVectors {
  readonly path: string;
  readonly mime: string | null;
  readonly modifiedAt: number | null;
  readonly metadata: object | null;
  readonly text: string;
}

/** test-vectors/filters.json */
export interface FilterVectors {
  readonly parameters: {
    readonly paths: readonly string[];
    readonly documents: readonly DocumentOfVectors[];
  };
  readonly globs: readonly { readonly pattern: string; readonly matches: string }[];
  readonly invalidGlobs: readonly string[];
  readonly instants: readonly { readonly text: string; readonly milliseconds: number | null }[];
  readonly invalidInstants: readonly string[];
  readonly cases: readonly { readonly filters: object; readonly passes: readonly string[] }[];
  readonly invalid: readonly { readonly filters: object; readonly field: string }[];
}

/** SPEC §17 */
export function checkFilters(engine: Engine, vectors: FilterVectors): Outcome {
  const tally = new Tally("filters");
  const { paths, documents } = vectors.parameters;
  for (const { pattern, matches } of vectors.globs) {
    const glob = compileGlob(pattern);
    const got = paths.flatMap((path, index) => (glob.matches(path) ? [index] : [])).join(" ");
    tally.record(`pattern ${pattern}`, [["matches", matches, got]]);
  }
  for (const pattern of vectors.invalidGlobs) {
    tally.record(`pattern ${pattern}`, [["refused", "glob", refusedArgument(() => compileGlob(pattern))]]);
  }
  for (const { text, milliseconds } of vectors.instants) {
    tally.record(`date ${text}`, [["milliseconds", `${milliseconds}`, `${parseInstant(text)}`]]);
  }
  for (const text of vectors.invalidInstants) {
    tally.record(`date ${text}`, [["milliseconds", "null", `${parseInstant(text)}`]]);
  }
  for (const { filters, passes } of vectors.cases) {
    const compiled = compileFilters(engine, filters as Filters);
    const again = compileFilters(engine, compiled.canonical);
    const passed = ({ matches }: typeof compiled) =>
      documents
        .filter(({ text, metadata, ...rest }) =>
          matches({ ...rest, metadata: metadata as Record<string, unknown> | null, text: () => text }),
        )
        .map(({ path }) => path)
        .join(" ");
    tally.record(JSON.stringify(filters), [
      ["passes", passes.join(" "), passed(compiled)],
      ["by the canonical filters", passes.join(" "), passed(again)],
      ["canonical", JSON.stringify(compiled.canonical), JSON.stringify(again.canonical)],
    ]);
  }
  for (const { filters, field } of vectors.invalid) {
    tally.record(JSON.stringify(filters), [
      ["names", field, refusedArgument(() => compileFilters(engine, filters as Filters))],
    ]);
  }
  return tally.outcome();
}

/** Returns the argument that the error names if it is BAD_ARGUMENT; otherwise the error's code. */
function refusedArgument(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof SelfsameError)) throw error;
    return error.code === "BAD_ARGUMENT" ? String(error.details["argument"]) : error.code;
  }
  return "no error";
}
