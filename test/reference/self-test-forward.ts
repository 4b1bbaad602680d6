import { bitsOf, f32FromF16, floatOf } from "./arith.ts";
import { vectorOf } from "./embedding.ts";
import { forward, loadModel, type Model } from "./model.ts";
import type { Tensor } from "./safetensors.ts";
import { Words } from "./self-test-words.ts";

const H = 32;
const F = 64;
const DIMENSIONS = {
  hidden: H,
  layers: 2,
  heads: 2,
  intermediate: F,
  vocabulary: 64,
  positions: 32,
  types: 1,
  layerNormEps: 1e-12,
};
const SMALL = 118;

/** SPEC §9.5 */
export function selfTestForward(): number {
  const words = new Words(0x2545f493);
  const model = drawModel(words);
  for (let n = 1; n <= 31; n += 5) {
    const ids = Array.from({ length: n }, () => words.next() % 64);
    const states = forward(model, ids).at(-1)!;
    words.mix(...Array.from(states, bitsOf));
    words.mix(...Array.from(vectorOf(states, H), (value) => value & 0xffff));
  }
  return words.digest;
}

function drawModel(words: Words): Model {
  const tensors = new Map<string, Tensor>();
  const put = (name: string, shape: number[], values: Float32Array): void => {
    tensors.set(name, { shape, values });
  };
  const table = (name: string, rows: number): void => {
    const draw = (): number => {
      const word = words.next();
      return floatOf(f32FromF16((word & 0x83ff) | ((10 + ((word >>> 10) & 3)) << 10)));
    };
    put(name, [rows, H], Float32Array.from({ length: rows * H }, draw));
  };
  const norm = (name: string): void => {
    const draw = () => floatOf((words.next() & 0x007fffff) | 0x3f000000);
    put(`${name}.weight`, [H], Float32Array.from({ length: H }, draw));
    put(`${name}.bias`, [H], words.reals(H, SMALL));
  };
  const linear = (names: string[], outputs: number, inputs: number): void => {
    for (const name of names) {
      put(`${name}.weight`, [outputs, inputs], words.reals(outputs * inputs, SMALL));
    }
    for (const name of names) put(`${name}.bias`, [outputs], words.reals(outputs, SMALL));
  };

  table("embeddings.word_embeddings.weight", DIMENSIONS.vocabulary);
  table("embeddings.position_embeddings.weight", DIMENSIONS.positions);
  put("embeddings.token_type_embeddings.weight", [1, H], words.reals(H, SMALL));
  norm("embeddings.LayerNorm");
  for (let layer = 0; layer < DIMENSIONS.layers; layer++) {
    const at = `encoder.layer.${layer}`;
    linear(
      ["query", "key", "value"].map((part) => `${at}.attention.self.${part}`),
      H,
      H,
    );
    linear([`${at}.attention.output.dense`], H, H);
    linear([`${at}.intermediate.dense`], F, H);
    linear([`${at}.output.dense`], H, F);
    norm(`${at}.attention.output.LayerNorm`);
    norm(`${at}.output.LayerNorm`);
  }
  return loadModel(DIMENSIONS, tensors);
}
