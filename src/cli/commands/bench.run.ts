import { availableParallelism, cpus } from "node:os";
import { counted } from "../../errors/index.ts";
import { type Build, type Library, open } from "../../index.ts";
import { describeAttempt, loadModel, type Model } from "../../library/engine-entry.ts";
import { findConfig } from "../config.ts";
import { findLibraryIfAny, locateLibrary } from "../location.ts";
import { bold, dim, print, printFields, printJson } from "../output.ts";
import { relativePath } from "../relative-path.ts";
import { modelOf } from "../with-model.ts";

interface Options {
  readonly db?: string;
  readonly build: Build | "auto";
  readonly model?: string;
  readonly json?: boolean;
}

/** Median and best of several runs, in ms. Other work on the device can only add time. */
interface Times {
  readonly median: number;
  readonly best: number;
}

const TOKENS = [16, 64, 128, 256];
/** Each measurement lasts at least this long and has at least this many runs. */
const MEASURE_MS = 1000;
const RUNS_MIN = 5;
const WARM_UP_RUNS = 3;
const QUERIES = [
  "how are ties broken",
  "what happens when the disk is full",
  "merkle root of a document",
  "install on linux",
  "error message",
];

/** Runs `selfsame bench`: measures this device only. Figures for other devices come from their own runs. */
export async function bench(options: Options): Promise<void> {
  const file = findLibraryIfAny(options.db);
  const library =
    file === null
      ? null
      : await open(file, { build: options.build, ...(options.model ? { model: options.model } : {}) });
  try {
    const wanted = options.model ?? library?.model ?? modelOf(findConfig());
    const began = performance.now();
    const { model, report } = await loadModel({ build: options.build, ...(wanted ? { model: wanted } : {}) });
    const loadMs = performance.now() - began;
    const embedding = TOKENS.filter((tokens) => tokens <= model.manifest.limit).map((tokens) => ({
      tokens,
      ...embedTimes(model, tokens),
    }));
    const searches = library === null ? null : await searchTimes(library);
    const device = {
      cpu: cpus()[0]?.model ?? "unknown",
      threads: availableParallelism(),
      node: process.version,
    };
    const result = { device, build: report.build, model: model.name, loadMs, embedding, searches };
    if (options.json) printJson(result);
    else printResult(result, report.attempts.map(describeAttempt).join("; "), locateLibrary(options.db));
  } finally {
    await library?.close();
  }
}

function embedTimes(model: Model, tokens: number): Times {
  const { ids } = model.tokenize("word ".repeat(tokens - 2));
  return summary(repeat(() => model.embedIds(ids)));
}

async function searchTimes(library: Library) {
  const { chunks } = await library.stats();
  const began = performance.now();
  await library.search(QUERIES[0]!, { mode: "semantic" }); // loads the vectors into memory
  const firstMs = performance.now() - began;
  const modes = [];
  for (const mode of ["semantic", "lexical", "hybrid"] as const) {
    const times: number[] = [];
    // Every query is different, because answers are cached.
    for (let i = 0, from = performance.now(); i < RUNS_MIN || performance.now() - from < MEASURE_MS; i++) {
      const { timings } = await library.search(`${QUERIES[i % QUERIES.length]} ${i}`, { mode });
      times.push(timings.total);
    }
    modes.push({ mode, ...summary(times) });
  }
  return { chunks, firstMs, modes };
}

function repeat(work: () => void): number[] {
  for (let i = 0; i < WARM_UP_RUNS; i++) work();
  const times: number[] = [];
  for (const from = performance.now(); times.length < RUNS_MIN || performance.now() - from < MEASURE_MS; ) {
    const began = performance.now();
    work();
    times.push(performance.now() - began);
  }
  return times;
}

function summary(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b);
  return { median: sorted[sorted.length >> 1]!, best: sorted[0]! };
}

type Result = {
  readonly device: { readonly cpu: string; readonly threads: number; readonly node: string };
  readonly model: string;
  readonly loadMs: number;
  readonly embedding: readonly ({ readonly tokens: number } & Times)[];
  readonly searches: Awaited<ReturnType<typeof searchTimes>> | null;
};

function printResult(
  { device, model, loadMs, embedding, searches }: Result,
  builds: string,
  file: string,
): void {
  printFields([
    ["device", `${device.cpu}, ${counted(device.threads, "thread")}, Node ${device.node}`],
    ["build", builds],
    ["model", `${model}, loaded in ${loadMs.toFixed(0)} ms`],
  ]);
  print("");
  print(bold("embedding, one thread     median       best   texts/s"));
  for (const { tokens, median, best } of embedding) {
    const name = `${tokens} tokens`.padEnd(22);
    print(`${name} ${ms(median)} ${ms(best)} ${(1000 / median).toFixed(1).padStart(9)}`);
  }
  print("");
  if (searches === null) {
    print(dim(`no library at ${relativePath(file)}; create one with selfsame index`));
    return;
  }
  print(bold(`${`search, ${counted(searches.chunks, "chunk")}`.padEnd(26)}median       best`));
  print(`${"first".padEnd(22)} ${ms(searches.firstMs)}`);
  for (const { mode, median, best } of searches.modes) print(`${mode.padEnd(22)} ${ms(median)} ${ms(best)}`);
}

function ms(value: number): string {
  return `${value.toFixed(2).padStart(7)} ms`;
}
