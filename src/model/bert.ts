import type { Engine } from "../engine/engine.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { ModelManifest } from "./manifest.ts";
import type { Tensor } from "./safetensors.ts";

// Kinds of linear layers and of vectors; assembly/model/weights.ts has the same numbers.
const LINEAR = { queryKeyValue: 0, attentionOutput: 1, intermediate: 2, output: 3 } as const;
const VECTOR = { type: 0, embeddingGamma: 1, embeddingBeta: 2, layer: 3 } as const;
const TABLE = { word: 0, position: 1 } as const;

/** Negative answers of the engine: assembly/kernels/quantise.ts, assembly/model/{linear,config}.ts. */
const FAULTS: Readonly<Record<number, readonly [expected: string, got: string]>> = {
  [-1]: ["finite weights", "a NaN or an infinity"],
  [-2]: ["weights that leave at least 1023 activation levels (SPEC §7.2)", "fewer"],
  [-3]: ["a shape that SPEC §8 admits", "another"],
  [-4]: ["room for the weights in the engine's memory", "none"],
};

/** Puts a BERT's tensors into a fresh engine: tables as they are, linear layers quantised. SPEC §8.2 */
export function loadBert(
  engine: Engine,
  manifest: ModelManifest,
  tensors: Map<string, Tensor>,
  file: string,
): void {
  const { hidden, layers, intermediate } = manifest;
  const prefix = [...tensors.keys()].some((name) => name.startsWith("bert.embeddings.")) ? "bert." : "";

  const checked = (code: number, name: string): void => {
    if (code === 0) return;
    const [expected, got] = FAULTS[code] ?? ["success", `code ${code}`];
    const kind = code === -4 ? "OUT_OF_MEMORY" : "BAD_MODEL";
    throw new SelfsameError(kind, `${file}: ${prefix}${name}: expected ${expected}, got ${got}`);
  };
  const tensor = (name: string, ...shape: number[]): Tensor => {
    const found = tensors.get(prefix + name);
    const wanted = `F16 or F32 [${shape.join(", ")}]`;
    const got = found === undefined ? "nothing" : `${found.dtype} [${found.shape.join(", ")}]`;
    const fits =
      found !== undefined && ["F16", "F32"].includes(found.dtype) && found.shape.join() === shape.join();
    if (!fits) {
      throw new SelfsameError(
        "BAD_MODEL",
        `${file}: expected tensor ${prefix}${name} as ${wanted}, got ${got}`,
        "The manifest and the weights belong to different models",
      );
    }
    return found;
  };
  const call = (name: string, from: Tensor, ...args: number[]): number =>
    engine.scope(() =>
      engine.exports[name]!(...args, engine.write(from.bytes), Number(from.dtype === "F16")),
    );
  const setVector = (vector: number, name: string): void =>
    checked(call("weights_set_vector", tensor(name, hidden), vector), name);
  const setLinear = (
    layer: number,
    kind: number,
    first: number,
    name: string,
    n: number,
    k: number,
  ): void => {
    checked(
      call("weights_set_linear", tensor(`${name}.weight`, n, k), layer, kind, first, n),
      `${name}.weight`,
    );
    checked(call("weights_set_bias", tensor(`${name}.bias`, n), layer, kind, first, n), `${name}.bias`);
  };
  const setTable = (table: number, name: string, from: Tensor): void => {
    engine.bytes(engine.exports["weights_table"]!(table), from.bytes.length).set(from.bytes);
    checked(engine.exports["weights_check_table"]!(table), name);
  };

  const word = tensor("embeddings.word_embeddings.weight", manifest.vocabulary, hidden);
  const position = tensor("embeddings.position_embeddings.weight", manifest.positions, hidden);
  const type = tensor("embeddings.token_type_embeddings.weight", manifest.types, hidden);
  if (word.dtype !== position.dtype) {
    throw new SelfsameError(
      "BAD_MODEL",
      `${file}: expected word and position embeddings of one dtype, got ${word.dtype} and ${position.dtype}`,
    );
  }
  createModel(engine, manifest, word.dtype === "F16", checked);
  setTable(TABLE.word, "embeddings.word_embeddings.weight", word);
  setTable(TABLE.position, "embeddings.position_embeddings.weight", position);
  // Every token is of type 0, so only that row is kept.
  const firstType = { ...type, bytes: type.bytes.subarray(0, type.bytes.length / manifest.types) };
  checked(call("weights_set_vector", firstType, VECTOR.type), "embeddings.token_type_embeddings.weight");
  setVector(VECTOR.embeddingGamma, "embeddings.LayerNorm.weight");
  setVector(VECTOR.embeddingBeta, "embeddings.LayerNorm.bias");
  for (let i = 0; i < layers; i++) {
    const layer = `encoder.layer.${i}`;
    for (const [third, part] of ["query", "key", "value"].entries()) {
      setLinear(i, LINEAR.queryKeyValue, third * hidden, `${layer}.attention.self.${part}`, hidden, hidden);
    }
    setLinear(i, LINEAR.attentionOutput, 0, `${layer}.attention.output.dense`, hidden, hidden);
    setLinear(i, LINEAR.intermediate, 0, `${layer}.intermediate.dense`, intermediate, hidden);
    setLinear(i, LINEAR.output, 0, `${layer}.output.dense`, hidden, intermediate);
    setVector(VECTOR.layer + 4 * i, `${layer}.attention.output.LayerNorm.weight`);
    setVector(VECTOR.layer + 4 * i + 1, `${layer}.attention.output.LayerNorm.bias`);
    setVector(VECTOR.layer + 4 * i + 2, `${layer}.output.LayerNorm.weight`);
    setVector(VECTOR.layer + 4 * i + 3, `${layer}.output.LayerNorm.bias`);
  }
}

function createModel(
  engine: Engine,
  m: ModelManifest,
  tablesAreF16: boolean,
  checked: (code: number, name: string) => void,
): void {
  const epsBits = new Uint32Array(new Float32Array([m.layerNormEps]).buffer)[0]!;
  const code = engine.exports["model_create"]!(
    m.hidden,
    m.layers,
    m.heads,
    m.intermediate,
    m.vocabulary,
    m.positions,
    m.limit,
    epsBits,
    Number(tablesAreF16),
  );
  checked(code, "its shape");
}
