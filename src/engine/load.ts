import { SelfsameError } from "../errors/selfsame-error.ts";
import { type Build, Engine } from "./engine.ts";
import { instanceOf } from "./instance.ts";
import { compiledModule, type EngineSource, packageSource } from "./module.ts";
import { type ProbeFailure, probeEngine } from "./probe.ts";

/** From fastest to simplest: the order in which `auto` tries them. All three give the same bits. SPEC §1.3 */
export const BUILDS: readonly Build[] = ["simd", "soft", "scalar"];

/** Options: which engine is loaded. */
export interface LoadOptions {
  /** `auto`, the default, uses the first build that this device runs correctly. */
  readonly build?: Build | "auto";
  /** Default: the files of this package. */
  readonly source?: EngineSource;
}

/** The outcome of one build on this device. */
export type Attempt = AcceptedBuild | UnusableBuild | WrongBuild;

/** A build that this device runs correctly. */
export interface AcceptedBuild {
  /** The build. */
  readonly build: Build;
  /** It gave every known answer. */
  readonly verdict: "accepted";
}

/** A build that this device cannot run. */
export interface UnusableBuild {
  /** The build. */
  readonly build: Build;
  /** The device lacks the instructions (most often SIMD) or the memory for it. */
  readonly verdict: "cannot run";
  /** The host's message. */
  readonly reason: string;
}

/** A build that this device runs incorrectly. */
export interface WrongBuild {
  /** The build. */
  readonly build: Build;
  /** It runs, but gives wrong bits. */
  readonly verdict: "wrong answer";
  /** The first answer that was wrong. */
  readonly failure: ProbeFailure;
}

/** Which build is used, and why. */
export interface EngineReport {
  /** The build that was requested. */
  readonly asked: Build | "auto";
  /** The build in use. */
  readonly build: Build;
  /** Every build that was tried, in order; the last one is the one in use. */
  readonly attempts: readonly Attempt[];
}

/** An engine that passed the probe, and how it was chosen. */
export interface LoadedEngine {
  /** The engine, with its own memory. */
  readonly engine: Engine;
  /** Which build it is, and why. */
  readonly report: EngineReport;
}

/**
 * Compiles, instantiates and probes a build. `auto` falls back from simd to soft to scalar until one gives the right
 * answers. A file that cannot be read is an error at once, never a reason to fall back to a slower build. SPEC §1.4
 *
 * @example
 * const { engine, report } = await loadEngine();
 * console.log(report.attempts.map(describeAttempt).join("\n"));
 */
export async function loadEngine(options: LoadOptions = {}): Promise<LoadedEngine> {
  const { build: asked = "auto", source = packageSource } = options;
  if (typeof WebAssembly === "undefined") {
    throw new SelfsameError(
      "ENGINE_REFUSED",
      "expected a host with WebAssembly, got one without",
      "Enable it (lockdown modes and --jitless disable it), or use another browser or runtime",
    );
  }
  const attempts: Attempt[] = [];
  for (const build of candidates(asked)) {
    const engine = await instantiate(build, source);
    if (engine instanceof Error) {
      attempts.push({ build, verdict: "cannot run", reason: engine.message });
      continue;
    }
    const failure = probeEngine(engine);
    if (failure !== null) {
      attempts.push({ build, verdict: "wrong answer", failure });
      continue;
    }
    attempts.push({ build, verdict: "accepted" });
    return { engine, report: { asked, build, attempts } };
  }
  throw refused(asked, attempts);
}

/** Returns one line for people: "soft: accepted". */
export function describeAttempt(attempt: Attempt): string {
  switch (attempt.verdict) {
    case "accepted":
      return `${attempt.build}: accepted`;
    case "cannot run":
      return `${attempt.build}: cannot run here (${attempt.reason})`;
    case "wrong answer": {
      const { check, where, expected, got } = attempt.failure;
      return `${attempt.build}: wrong answer to "${check}" (${where}), expected ${expected}, got ${got}`;
    }
  }
}

function candidates(asked: Build | "auto"): readonly Build[] {
  if (asked === "auto") return BUILDS;
  if (BUILDS.includes(asked)) return [asked];
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected a build of auto, ${BUILDS.join(", ")}, got ${JSON.stringify(asked)}`,
    "Name one of them",
  );
}

/** Returns an engine, or the host's error if this device cannot run that build. */
async function instantiate(build: Build, source: EngineSource): Promise<Engine | Error> {
  const module = await compiledModule(build, source);
  if (module instanceof Error) return module;
  try {
    return new Engine(build, module, await instanceOf(module, {}));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function refused(asked: Build | "auto", attempts: readonly Attempt[]): SelfsameError {
  const reasons = attempts.map(describeAttempt).join("; ");
  return asked === "auto"
    ? new SelfsameError(
        "ENGINE_REFUSED",
        `expected a build that this device runs correctly, got none (${reasons})`,
        "Update the browser or runtime; in a page, check that its script-src policy allows 'wasm-unsafe-eval'",
      )
    : new SelfsameError(
        "ENGINE_REFUSED",
        `expected this device to run the build ${asked} correctly, got ${reasons}`,
        'Use "auto": it picks the first build that this device runs correctly. Results are the same',
      );
}
