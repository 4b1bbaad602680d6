import type { Engine } from "../engine/engine.ts";
import {
  CONFIG_REFUSED,
  LEVELS_TOO_FEW,
  LINEAR_ATTENTION_OUTPUT,
  LINEAR_INTERMEDIATE,
  LINEAR_OUTPUT,
  LINEAR_QUERY_KEY_VALUE,
  NO_MEMORY,
  NON_FINITE,
  TABLE_POSITION,
  TABLE_WORD,
  VECTOR_EMBEDDING_BETA,
  VECTOR_EMBEDDING_GAMMA,
  VECTOR_LAYER,
  VECTOR_TYPE,
  VECTOR_TYPE_SECOND,
} from "../engine/exports.generated.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { ModelManifest } from "./manifest.ts";
import type { Tensor } from "./safetensors.ts";

/** Reasons why the engine refuses a model. */
const FAULTS: Readonly<Record<number, readonly [expected: string, got: string]>> = {
  [NON_FINITE]: ["finite weights", "a NaN or an infinity"],
  [LEVELS_TOO_FEW]: ["weights that leave at least 1023 activation levels (SPEC §7.2)", "fewer"],
  [CONFIG_REFUSED]: ["a shape that SPEC §8 admits", "another"],
  [NO_MEMORY]: ["enough memory for the weights", "none"],
};

/** Loads a BERT's tensors into a fresh engine: tables unchanged, linear layers quantised. SPEC §8.2 */
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
    const kind = code === NO_MEMORY ? "OUT_OF_MEMORY" : "BAD_MODEL";
    throw new SelfsameError(kind, `${file}: ${prefix}${name}: expected ${expected}, got ${got}`);
  };
  /** Of the given name, whatever the prefix of the others is. */
  const plainTensor = (name: string, ...shape: number[]): Tensor => {
    const found = tensors.get(name);
    const wanted = `F16 or F32 [${shape.join(", ")}]`;
    const got = found === undefined ? "nothing" : `${found.dtype} [${found.shape.join(", ")}]`;
    const fits =
      found !== undefined && ["F16", "F32"].includes(found.dtype) && found.shape.join() === shape.join();
    if (!fits) {
      throw new SelfsameError(
        "BAD_MODEL",
        `${file}: expected tensor ${name} as ${wanted}, got ${got}`,
        "The manifest and the weights belong to different models",
      );
    }
    return found;
  };
  const tensor = (name: string, ...shape: number[]): Tensor => plainTensor(prefix + name, ...shape);
  /** Calls `set` with the tensor's bytes in the engine's memory, which is freed afterwards. */
  const withTensor = (from: Tensor, set: (at: number, isF16: number) => number): number =>
    engine.scope(() => set(engine.write(from.bytes), Number(from.dtype === "F16")));
  const setVector = (vector: number, name: string, from = tensor(name, hidden)): void =>
    checked(
      withTensor(from, (at, isF16) => engine.exports.weights_set_vector(vector, at, isF16)),
      name,
    );
  const setLinear = (
    layer: number,
    kind: number,
    first: number,
    name: string,
    n: number,
    k: number,
  ): void => {
    const { weights_set_linear, weights_set_bias } = engine.exports;
    checked(
      withTensor(tensor(`${name}.weight`, n, k), (at, isF16) =>
        weights_set_linear(layer, kind, first, n, at, isF16),
      ),
      `${name}.weight`,
    );
    checked(
      withTensor(tensor(`${name}.bias`, n), (at, isF16) =>
        weights_set_bias(layer, kind, first, n, at, isF16),
      ),
      `${name}.bias`,
    );
  };
  const setTable = (table: number, name: string, from: Tensor): void => {
    engine.bytes(engine.exports.weights_table(table), from.bytes.length).set(from.bytes);
    checked(engine.exports.weights_check_table(table), name);
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
  setTable(TABLE_WORD, "embeddings.word_embeddings.weight", word);
  setTable(TABLE_POSITION, "embeddings.position_embeddings.weight", position);
  const typeBytes = type.bytes.length / manifest.types;
  const typeRow = (row: number) => ({
    ...type,
    bytes: type.bytes.subarray(row * typeBytes, (row + 1) * typeBytes),
  });
  setVector(VECTOR_TYPE, "embeddings.token_type_embeddings.weight", typeRow(0));
  setVector(VECTOR_EMBEDDING_GAMMA, "embeddings.LayerNorm.weight");
  setVector(VECTOR_EMBEDDING_BETA, "embeddings.LayerNorm.bias");
  for (let i = 0; i < layers; i++) {
    const layer = `encoder.layer.${i}`;
    for (const [third, part] of ["query", "key", "value"].entries()) {
      setLinear(i, LINEAR_QUERY_KEY_VALUE, third * hidden, `${layer}.attention.self.${part}`, hidden, hidden);
    }
    setLinear(i, LINEAR_ATTENTION_OUTPUT, 0, `${layer}.attention.output.dense`, hidden, hidden);
    setLinear(i, LINEAR_INTERMEDIATE, 0, `${layer}.intermediate.dense`, intermediate, hidden);
    setLinear(i, LINEAR_OUTPUT, 0, `${layer}.output.dense`, hidden, intermediate);
    setVector(VECTOR_LAYER + 4 * i, `${layer}.attention.output.LayerNorm.weight`);
    setVector(VECTOR_LAYER + 4 * i + 1, `${layer}.attention.output.LayerNorm.bias`);
    setVector(VECTOR_LAYER + 4 * i + 2, `${layer}.output.LayerNorm.weight`);
    setVector(VECTOR_LAYER + 4 * i + 3, `${layer}.output.LayerNorm.bias`);
  }
  if (manifest.head !== "classifier") return;
  // Only the second of two texts is of type 1, so an encoder of single texts needs no other row than the first.
  setVector(VECTOR_TYPE_SECOND, "embeddings.token_type_embeddings.weight", typeRow(1));
  const setHead = (
    name: string,
    weight: Tensor,
    bias: Tensor,
    set: (at: number, isF16: number, biasAt: number, biasIsF16: number) => number,
  ): void =>
    checked(
      withTensor(weight, (at, isF16) =>
        withTensor(bias, (biasAt, biasIsF16) => set(at, isF16, biasAt, biasIsF16)),
      ),
      name,
    );
  const { head_set_pooler, head_set_classifier } = engine.exports;
  setHead(
    "pooler.dense",
    tensor("pooler.dense.weight", hidden, hidden),
    tensor("pooler.dense.bias", hidden),
    head_set_pooler,
  );
  setHead(
    "classifier",
    plainTensor("classifier.weight", 1, hidden),
    plainTensor("classifier.bias", 1),
    head_set_classifier,
  );
}

function createModel(
  engine: Engine,
  m: ModelManifest,
  tablesAreF16: boolean,
  checked: (code: number, name: string) => void,
): void {
  const epsBits = new Uint32Array(new Float32Array([m.layerNormEps]).buffer)[0]!;
  const code = engine.exports.model_create(
    m.hidden,
    m.layers,
    m.heads,
    m.intermediate,
    m.vocabulary,
    m.positions,
    m.limit,
    epsBits,
    Number(tablesAreF16),
    Number(m.head === "classifier"),
  );
  checked(code, "its shape");
}
