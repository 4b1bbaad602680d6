// The BERT encoder of SPEC §8, one text at a time. Shapes: n tokens, H hidden, F intermediate, D = H / heads.
import {
  dot,
  gelu,
  layerNorm,
  linear,
  probabilityLevels,
  quantiseMatrix,
  quantiseRow,
  softmax,
  type WeightMatrix,
} from "./kernels.ts";
import type { Tensor } from "./safetensors.ts";

const f = Math.fround;

/** The dimensions that a manifest gives. */
export interface Dimensions {
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly intermediate: number;
  readonly vocabulary: number;
  readonly positions: number;
  readonly types: number;
  readonly layerNormEps: number;
}

interface Norm {
  readonly gamma: Float32Array; // (H)
  readonly beta: Float32Array; // (H)
}

interface Linear {
  readonly weight: WeightMatrix; // (out, in)
  readonly bias: Float32Array; // (out)
}

interface Layer {
  readonly queryKeyValue: Linear; // (3H, H)
  readonly attentionOutput: Linear; // (H, H)
  readonly attentionNorm: Norm;
  readonly intermediate: Linear; // (F, H)
  readonly output: Linear; // (H, F)
  readonly outputNorm: Norm;
}

export interface Model extends Dimensions {
  readonly words: Float32Array; // (vocabulary, H)
  readonly position: Float32Array; // (positions, H)
  readonly type: Float32Array; // (types, H)
  readonly embeddingNorm: Norm;
  readonly layer: readonly Layer[];
}

/** Takes the tensors of SPEC §8.2 and quantises the layers. */
export function loadModel(dimensions: Dimensions, tensors: ReadonlyMap<string, Tensor>): Model {
  const { hidden: H, intermediate: F } = dimensions;
  const take = (name: string, ...shape: number[]): Float32Array => {
    const tensor = tensors.get(name);
    if (tensor === undefined || tensor.shape.join() !== shape.join()) {
      throw new Error(`expected ${name} of shape [${shape}], got ${tensor ? `[${tensor.shape}]` : "none"}`);
    }
    return tensor.values;
  };
  const norm = (name: string): Norm => ({ gamma: take(`${name}.weight`, H), beta: take(`${name}.bias`, H) });
  const linearOf = (names: readonly string[], out: number, from: number): Linear => ({
    weight: quantiseMatrix(
      join(names.map((name) => take(`${name}.weight`, out, from))),
      out * names.length,
      from,
    ),
    bias: join(names.map((name) => take(`${name}.bias`, out))),
  });
  const layer = Array.from({ length: dimensions.layers }, (_, index): Layer => {
    const at = `encoder.layer.${index}`;
    const parts = ["query", "key", "value"].map((part) => `${at}.attention.self.${part}`);
    return {
      queryKeyValue: linearOf(parts, H, H),
      attentionOutput: linearOf([`${at}.attention.output.dense`], H, H),
      attentionNorm: norm(`${at}.attention.output.LayerNorm`),
      intermediate: linearOf([`${at}.intermediate.dense`], F, H),
      output: linearOf([`${at}.output.dense`], H, F),
      outputNorm: norm(`${at}.output.LayerNorm`),
    };
  });
  return {
    ...dimensions,
    layerNormEps: f(dimensions.layerNormEps),
    words: take("embeddings.word_embeddings.weight", dimensions.vocabulary, H),
    position: take("embeddings.position_embeddings.weight", dimensions.positions, H),
    type: take("embeddings.token_type_embeddings.weight", dimensions.types, H),
    embeddingNorm: norm("embeddings.LayerNorm"),
    layer,
  };
}

/** ids (n) -> hidden states (n, H): after the embeddings, then after each layer. The tokens from `first` on have type 1. */
export function forward(model: Model, ids: ArrayLike<number>, first = ids.length): Float32Array[] {
  const states = [embedTokens(model, ids, first)];
  for (const layer of model.layer) states.push(forwardLayer(model, layer, states.at(-1)!));
  return states;
}

/** SPEC §8.3 */
function embedTokens(model: Model, ids: ArrayLike<number>, first: number): Float32Array {
  const { hidden: H } = model;
  const x = new Float32Array(ids.length * H);
  for (let t = 0; t < ids.length; t++) {
    const type = t < first ? 0 : 1;
    for (let c = 0; c < H; c++) {
      const wordAndType = f(model.words[ids[t]! * H + c]! + model.type[type * H + c]!);
      x[t * H + c] = f(wordAndType + model.position[t * H + c]!);
    }
  }
  return normRows(model, x, model.embeddingNorm);
}

/** SPEC §8.5 */
function forwardLayer(model: Model, layer: Layer, x: Float32Array): Float32Array {
  const context = attention(model, layer, x);
  const a = linear(context, layer.attentionOutput.weight, layer.attentionOutput.bias);
  const middle = normRows(model, addEach(a, x), layer.attentionNorm);
  const u = linear(middle, layer.intermediate.weight, layer.intermediate.bias).map(gelu);
  const y = linear(u, layer.output.weight, layer.output.bias);
  return normRows(model, addEach(y, middle), layer.outputNorm);
}

/** x (n, H) -> context (n, H). SPEC §8.4 */
function attention(model: Model, layer: Layer, x: Float32Array): Float32Array {
  const { hidden: H, heads } = model;
  const D = H / heads;
  const n = x.length / H;
  const r = f(1 / f(Math.sqrt(D)));
  const levels = probabilityLevels(n);
  const qkv = linear(x, layer.queryKeyValue.weight, layer.queryKeyValue.bias); // (n, 3H)
  const context = new Float32Array(n * H);
  const score = new Float32Array(n);
  const each = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));
  for (let head = 0; head < heads; head++) {
    const at = (third: number, t: number): number => t * 3 * H + third * H + head * D;
    const q = each(n, (t) => quantiseRow(qkv.subarray(at(0, t), at(0, t) + D), 2047));
    const k = each(n, (t) => quantiseRow(qkv.subarray(at(1, t), at(1, t) + D), 2047));
    const v = each(D, (c) =>
      quantiseRow(
        Float32Array.from({ length: n }, (_, t) => qkv[at(2, t) + c]!),
        levels,
      ),
    );
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const scale = f(f(q[i]!.scale * r) * k[j]!.scale);
        score[j] = f(f(dot(q[i]!.q, 0, k[j]!.q, 0, D)) * scale);
      }
      const { p, sum } = softmax(score);
      for (let c = 0; c < D; c++) {
        const value = f(f(dot(p, 0, v[c]!.q, 0, n)) * v[c]!.scale);
        context[i * H + head * D + c] = f(value / f(sum));
      }
    }
  }
  return context;
}

function normRows(model: Model, x: Float32Array, norm: Norm): Float32Array {
  const { hidden: H } = model;
  const out = new Float32Array(x.length);
  for (let at = 0; at < x.length; at += H) {
    out.set(layerNorm(x.subarray(at, at + H), norm.gamma, norm.beta, model.layerNormEps), at);
  }
  return out;
}

function addEach(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((value, i) => f(value + b[i]!));
}

function join(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
