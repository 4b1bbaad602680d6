import { chunkParameters } from "../chunks/chunk-parameters.ts";
import { blake3, toHex } from "../engine/digest.ts";
import type { Build, Engine } from "../engine/engine.ts";
import { type EngineReport, loadEngine } from "../engine/load.ts";
import type { EngineSource } from "../engine/module.ts";
import { abortedError, SelfsameError } from "../errors/selfsame-error.ts";
import { DEFAULT_NAMESPACE } from "../identity/ids.ts";
import { canonDigest, canonParts, SPEC_VERSION } from "../library/canon.ts";
import { DEFAULT_MODEL, readManifest } from "../model/load.ts";
import { utf8 } from "../text/canonical.ts";
import { type Effort, Fixtures, type ModelPlace } from "./fixtures.ts";
import type { Outcome } from "./outcome.ts";
import { type ReadVectors, vectorsAt } from "./read-vectors.ts";
import { type ConformanceModel, MODELS, SUITE_NAMES, SUITES, type Suite } from "./suites.ts";

/** What to run, with which files, and how to observe and stop it. */
export interface ConformanceOptions {
  /** `auto`, the default, uses the first build that this device runs correctly. */
  readonly build?: Build | "auto";
  /** Where to load the engine's wasm from. Default: this package. */
  readonly source?: EngineSource;
  /** Runs only the suites of these files, such as `["arith", "search"]`. Default: all. */
  readonly only?: readonly string[];
  /** Default `full`. Use `engine` on slow devices: minutes on an emulated CPU instead of hours. */
  readonly effort?: Effort;
  /** Which models to run. Default: all. Suites that need another model are skipped. */
  readonly models?: readonly ConformanceModel[];
  /** Where a model's files are, if not in this package or in node_modules. Required in a browser. */
  readonly placeOf?: (model: ConformanceModel) => ModelPlace | Promise<ModelPlace>;
  /** The folder test-vectors/; in a page, relative to the page. Default: its place in this package, unbundled. */
  readonly vectorsUrl?: string | URL;
  /** Reads a file of test-vectors/. Replaces `vectorsUrl`. */
  readonly readVectors?: ReadVectors;
  /** Threads for embedding the corpus of `search`. Default 1. Results do not depend on it. */
  readonly workers?: number;
  /** Stops between two suites. The promise then rejects with the code ABORTED. */
  readonly signal?: AbortSignal;
  /** Called when a suite starts, with the name of its file. */
  readonly onStart?: (suite: string) => void;
  /** Called while `search` embeds its corpus, by far the longest step, with the chunks done and their total. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called when a suite has finished. */
  readonly onSuite?: (result: SuiteResult) => void;
}

/** The result of one suite's vectors on this device. */
export interface SuiteResult extends Omit<Outcome, "transcript"> {
  /** test-vectors/<file>.json */
  readonly file: string;
  /** How long the suite took. */
  readonly millis: number;
  /** BLAKE3 of the transcript, which holds what this device computed. Equal on two devices that computed the same. */
  readonly digest: string;
}

/** The result of the published vectors on this device. */
export interface ConformanceReport {
  /** True if every case of every suite passed. */
  readonly isSame: boolean;
  /** The canon of a library with default settings; null without the default model. */
  readonly canon: string | null;
  /** The version of SPEC.md that the vectors belong to. */
  readonly specVersion: string;
  /** The build that was run. */
  readonly build: Build;
  /** Why that build was chosen. */
  readonly engine: EngineReport;
  /** How much was run. */
  readonly effort: Effort;
  /** The results by suite, in the order of SPEC. */
  readonly suites: readonly SuiteResult[];
  /** BLAKE3 of one line per suite, its name and its digest: the only value to compare between two devices. */
  readonly digest: string;
  /** How long the whole run took. */
  readonly millis: number;
}

/**
 * Runs the vectors of test-vectors/ on this device. The same module runs in Node, Deno, Bun, a page and a worker.
 *
 * @example
 * const report = await runConformance({ onSuite: ({ suite, passed, cases }) => console.log(suite, passed, cases) });
 * report.isSame; // true, or report.suites says where this device differs first
 */
