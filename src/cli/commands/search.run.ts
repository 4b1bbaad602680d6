import { writeFileSync } from "node:fs";
import { shortened } from "../../errors/index.ts";
import {
  asksForNothing,
  type Build,
  type Explanation,
  noticesOf,
  printReceipt,
  type SearchAnswer,
  type SearchMode,
  type SearchParameters,
  type SearchResult,
  SelfsameError,
} from "../../index.ts";
import { type Places, placesOf } from "../document-places.ts";
import { openLibrary } from "../open-library.ts";
import { bold, cyan, dim, print, printJson, warn, yellow } from "../output.ts";
import type { SearchFlagValues } from "../search-flags.ts";
import { searchParameters } from "../search-parameters.ts";
import { UsageError } from "../usage-error.ts";

export interface SearchCommandOptions extends SearchFlagValues {
  readonly db?: string;
  readonly model?: string;
  readonly build: Build | "auto";
  readonly json?: boolean;
  readonly receipt?: string;
}

/** An answer to print; one that is not whole has no receipt. */
type PrintedAnswer = Omit<SearchAnswer, "receipt"> & { readonly receipt: SearchAnswer["receipt"] | null };

/** The length of a snippet in a pipe. On a terminal it is two lines of the terminal's width. */
const SNIPPET_CHARACTERS = 240;
const SNIPPET_LINES = 2;
const INDENT = 3;

/** Runs `selfsame search <query>`. */
export async function search(query: string, options: SearchCommandOptions): Promise<void> {
  const { db, model, build, json, receipt, ...flags } = options;
  const parameters = searchParameters(flags);
  const library = await openLibrary(db, { build, model });
  try {
    const answer = await library.search(query, parameters).catch(withFlag(parameters));
    const printed = printReceipt(answer.receipt);
    if (receipt === "-") {
      printWarnings(answer);
      process.stdout.write(printed);
      return;
    }
    if (receipt !== undefined) writeReceipt(receipt, printed);
    if (json) printJson(answer);
    else printAnswer(answer, await placesOf(library));
  } finally {
    await library.close();
  }
}

/** Rewrites the error for a cursor that no page returned, so that it names the flag. */
export function withFlag({ cursor }: SearchParameters): (error: unknown) => never {
  return (error) => {
    const isCursor = error instanceof SelfsameError && error.details["argument"] === "cursor";
    if (!isCursor || error.code !== "BAD_ARGUMENT") throw error;
    throw new UsageError(
      `expected --cursor to be the cursor printed with an earlier page, got ${JSON.stringify(cursor)}`,
      "Leave it out for the first page",
      { cause: error },
    );
  };
}

