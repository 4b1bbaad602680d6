/**
 * Runs the published vectors on any host. It is a single module without Node built-ins, the same everywhere.
 *
 * @example
 * import { runConformance } from "selfsame/conformance";
 *
 * const { isSame, suites, digest } = await runConformance();
 *
 * @module conformance
 */

export type { Build } from "../engine/engine.ts";
export type { EngineReport } from "../engine/load.ts";
export type { EngineSource } from "../engine/module.ts";
export type { Effort, ModelPlace } from "./fixtures.ts";
export type { Mismatch } from "./outcome.ts";
export type { ReadVectors } from "./read-vectors.ts";
export {
  type ConformanceOptions,
  type ConformanceReport,
  runConformance,
  type SuiteResult,
} from "./run.ts";
export { type ConformanceModel, MODELS, SUITE_NAMES } from "./suites.ts";
