import type { Engine } from "../engine/engine.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/self-test.json */
export interface SelfTestVectors {
  readonly cases: readonly { readonly export: string; readonly out: string }[];
}

/** On an engine that holds neither a model nor an index. SPEC §7.8, §9.5 and §10.9 */
export function checkSelfTests(engine: Engine, vectors: SelfTestVectors): Outcome {
  const tally = new Tally("self-test");
  for (const each of vectors.cases) {
    const digest = (engine.exports[each.export]!() >>> 0).toString(16).padStart(8, "0");
    tally.record(each.export, [["digest", each.out, digest]]);
  }
  return tally.outcome();
}
