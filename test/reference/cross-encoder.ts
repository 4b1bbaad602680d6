// A cross-encoder (SPEC §8.6): pair of texts -> tokens -> states -> pooler -> one logit.
import { bitsOf, floatOf } from "./arith.ts";
import { f32Exp } from "./functions.ts";
import { linear, quantiseMatrix, sum4, type WeightMatrix } from "./kernels.ts";
import { type Manifest, readManifest, readModelFile } from "./manifest.ts";
import { forward, loadModel, type Model } from "./model.ts";
import { readSafetensors, type Tensor } from "./safetensors.ts";
import { canonicalText } from "./text.ts";
import { tokenize, type Vocabulary, vocabularyOf } from "./tokens.ts";

const f = Math.fround;

export interface CrossEncoder {
  readonly manifest: Manifest;
  readonly model: Model;
  readonly vocabulary: Vocabulary;
  readonly pooler: WeightMatrix; // (H, H)
  readonly poolerBias: Float32Array; // (H)
  readonly classifier: Float32Array; // (H)
  readonly classifierBias: number;
}

export function openCrossEncoder(name: string): CrossEncoder {
  const manifest = readManifest(name);
  const tensors = readSafetensors(readModelFile(manifest, "weights"));
  const { hidden: H } = manifest;
  const values = (tensor: string, ...shape: number[]): Float32Array => {
    const found: Tensor | undefined = tensors.get(tensor);
    if (found?.shape.join() !== shape.join()) throw new Error(`expected ${tensor} of shape [${shape}]`);
    return found.values;
  };
  return {
    manifest,
    model: loadModel(manifest, tensors),
    vocabulary: vocabularyOf(new TextDecoder().decode(readModelFile(manifest, "tokenizer"))),
    pooler: quantiseMatrix(values("pooler.dense.weight", H, H), H, H),
    poolerBias: values("pooler.dense.bias", H),
    classifier: values("classifier.weight", 1, H),
    classifierBias: values("classifier.bias", 1)[0]!,
  };
}

/** The ids of a pair, and how many of them have type 0. */
export function pairOf(
  { manifest, vocabulary }: CrossEncoder,
  a: string,
  b: string,
): { ids: number[]; first: number } {
  const room = manifest.limit - 3;
  const [one, other] = [a, b].map((text) =>
    tokenize(vocabulary, canonicalText(new TextEncoder().encode(text)), room + 2).ids.slice(1, -1),
  ) as [number[], number[]];
  const isFirstShorter = one.length <= other.length;
  const [shorter, longer] = isFirstShorter ? [one, other] : [other, one];
  while (shorter.length + longer.length > room && longer.length > shorter.length) longer.pop();
  if (shorter.length + longer.length > room) {
    shorter.length = Math.floor(room / 2);
    longer.length = Math.ceil(room / 2);
  }
  return {
    ids: [vocabulary.cls, ...one, vocabulary.sep, ...other, vocabulary.sep],
    first: one.length + 2,
  };
}

/** SPEC §8.6 */
export function tanh(x: number): number {
  const e = floatOf(f32Exp(bitsOf(-f(2 * Math.abs(x)))));
  const t = f(f(1 - e) / f(1 + e));
  return x < 0 ? -t : t;
}

/** ids (n) -> logit. */
export function logit(encoder: CrossEncoder, ids: readonly number[], first: number): number {
  const { model, pooler, poolerBias, classifier, classifierBias } = encoder;
  const states = forward(model, ids, first).at(-1)!;
  const pooled = linear(states.subarray(0, model.hidden), pooler, poolerBias).map(tanh);
  return f(sum4(pooled.map((value, i) => f(value * classifier[i]!))) + classifierBias);
}