export async function runConformance(options: ConformanceOptions = {}): Promise<ConformanceReport> {
  const { effort = "full", workers = 1, signal, onStart, onProgress, onSuite } = options;
  const suites = chosenSuites(options);
  const load = {
    ...(options.build === undefined ? {} : { build: options.build }),
    ...(options.source === undefined ? {} : { source: options.source }),
  };
  const models = options.models ?? MODELS;
  const place = async (model: string) => (await options.placeOf?.(model as ConformanceModel)) ?? {};
  const read = options.readVectors ?? vectorsAt(options.vectorsUrl);
  const fixtures = new Fixtures({ load, effort, models, place, read, workers, onProgress });
  const started = performance.now();
  const { engine, report } = await loadEngine(load);
  const canon = models.includes(DEFAULT_MODEL)
    ? await defaultCanon(engine, await place(DEFAULT_MODEL))
    : null;
  const results: SuiteResult[] = [];
  for (const suite of suites) {
    if (signal?.aborted)
      throw abortedError(signal, `${suites.length} suites`, `a stop after ${results.length}`);
    onStart?.(suite.file);
    // Yields to the host, so that a page can paint and a signal can arrive.
    await new Promise((resume) => setTimeout(resume));
    const result = await runSuite(suite, fixtures, engine);
    results.push(result);
    onSuite?.(result);
  }
  return {
    isSame: results.every(({ firstMismatch }) => firstMismatch === null),
    canon,
    specVersion: SPEC_VERSION,
    build: report.build,
    engine: report,
    effort,
    suites: results,
    digest: digestOf(engine, results.map(({ suite, digest }) => `${suite} ${digest}\n`).join("")),
    millis: elapsed(started),
  };
}

/** Runs one suite. Missing files are the caller's fault and throw. Any later failure counts against the device. */
async function runSuite(suite: Suite, fixtures: Fixtures, engine: Engine): Promise<SuiteResult> {
  const run = await suite.prepare(fixtures);
  const started = performance.now();
  let outcome: Outcome;
  try {
    outcome = await run();
  } catch (error) {
    fixtures.forgetModels();
    outcome = broken(suite, error);
  }
  if (outcome.cases === 0)
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected ${suite.file}.json to hold cases for ${outcome.suite}, got none`,
      "Copy the file from the package again",
    );
  const millis = elapsed(started);
  const { transcript, ...rest } = outcome;
  return { ...rest, file: suite.file, millis, digest: digestOf(engine, transcript) };
}

/** Returns the outcome of a suite without a result: a trap, or an unexpected error. */
function broken({ file, model }: Suite, error: unknown): Outcome {
  const got = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    suite: model === null ? file : `${file}, ${model}`,
    cases: 1,
    passed: 0,
    firstMismatch: { case: "the suite", what: "runs to its end", expected: "no error", got },
    transcript: `${JSON.stringify(["the suite", ["runs to its end", got]])}\n`,
  };
}

function chosenSuites({ only, effort = "full", models = MODELS }: ConformanceOptions): Suite[] {
  for (const model of models) refuseUnknown("models", model, MODELS);
  for (const name of only ?? []) refuseUnknown("only", name, SUITE_NAMES);
  refuseUnknown("effort", effort, ["full", "engine"]);
  const suites = SUITES.filter(
    ({ file, model, efforts }) =>
      (only?.includes(file) ?? true) &&
      (model === null || models.includes(model)) &&
      efforts.includes(effort),
  );
  if (suites.length > 0) return suites;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected at least one suite to run, got none of ${only?.join(", ")} with the effort ${effort} and the models ${models.join(", ")}`,
    "Name other suites, or leave out effort and models",
  );
}

function refuseUnknown(option: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected ${option} to name ${known.join(", ")}, got ${JSON.stringify(name)}`,
  );
}

async function defaultCanon(engine: Engine, { model = DEFAULT_MODEL }: ModelPlace): Promise<string> {
  const { manifest } = await readManifest(model);
  return canonDigest(
    engine,
    canonParts(manifest, chunkParameters(manifest.limit), "auto", DEFAULT_NAMESPACE),
  );
}

function digestOf(engine: Engine, text: string): string {
  return toHex(blake3(engine, utf8(text)));
}

/** Rounds to a tenth of a millisecond. */
function elapsed(since: number): number {
  return Math.round((performance.now() - since) * 10) / 10;
}
