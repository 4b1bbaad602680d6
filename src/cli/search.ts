import { writeFileSync } from "node:fs";
import {
  type Build,
  type Explanation,
  open,
  printReceipt,
  type SearchAnswer,
  type SearchMode,
  type SearchResult,
  SelfsameError,
} from "../index.ts";
import { findLibrary } from "./location.ts";
import { bold, cyan, dim, print, printJson, yellow } from "./output.ts";

export interface SearchCommandOptions {
  readonly db?: string;
  readonly model: string;
  readonly build: Build | "auto";
  readonly mode: SearchMode;
  readonly topK: number;
  readonly path?: string[];
  readonly mime?: string[];
  readonly after?: string;
  readonly before?: string;
  readonly contains?: string;
  readonly diversify?: boolean;
  readonly explain?: boolean;
  readonly json?: boolean;
  readonly receipt?: string;
}

const SNIPPET_CHARACTERS = 240;

/** `selfsame search <query>` */
export async function search(query: string, options: SearchCommandOptions): Promise<void> {
  const library = await open(findLibrary(options.db), { model: options.model, build: options.build });
  try {
    const answer = await library.search(query, {
      mode: options.mode,
      topK: options.topK,
      explain: options.explain === true,
      diversify: options.diversify === true,
      ...filtersOf(options),
    });
    if (options.receipt !== undefined) writeReceipt(options.receipt, printReceipt(answer.receipt));
    if (options.json) printJson(answer);
    else printAnswer(answer);
  } finally {
    await library.close();
  }
}

function writeReceipt(file: string, receipt: string): void {
  try {
    writeFileSync(file, receipt);
  } catch (cause) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected to write the receipt to ${file}, got ${(cause as Error).message}`,
      "Give a file in a folder that is there and that you may write to",
      { cause },
    );
  }
}

function filtersOf({ path, mime, after, before, contains }: SearchCommandOptions) {
  const filters = {
    ...(path ? { path } : {}),
    ...(mime ? { mime } : {}),
    ...(after ? { modifiedAfter: after } : {}),
    ...(before ? { modifiedBefore: before } : {}),
    ...(contains ? { contains } : {}),
  };
  return Object.keys(filters).length === 0 ? {} : { filters };
}

export function printAnswer(answer: SearchAnswer): void {
  for (const warning of answer.warnings) process.stderr.write(`warning: ${warning}\n`);
  if (answer.results.length === 0) print(guidance(answer.mode));
  for (const [i, result] of answer.results.entries()) printResult(i + 1, result);
  if (answer.explanation !== undefined) printExplanation(answer.explanation);
  const { total } = answer.timings;
  print(
    dim(
      `${answer.results.length} results in ${total.toFixed(0)} ms, receipt ${answer.receipt.digest.slice(0, 16)}`,
    ),
  );
}

function guidance(mode: SearchMode): string {
  const ways = {
    hybrid: "Nothing found. Try other words, or fewer filters.",
    lexical: "No chunk has these words. Try --mode hybrid, which also finds what means the same.",
    semantic: "Nothing found by meaning. Is the library empty? selfsame stats tells.",
  };
  return ways[mode];
}

function printResult(place: number, result: SearchResult): void {
  const { path, breadcrumb, chunkIndex, score, match } = result;
  const where = breadcrumb === "" ? "" : ` ${dim("›")} ${breadcrumb}`;
  print(
    `${bold(`${place}.`)} ${cyan(`${path}#${chunkIndex}`)}${where}  ${dim(`${match} ${score.toFixed(4)}`)}`,
  );
  print(`   ${snippet(result)}`);
  print("");
}

/** The text around the first match (or its beginning), matches marked, white space as single spaces. */
function snippet({ content, highlights }: SearchResult): string {
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
  if (marked.length > 1 && lead.text.length > SNIPPET_CHARACTERS / 3) {
    lead.text = `…${lead.text.slice(-SNIPPET_CHARACTERS / 3)}`;
  }
  let left = SNIPPET_CHARACTERS;
  let out = "";
  for (const { text, isMatch } of marked) {
    const flat = text.replace(/\s+/g, " ");
    const piece = flat.length > left ? `${flat.slice(0, left)}…` : flat;
    out += isMatch ? bold(yellow(piece)) : piece;
    left -= flat.length;
    if (left <= 0) break;
  }
  return out.trim();
}

/** Both ranked lists beside the fused one. */
function printExplanation({ semantic, lexical, fused, weights, rrfK, matchExpression }: Explanation): void {
  const bySemantic = new Map(
    semantic.map((each) => [each.chunkId, `#${each.rank} (${each.cosine.toFixed(3)})`]),
  );
  const byLexical = new Map(lexical.map((each) => [each.chunkId, `#${each.rank} (${each.bm25.toFixed(3)})`]));
  print(bold("How the ranking came about"));
  print(
    dim(
      `score = ${weights.semantic}/(${rrfK} + semantic rank) + ${weights.lexical}/(${rrfK} + lexical rank)`,
    ),
  );
  if (matchExpression !== null) print(dim(`MATCH ${matchExpression}`));
  print(dim("rank  score       semantic (cosine)  lexical (bm25)     chunk"));
  for (const { chunkId, path, chunkIndex, rank, score } of fused) {
    const [meaning, words] = [bySemantic.get(chunkId) ?? "–", byLexical.get(chunkId) ?? "–"];
    print(
      `${String(rank).padStart(4)}  ${score.toFixed(8)}  ${meaning.padEnd(17)}  ${words.padEnd(17)}  ${path}#${chunkIndex}`,
    );
  }
}
