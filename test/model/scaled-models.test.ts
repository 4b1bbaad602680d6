// Models whose tensors are scaled by powers of two, down to subnormals and up to overflow: the three builds and the
// reference must still agree on every bit, or refuse alike. SPEC §7: what is not finite is caught, never hashed.
import { BUILDS, loadModel } from "selfsame/engine";
import { expect, it } from "vitest";
import type { Tensor } from "#dist/model/safetensors.js";
import { vectorOf } from "../reference/embedding.ts";
import { hexOfI16 } from "../reference/hex.ts";
import * as kernels from "../reference/kernels.ts";
import { forward, loadModel as loadReference } from "../reference/model.ts";
import { splitmix32 } from "../reference/prng.ts";
import { readSafetensors } from "../reference/safetensors.ts";
import { manifestOf, tinyFiles, tinyManifest, tinyTensors, writeSafetensors } from "./tiny-model.ts";

const long = import.meta.env.MODE === "long";
const ids = [2, 40, 41, 300, 7, 7, 512, 3];
const REFUSED = "refused";

/** `tiny` with one to three of its tensors scaled, or null where a weight would overflow in the file already. */
function scaled(next: () => number): Uint8Array | null {
  const tensors = tinyTensors();
  const names = [...tensors.keys()];
  for (let times = 1 + (next() % 3); times > 0; times--) {
    const name = names[next() % names.length]!;
    const exponent = (next() % 277) - 149;
    const { shape, bytes } = tensors.get(name)!;
    const values = new Float32Array(bytes.slice().buffer).map((value) => value * 2 ** exponent);
    if (!values.every(Number.isFinite)) return null;
    tensors.set(name, { dtype: "F32", shape, bytes: new Uint8Array(values.buffer) } satisfies Tensor);
  }
  return writeSafetensors(tensors);
}

/** The vector of `ids`, by the reference. */
function expected(weights: Uint8Array): string {
  try {
    const model = loadReference(tinyManifest, readSafetensors(weights));
    return hexOfI16(vectorOf(forward(model, ids).at(-1)!, model.hidden));
  } catch (error) {
    if (error instanceof kernels.NonFinite) return REFUSED;
    throw error;
  }
}

it("give the same vector, or the same refusal, in the reference and in every build", async () => {
  const next = splitmix32(0x7363616c);
  const seen = new Map<string, number>();
  for (let made = 0; made < (long ? 200 : 20); ) {
    const weights = scaled(next);
    if (weights === null) continue;
    made++;
    const answer = expected(weights);
    seen.set(answer, (seen.get(answer) ?? 0) + 1);
    const files = { ...tinyFiles, weights };
    for (const build of BUILDS) {
      const { model } = await loadModel({ build, model: manifestOf(files), files });
      let got: string;
      try {
        got = hexOfI16(model.embedIds(ids));
      } catch (error) {
        expect(error).toMatchObject({ name: "SelfsameError", code: "BAD_MODEL" });
        got = REFUSED;
      }
      expect(got, `model ${made}, ${build}`).toBe(answer);
    }
  }
  // Both ends were reached: refusals, and many different vectors.
  expect(seen.get(REFUSED)).toBeGreaterThan(1);
  expect(seen.size).toBeGreaterThan(8);
});
