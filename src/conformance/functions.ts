import type { Engine } from "../engine/engine.ts";
import { checkOperations, type OperationCase } from "./arith.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/functions.json */
export interface FunctionVectors {
  readonly cases: readonly OperationCase[];
}

/** SPEC §3 */
export function checkFunctions(engine: Engine, vectors: FunctionVectors): Outcome {
  const tally = new Tally("functions");
  checkOperations(engine, vectors.cases, tally);
  return tally.outcome();
}
