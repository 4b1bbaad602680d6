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

/** What is run, with which files, and how it is watched and stopped. */
export interface ConformanceOptions {
  /** `auto`, the default, takes the first build that this device runs right. */
  readonly build?: Build | "auto";
  /** Where the engine's wasm comes from; default: this package. */
  readonly source?: EngineSource;
  /** Only the suites of these files, such as `["arith", "search"]`; default: all. */
  readonly only?: readonly string[];
  /** Default `full`. Slow devices take `engine`: minutes of an emulated CPU instead of hours. */
  readonly effort?: Effort;
  /** Which models take part; default: both. Suites that need another one are left out. */
  readonly models?: readonly ConformanceModel[];
  /** Where a model's files are, if not in this package and in node_modules: a browser has to say. */
  readonly placeOf?: (model: ConformanceModel) => ModelPlace | Promise<ModelPlace>;
  /** The folder test-vectors/, in a page relative to the page; default: where this package has it, unbundled. */
  readonly vectorsUrl?: string | URL;
  /** Reads a file of test-vectors/, instead of `vectorsUrl`. */
  readonly readVectors?: ReadVectors;
  /** Threads for embedding the corpus of `search`; default 1. Results do not depend on it. */
  readonly workers?: number;
  /** Stops between two suites; the promise then rejects with the code ABORTED. */
  readonly signal?: AbortSignal;
  /** Called when a suite begins, with the name of its file. */
  readonly onStart?: (suite: string) => void;
  /** Called while `search` embeds its corpus, by far the longest work: chunks done, of so many. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called when a suite has ended. */
  readonly onSuite?: (result: SuiteResult) => void;
}

/** What one suite's vectors say of this device. */
export interface SuiteResult extends Omit<Outcome, "transcript"> {
  /** test-vectors/<file>.json */
  readonly file: string;
  /** How long it took. */
  readonly millis: number;
  /** BLAKE3 of the transcript, which holds what this device got: equal on two devices that computed the same. */
  readonly digest: string;
}

/** What the published vectors say of this device. */
export interface ConformanceReport {
  /** True if every case of every suite passed. */
  readonly isSame: boolean;
  /** The canon of a library with default settings; null without the default model. */
  readonly canon: string | null;
  /** The version of SPEC.md that the vectors belong to. */
  readonly specVersion: string;
  /** The build that was run. */
  readonly build: Build;
  /** Why it was that one. */
  readonly engine: EngineReport;
  /** How much was run. */
  readonly effort: Effort;
  /** Suite by suite, in the order of SPEC. */
  readonly suites: readonly SuiteResult[];
  /** BLAKE3 of one line a suite, its name and its digest: the one thing to compare between two devices. */
  readonly digest: string;
  /** How long all of it took. */
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
    // A turn for the host: a page paints, a signal arrives.
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

/** Files that are not there are the caller's to mend, and thrown; whatever goes wrong after that is the device's. */
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
      "Take the file from the package again",
    );
  const millis = elapsed(started);
  const { transcript, ...rest } = outcome;
  return { ...rest, file: suite.file, millis, digest: digestOf(engine, transcript) };
}

/** A trap, or an error where there should be none: a suite without a result. */
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

/** To a tenth of a millisecond. */
function elapsed(since: number): number {
  return Math.round((performance.now() - since) * 10) / 10;
}
