import { blake3, toHex } from "../engine/digest.ts";
import type { Engine } from "../engine/engine.ts";
import { expandHex, printHex } from "./hex.ts";
import { type Outcome, suiteOfFirst, Tally } from "./outcome.ts";

/** test-vectors/forward.json */
export interface ForwardVectors {
  readonly cases: readonly ForwardCase[];
}

interface ForwardCase {
  readonly model: string;
  readonly ids: string;
  /** The bits of every hidden state (for `tiny`). */
  readonly states?: readonly string[];
  /** Or the digests of the hidden states. */
  readonly digests?: readonly string[];
  readonly vector: string;
}

/** The parts of a model that the check needs. */
export interface ForwardModel {
  /** The bits after the embeddings and after each layer. */
  hiddenStates(ids: ArrayLike<number>): readonly Uint32Array[];
  embedIds(ids: ArrayLike<number>): Int16Array;
}

/** Checks the first `count` cases of the model called `name`. `engine` computes the digests. SPEC §8 */
export function checkForward(
  engine: Engine,
  name: string,
  model: ForwardModel,
  vectors: ForwardVectors,
  count = Number.POSITIVE_INFINITY,
): Outcome {
  const cases = vectors.cases.filter((one) => one.model === name);
  const tally = new Tally(suiteOfFirst(`forward, ${name}`, count, cases.length));
  for (const each of cases.slice(0, count)) {
    const ids = each.ids.split(" ").map(Number);
    const states = model.hiddenStates(ids);
    const expected = each.states?.map(expandHex) ?? each.digests ?? [];
    const got = states.map((state) => (each.states ? printHex(state, 8) : digest(engine, state)));
    tally.record(`${ids.length} tokens: ${each.ids.slice(0, 40)}`, [
      ["hidden states", `${expected.length}`, `${got.length}`],
      ...expected.map((state, layer) => [`layer ${layer}`, state, got[layer] ?? "none"] as const),
      ["vector", expandHex(each.vector), printHex(model.embedIds(ids), 4)],
    ]);
  }
  return tally.outcome();
}

/** Returns BLAKE3 of bit patterns in little-endian order. SPEC §8.5 */
function digest(engine: Engine, bits: Uint32Array): string {
  const bytes = new Uint8Array(4 * bits.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < bits.length; i++) view.setUint32(4 * i, bits[i]!, true);
  return toHex(blake3(engine, bytes));
}
