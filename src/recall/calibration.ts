import type { Engine } from "../engine/engine.ts";
import { exp32 } from "./features.ts";
import type { Calibration } from "./request.ts";

/** Fitted on judged collections; docs/recall.md has the figures. SPEC §26.10 */
export const CALIBRATION: Calibration = { slope: Math.fround(-1.724), offset: Math.fround(4.665) };

/** The greatest absolute value of a constant. */
export const CALIBRATION_MAX = 1000;

/** Returns 1 / (1 + e^(slope · score + offset)), each operation in binary32, e^x by the engine. SPEC §26.10 */
export function confidenceOf(engine: Engine, score: number, { slope, offset }: Calibration): number {
  const x = Math.fround(Math.fround(Math.fround(slope) * score) + Math.fround(offset));
  return Math.fround(1 / Math.fround(1 + exp32(engine, x)));
}