/** Writes a receipt to a file. */
export function writeReceipt(file: string, receipt: string): void {
  try {
    writeFileSync(file, receipt);
  } catch (cause) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected to write the receipt to ${file}, got ${(cause as Error).message}`,
      "Name a file in an existing folder that you can write to",
      { cause },
    );
  }
}

export function printAnswer(answer: PrintedAnswer, places: Places): void {
  printWarnings(answer);
  for (const notice of noticesOf(answer)) print(`${notice}\n`);
  if (answer.results.length === 0) print(guidance(answer));
  for (const [i, result] of answer.results.entries()) printResult(i + 1, result, places);
  if (answer.explanation !== undefined) printExplanation(answer.mode, answer.explanation);
  const { total } = answer.timings;
  const count = answer.results.length;
  print(
    dim(
      `${count} ${count === 1 ? "result" : "results"} in ${total.toFixed(0)} ms, ${answer.receipt === null ? "no receipt" : `receipt ${answer.receipt.digest.slice(0, 16)}`}`,
    ),
  );
  if (answer.nextCursor !== null) print(dim(`next page: --cursor ${answer.nextCursor}`));
}

function printWarnings({ warnings }: PrintedAnswer): void {
  for (const warning of warnings) warn(warning);
}

function guidance({ query, mode, receipt }: PrintedAnswer): string {
  if (asksForNothing(query)) return "Enter at least one word to find: -word only excludes results.";
  // The warning says why. The library may have documents.
  if (receipt?.parameters["mode"] === "none") return "Nothing was searched. --mode lexical needs no model.";
  // Documents excluded by the filters may still contain the words.
  if (receipt !== null && receipt.parameters["filters"] !== null)
    return "Nothing found that passes the filters. Try fewer or wider filters, or other words.";
  const ways = {
    hybrid: "Nothing found. Try other words.",
    lexical: "No chunk contains these words. Try --mode hybrid, which also searches by meaning.",
    semantic: "Nothing found by meaning. Is the library empty? See selfsame stats.",
  };
  return ways[mode];
}

/** How a result was found, in words for people. */
const FOUND_BY: Readonly<Record<SearchResult["match"], string>> = {
  hybrid: "both",
  semantic: "meaning",
  lexical: "words",
  sparse: "terms",
};

function printResult(place: number, result: SearchResult, places: Places): void {
  const { path, line, page, breadcrumb, score, match, closeness, cosine } = result;
  const where = breadcrumb === "" ? "" : ` ${dim("›")} ${breadcrumb}`;
  const onPage = page === null ? "" : ` ${dim(`page ${page}`)}`;
  const near = cosine === null ? [] : [`${closeness ?? "cosine"} ${cosine.toFixed(2)}`];
  const label = [FOUND_BY[match], score.toFixed(4), ...near].join(" ");
  print(`${bold(`${place}.`)} ${cyan(`${places.shown(path)}:${line}`)}${onPage}${where}  ${dim(label)}`);
  print(`   ${snippet(result)}`);
  const twins = result.duplicates?.length ?? 0;
  if (twins > 0) print(`   ${dim(`and ${twins} nearly the same`)}`);
  print("");
}

/**
 * Returns the text around the first match (or the start of the text), with matches marked and white space collapsed to
 * single spaces.
 */
function snippet({ content, highlights }: SearchResult): string {
  const room = snippetRoom();
  const bytes = Buffer.from(content);
  const marked: { text: string; isMatch: boolean }[] = [];
  let at = 0;
  for (const { start, end } of highlights) {
    marked.push({ text: bytes.subarray(at, start).toString(), isMatch: false });
    marked.push({ text: bytes.subarray(start, end).toString(), isMatch: true });
    at = end;
  }
  marked.push({ text: bytes.subarray(at).toString(), isMatch: false });
  const lead = marked[0]!;
  if (marked.length > 1 && lead.text.length > room / 3) {
    lead.text = `…${lead.text.slice(-Math.floor(room / 3)).replace(/^[\udc00-\udfff]/, "")}`;
  }
  let left = room;
  let out = "";
  for (const { text, isMatch } of marked) {
    const flat = text.replace(/\s+/g, " ");
    const piece = shortened(flat, left);
    out += isMatch ? bold(yellow(piece)) : piece;
    left -= flat.length;
    if (left <= 0) break;
  }
  return out.trim();
}

/** Returns how many characters of a snippet are shown, not counting the two ellipses. */
function snippetRoom(): number {
  const { columns } = process.stdout;
  if (columns === undefined) return SNIPPET_CHARACTERS;
  return Math.max(SNIPPET_LINES * columns - INDENT - 2, 20);
}

/** Prints both ranked lists beside the fused one; for a single channel, only its own list. */
function printExplanation(mode: SearchMode, explanation: Explanation): void {
  const { semantic, lexical, sparse, fused, weights, rrfK, matchExpression } = explanation;
  const meanings = new Map(
    semantic.map(({ chunkId, rank, cosine }) => [chunkId, `#${rank} (${cosine.toFixed(3)})`]),
  );
  const words = new Map(lexical.map(({ chunkId, rank, bm25 }) => [chunkId, `#${rank} (${bm25.toFixed(3)})`]));
  const terms = new Map(
    sparse?.map(({ chunkId, rank, score }) => [chunkId, `#${rank} (${score.toFixed(3)})`]),
  );
  const parts = [
    ...(mode === "hybrid" ? [`${weights.semantic}/(${rrfK} + rank by meaning)`] : []),
    `${weights.lexical}/(${rrfK} + rank by words)`,
    ...(sparse === undefined ? [] : [`${weights.sparse}/(${rrfK} + rank by terms)`]),
  ];
  const isFused = mode === "hybrid" || sparse !== undefined;
  const formula = isFused
    ? `score = ${parts.join(" + ")}`
    : mode === "semantic"
      ? "by the cosine of the query's and the chunk's vectors, highest first"
      : "by bm25 of the words, lowest first";
  const columns = [
    { name: "score", width: 10, of: ({ score }: Fused) => score.toFixed(8), isThere: isFused },
    {
      name: "meaning (cosine)",
      width: 17,
      of: ({ chunkId }: Fused) => meanings.get(chunkId) ?? "–",
      isThere: mode !== "lexical",
    },
    {
      name: "words (bm25)",
      width: 17,
      of: ({ chunkId }: Fused) => words.get(chunkId) ?? "–",
      isThere: mode !== "semantic",
    },
    {
      name: "terms",
      width: 17,
      of: ({ chunkId }: Fused) => terms.get(chunkId) ?? "–",
      isThere: sparse !== undefined,
    },
  ].filter(({ isThere }) => isThere);
  print(bold("How the ranking was computed"));
  print(dim(formula));
  if (matchExpression !== null && mode !== "semantic") print(dim(`MATCH ${matchExpression}`));
  print(dim(["rank", ...columns.map(({ name, width }) => name.padEnd(width)), "chunk"].join("  ")));
  for (const each of fused) {
    const cells = columns.map(({ of, width }) => of(each).padEnd(width));
    print([String(each.rank).padStart(4), ...cells, `${each.path}#${each.chunkIndex}`].join("  "));
  }
}

type Fused = Explanation["fused"][number];
