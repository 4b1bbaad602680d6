// How well searches find what people judged relevant, on every collection of a folder, in each mode, and the mean over
// collections: `npm run bench -- quality --sets <folder>`. The first run embeds each collection (minutes to an hour).
//
// A collection is a folder with docs.jsonl (`{"path": …, "text": …}` per line) and, in any form that `selfsame eval`
// reads (SPEC §19.3), one file queries.* and one file qrels.*.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Library, open, type RecallContext } from "selfsame";
import { evaluateSearch, type Metrics, parseJudgements, parseQueries } from "selfsame/eval";
import { evaluate } from "#dist/search/metrics.js";
import type { BenchOptions, Table } from "./run.ts";

const K = 10;
const MODES = ["hybrid", "semantic", "lexical"] as const;
const RANKER = { top_k: K, mmr_lambda: 1, near_duplicates: 0, now: 0 } as const;
/**
 * Recall in the ranker's order, before folding and diversity, and with them (SPEC §26). One memory of each document, since
 * documents are judged and the searches are grouped by them, too. Then the first chunks of both as they come: those of one
 * document count once, so ten chunks can be fewer than ten documents.
 */
const OTHERS: Readonly<Record<string, (library: Library, text: string) => Promise<string[]>>> = {
  "recall, ranker": (library, text) => recalled(library, text, { ...RANKER, per_document: 1 }),
  "recall, diverse": (library, text) => recalled(library, text, { top_k: K, per_document: 1, now: 0 }),
  "hybrid, chunks": async (library, text) =>
    (await library.search(text, { topK: K })).results.map(({ path }) => path),
  "ranker, chunks": (library, text) => recalled(library, text, RANKER),
};
const COLUMNS = [...MODES, ...Object.keys(OTHERS)];
const FIGURES = { [`nDCG@${K}`]: "ndcg", [`recall@${K}`]: "recall", MRR: "reciprocalRank" } as const;
const BATCH = 256; // documents per transaction: a run that is stopped goes on from there
const CACHE = join(import.meta.dirname, "../.cache/quality");
/** Part of the files' names: files with other tables are others. */
const EDITION = 3;

type ByMode = Readonly<Record<string, Metrics>>;

export async function bench({ sets }: BenchOptions): Promise<Table[]> {
  if (sets === undefined) throw new Error("expected --sets <folder> with judged collections, got none");
  const folders = readdirSync(sets, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(sets, entry.name, "docs.jsonl")))
    .map(({ name }) => join(sets, name))
    .sort((a, b) => documentsOf(a).length - documentsOf(b).length); // small ones first: figures come soon
  if (folders.length === 0) throw new Error(`expected folders with docs.jsonl in ${sets}, got none`);
  const measured: [set: string, figures: ByMode][] = [];
  for (const folder of folders) {
    measured.push([basename(folder), await measure(folder)]);
    process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`);
  }
  return Object.entries(FIGURES).map(([title, figure]) => ({
    title,
    rows: [
      ...measured.map(([set, figures]) => row(set, (mode) => figures[mode]![figure])),
      row("mean", (mode) => meanOf(measured.map(([, figures]) => figures[mode]![figure]))),
    ],
  }));
}

async function measure(folder: string): Promise<ByMode> {
  const queries = parseQueries(readFileSync(fileNamed(folder, "queries."), "utf8"));
  const judgements = parseJudgements(readFileSync(fileNamed(folder, "qrels."), "utf8"));
  const library = await libraryOf(folder);
  try {
    const { modes, missing, warnings } = await evaluateSearch(library, queries, judgements, K);
    for (const warning of warnings) throw new Error(`${folder}: ${warning}`);
    if (missing.length > 0)
      process.stderr.write(`${folder}: ${missing.length} judged documents are missing\n`);
    const means: Record<string, Metrics> = {};
    for (const mode of MODES) means[mode] = modes[mode].mean;
    for (const [name, ask] of Object.entries(OTHERS)) {
      const rankings = new Map<string, string[]>();
      for (const { id, text } of queries.filter((each) => judgements.has(each.id)))
        rankings.set(id, [...new Set(await ask(library, text))]);
      means[name] = evaluate(rankings, judgements, K).mean;
    }
    return means;
  } finally {
    await library.close();
  }
}

async function recalled(library: Library, text: string, ctx: RecallContext): Promise<string[]> {
  const { results } = await library.recall({ query_text: text, ctx });
  return results.map(({ doc_id }) => doc_id);
}

/** The collection's library, from .cache if it was made before; a canon that has changed since makes it again. */
async function libraryOf(folder: string): Promise<Library> {
  mkdirSync(CACHE, { recursive: true });
  const documents = documentsOf(folder);
  const digest = createHash("sha256").update(documents.join("\n")).digest("hex").slice(0, 16);
  const file = join(CACHE, `${basename(folder)}-${EDITION}-${digest}.db`);
  const library = await open(file, existsSync(file) ? { rebuild: true } : {});
  for (let from = (await library.stats()).documents; from < documents.length; from += BATCH) {
    const batch = documents.slice(from, from + BATCH).map((line) => JSON.parse(line));
    await library.add(batch.map(({ path, text }) => ({ path, text })));
    process.stderr.write(`${basename(folder)}: ${from + batch.length} of ${documents.length} embedded\n`);
  }
  return library;
}

function documentsOf(folder: string): string[] {
  return readFileSync(join(folder, "docs.jsonl"), "utf8").trimEnd().split("\n");
}

function fileNamed(folder: string, start: string): string {
  const [name, ...others] = readdirSync(folder).filter((each) => each.startsWith(start));
  if (name === undefined || others.length > 0)
    throw new Error(
      `expected one file ${start}* in ${folder}, got ${name === undefined ? "none" : "several"}`,
    );
  return join(folder, name);
}

function row(set: string, of: (mode: string) => number): Record<string, string | number> {
  return { set, ...Object.fromEntries(COLUMNS.map((mode) => [mode, of(mode).toFixed(4)])) };
}

function meanOf(figures: readonly number[]): number {
  return figures.reduce((sum, each) => sum + each, 0) / figures.length;
}
