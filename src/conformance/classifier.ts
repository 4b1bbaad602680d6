import type { Engine } from "../engine/engine.ts";
import type { PairTokens } from "../model/cross-encoder.ts";
import { binary32Bits } from "../search/fuse.ts";
import { parseHex, printHex } from "./hex.ts";
import { type Outcome, Tally } from "./outcome.ts";

/** test-vectors/classifier.json */
export interface ClassifierVectors {
  readonly cases: readonly {
    readonly a?: string;
    readonly b?: string;
    readonly ids: string;
    readonly first: number;
    readonly logit: string;
  }[];
  readonly tanh: readonly { readonly x: string; readonly tanh: string }[];
}

/** The parts of a cross-encoder that the check needs. */
export interface PairModel {
  tokenizePair(a: string, b: string): PairTokens;
  scoreIds(ids: ArrayLike<number>, first: number): number;
}

/** SPEC §8.6 */
export function checkClassifier(
  engine: Engine,
  name: string,
  model: PairModel,
  vectors: ClassifierVectors,
): Outcome {
  const tally = new Tally(`classifier, ${name}`);
  for (const { a, b, ids, first, logit } of vectors.cases) {
    const pair =
      a === undefined || b === undefined
        ? { ids: ids.split(" ").map(Number), first }
        : model.tokenizePair(a, b);
    tally.record(a === undefined ? `${pair.ids.length} ids` : JSON.stringify([a, b]).slice(0, 60), [
      ["ids", ids, pair.ids.join(" ")],
      ["first", `${first}`, `${pair.first}`],
      ["logit", logit, printHex([binary32Bits(model.scoreIds(pair.ids, pair.first))], 8)],
    ]);
  }
  for (const { x, tanh } of vectors.tanh) {
    const [bits] = parseHex(x, 8);
    tally.record(`tanh ${x}`, [["tanh", tanh, printHex([engine.exports.f32_tanh(bits!) >>> 0], 8)]]);
  }
  return tally.outcome();
}
