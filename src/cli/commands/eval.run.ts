import { readFileSync } from "node:fs";
import { counted } from "../../errors/index.ts";
import { SelfsameError } from "../../index.ts";
import { evaluateSearch, parseJudgements, parseQueries } from "../../library/eval-entry.ts";
import { openLibrary } from "../open-library.ts";
import { bold, dim, print, printJson, warn } from "../output.ts";

export interface EvalOptions {
  readonly db?: string;
  readonly model?: string;
  readonly queries: string;
  readonly qrels: string;
  readonly k: number;
  readonly json?: boolean;
}

/** Runs `selfsame eval --queries Q --qrels R`: measures how well each mode finds what people judged relevant. */
export async function evaluate(options: EvalOptions): Promise<void> {
  const queries = parseQueries(read(options.queries, "queries"));
  const judgements = parseJudgements(read(options.qrels, "judgements"));
  refuseEmpty(queries.length, "queries", options.queries);
  refuseEmpty(judgements.size, "judgements", options.qrels);
  const { db, model } = options;
  const library = await openLibrary(db, { model });
  try {
    const evaluation = await evaluateSearch(library, queries, judgements, options.k);
    if (options.json) {
      printJson({ library: library.name, root: await library.root(), ...evaluation });
      return;
    }
    const { modes, unasked, missing, warnings, unit, k } = evaluation;
    for (const warning of warnings) warn(warning);
    warnOf(unasked, "judged query", "judged queries", "queries");
    warnOf(missing, "judged name", "judged names", "library");
    const columns = [`precision@${k}`, `recall@${k}`, `nDCG@${k}`, "MRR"];
    print(bold(["mode".padEnd(9), ...columns.map((column) => column.padStart(13))].join("")));
    for (const [mode, { mean }] of Object.entries(modes)) {
      const figures = [mean.precision, mean.recall, mean.ndcg, mean.reciprocalRank];
      print([mode.padEnd(9), ...figures.map((figure) => figure.toFixed(4).padStart(13))].join(""));
    }
    const { queries: count, skipped } = modes.hybrid;
    print(
      dim(
        `${counted(count, "query", "queries")} judged by ${unit}, ${skipped} skipped because nothing is relevant to them`,
      ),
    );
  } finally {
    await library.close();
  }
}

/** Refuses an empty file: all figures would be 0, which says nothing about the library. */
function refuseEmpty(count: number, what: string, file: string): void {
  if (count > 0) return;
  throw new SelfsameError(
    "BAD_JUDGEMENTS",
    `expected ${what} in ${file}, got none`,
    "selfsame eval --help describes the file's format",
  );
}

function warnOf(names: readonly string[], noun: string, plural: string, where: string): void {
  if (names.length === 0) return;
  const shown = names.slice(0, 3).join(", ") + (names.length > 3 ? ", …" : "");
  const verb = names.length === 1 ? "is" : "are";
  warn(`${counted(names.length, noun, plural)} ${verb} not in the ${where}: ${shown}`);
}

function read(file: string, what: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected ${what} at ${file}, got ${(cause as Error).message}`,
      "Check the name; selfsame eval --help describes the file's format",
      { cause },
    );
  }
}
