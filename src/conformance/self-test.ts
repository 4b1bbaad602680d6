import type { Engine } from "../engine/engine.ts";
import { printHex } from "./hex.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/self-test.json */
export interface SelfTestVectors {
  readonly cases: readonly { readonly export: string; readonly out: string }[];
}

const SELF_TESTS = ["self_test_kernels", "self_test_forward", "self_test_graph"] as const;

/** Runs the self-tests on an engine that holds neither a model nor an index. SPEC §7.8, §9.5 and §10.9 */
export function checkSelfTests(engine: Engine, vectors: SelfTestVectors): Outcome {
  const tally = new Tally("self-test");
  for (const each of vectors.cases) {
    const name = SELF_TESTS.find((known) => known === each.export);
    const digest = name === undefined ? "no such export" : printHex([engine.exports[name]()], 8);
    tally.record(each.export, [["digest", each.out, digest]]);
  }
  return tally.outcome();
}
