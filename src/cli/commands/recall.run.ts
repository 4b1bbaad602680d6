import { writeFileSync } from "node:fs";
import {
  type Band,
  type Build,
  FEATURES,
  type Library,
  printReceipt,
  type RecallContext,
  type RecalledMemory,
  type RecallResponse,
} from "../../index.ts";
import { openLibrary } from "../open-library.ts";
import { bold, cyan, dim, print, printJson, warn } from "../output.ts";
import { UsageError } from "../usage-error.ts";

export interface RecallCommandOptions {
  readonly db?: string;
  readonly model?: string;
  readonly build: Build | "auto";
  readonly json?: boolean;
  readonly person?: string;
  readonly role?: readonly string[];
  readonly space?: string;
  readonly focus?: string;
  readonly topK?: number;
  readonly perDocument?: number;
  readonly budget?: number;
  readonly lambda?: number;
  readonly maxBand?: string;
  readonly shared?: boolean;
  readonly now?: string;
  readonly useFeedback?: boolean;
  readonly crossEncoder?: string;
  readonly explain?: boolean;
  readonly receipt?: string;
}

const SNIPPET_CHARACTERS = 200;
const BAR_CHARACTERS = 24;

/** Runs `selfsame recall <query>`. */
export async function recall(query: string, options: RecallCommandOptions): Promise<void> {
  const ctx = contextOf(options);
  if (options.receipt !== undefined && ctx.now === undefined)
    throw new UsageError(
      "expected --now with --receipt, got none",
      "A receipt needs the moment: --now 2026-11-17",
    );
  const { build, model, crossEncoder } = options;
  const library = await openLibrary(options.db, { build, model, crossEncoder });
  try {
    await recallIn(library, query, ctx, options);
  } finally {
    await library.close();
  }
}

/** Recalls and prints. */
export async function recallIn(
  library: Library,
  query: string,
  ctx: RecallContext,
  { json, explain, receipt }: Pick<RecallCommandOptions, "json" | "explain" | "receipt">,
): Promise<void> {
  const answer = await library.recall({ query_text: query, ctx });
  if (receipt !== undefined && answer.receipt !== null) writeFileSync(receipt, printReceipt(answer.receipt));
  if (json) printJson(answer);
  else printAnswer(answer, explain === true);
}

function contextOf(options: RecallCommandOptions): RecallContext {
  const { person, role, space, focus, topK, budget, lambda, maxBand, shared, now, useFeedback } = options;
  const filters = {
    ...(maxBand === undefined ? {} : { max_band: maxBand as Band }),
    ...(role === undefined ? {} : { roles: role }),
    ...(shared === false ? { allow_shared: false } : {}),
  };
  return {
    ...(person === undefined ? {} : { person_id: person }),
    ...(space === undefined ? {} : { space_id: space }),
    ...(focus === undefined ? {} : { focus_event_id: focus }),
    ...(topK === undefined ? {} : { top_k: topK }),
    ...(options.perDocument === undefined ? {} : { per_document: options.perDocument }),
    ...(budget === undefined ? {} : { time_budget_ms: budget }),
    ...(lambda === undefined ? {} : { mmr_lambda: lambda }),
    ...(now === undefined ? {} : { now: momentOf(now) }),
    ...(options.crossEncoder === undefined ? {} : { allow_cross_encoder: true }),
    ...(useFeedback === true ? { use_feedback: true } : {}),
    filters,
  };
}

function momentOf(text: string): number {
  const moment = /^-?[0-9]+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isSafeInteger(moment)) return moment;
  throw new UsageError(
    `expected --now to be a date or milliseconds since 1970, got ${JSON.stringify(text)}`,
    "Such as 2026-11-17 or 2026-11-17T18:00Z",
  );
}

function printAnswer(answer: RecallResponse, isExplained: boolean): void {
  for (const warning of answer.warnings) warn(warning);
  if (answer.results.length === 0) print("Nothing comes to mind. Try other words, or a higher --max-band.");
  for (const [i, result] of answer.results.entries()) printMemory(i + 1, result, isExplained);
  if (isExplained) printTrace(answer);
  const receipt =
    answer.receipt === null
      ? "no receipt (--now gives one)"
      : `receipt ${answer.receipt.digest.slice(0, 16)}`;
  const count = answer.results.length;
  print(
    dim(
      `${count} ${count === 1 ? "memory" : "memories"} in ${answer.used_time_ms.toFixed(0)} ms, ${receipt}`,
    ),
  );
}

function printMemory(place: number, memory: RecalledMemory, isExplained: boolean): void {
  const { doc_id, line, source, score, confidence, text, reasons, duplicates } = memory;
  print(
    `${bold(`${place}.`)} ${cyan(`${doc_id}:${line}`)}  ${dim(`${source} ${score.toFixed(3)}, confidence ${confidence.toFixed(2)}`)}`,
  );
  print(`   ${text.replace(/\s+/g, " ").trim().slice(0, SNIPPET_CHARACTERS)}`);
  if (isExplained) printContributions(memory);
  else print(`   ${dim(reasons.join("  "))}`);
  if (duplicates.length > 0) print(`   ${dim(`and ${duplicates.length} nearly the same`)}`);
  print("");
}

function printContributions({ contributions, features, cross_encoder }: RecalledMemory): void {
  const most = Math.max(...FEATURES.map((name) => Math.abs(contributions[name])), Number.MIN_VALUE);
  for (const name of FEATURES) {
    const part = contributions[name];
    if (part === 0) continue;
    const bar = "█".repeat(Math.max(1, Math.round((Math.abs(part) / most) * BAR_CHARACTERS)));
    print(
      `   ${name.padEnd(15)} ${part.toFixed(3).padStart(7)}  ${cyan(bar)} ${dim(`of ${features[name].toFixed(3)}`)}`,
    );
  }
  if (cross_encoder !== undefined)
    print(
      `   cross_encoder   ${cross_encoder.toFixed(3).padStart(7)}  ${dim("decides the place, adds nothing")}`,
    );
}

function printTrace({ trace, now, now_source }: RecallResponse): void {
  const { stages, budget, clamped, left_out } = trace;
  print(bold("How it came about"));
  print(
    `   now: ${new Date(now).toISOString()} (${now_source === "clock" ? "this device's clock" : "as given"})`,
  );
  print(
    `   budget: ${budget.time_budget_ms} ms, that is ${budget.candidates} candidates a store, ${budget.hops} links, ${budget.pairs} pairs`,
  );
  for (const { stage, candidates } of stages) print(`   ${stage.padEnd(14)} ${candidates}`);
  for (const each of clamped) print(`   clamped: ${each}`);
  for (const each of left_out) print(`   left out: ${each}`);
  print("");
}
