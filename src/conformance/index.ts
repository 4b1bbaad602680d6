// `selfsame/conformance`: the published vectors, run on whatever this is. No built-in of Node, the same module everywhere.
export type { Build } from "../engine/engine.ts";
export type { EngineReport } from "../engine/load.ts";
export type { EngineSource } from "../engine/module.ts";
export type { Effort, ModelPlace } from "./bench.ts";
export type { Mismatch } from "./outcome.ts";
export type { ReadVectors } from "./read-vectors.ts";
export { type ConformanceModel, ROOM_NAMES } from "./rooms.ts";
export {
  type ConformanceOptions,
  type ConformanceReport,
  type RoomResult,
  runConformance,
} from "./run.ts";
