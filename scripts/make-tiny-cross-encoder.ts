// Makes the model `tiny-cross`: a cross-encoder of 2 layers with the tokenizer of `tiny`, whose every weight comes from an
// integer PRNG. It ranks nothing well; it is there for tests and vectors, and shows the form of such a model (SPEC §8.6).
// `npx tsx scripts/make-tiny-cross-encoder.ts` writes models/tiny-cross/ and models/tiny-cross.json.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { splitmix32 } from "../test/reference/prng.ts";
import { described, makeTinyModel } from "./make-tiny-model.ts";
import { type DrawnTensor, safetensors } from "./write-safetensors.ts";

const SEED = 0x70616972;
const SHAPE = {
  hidden: 32,
  layers: 2,
  heads: 2,
  intermediate: 48,
  positions: 64,
  types: 2,
} as const;

/** The files of `tiny-cross`, by their paths in models/. The tokenizer is that of `tiny`. */
export function makeTinyCrossEncoder(): Map<string, Uint8Array> {
  const tiny = makeTinyModel();
  const { vocabulary, files } = JSON.parse(new TextDecoder().decode(tiny.get("tiny.json")));
  const weights = safetensors(drawTensors(vocabulary), "F16");
  const manifest = {
    name: "tiny-cross",
    architecture: "bert",
    ...SHAPE,
    vocabulary,
    layerNormEps: 1e-12,
    limit: SHAPE.positions,
    head: "classifier",
    pooling: "cls",
    files: { weights: described("tiny-cross/model.safetensors", weights), tokenizer: files.tokenizer },
  };
  return new Map([
    ["tiny-cross/model.safetensors", weights],
    ["tiny-cross.json", utf8ToBytes(`${JSON.stringify(manifest, null, 2)}\n`)],
  ]);
}

/** Every tensor of SPEC §8.2 and §8.6, named as in files of Hugging Face, drawn in the order of the file. */
function drawTensors(vocabulary: number): DrawnTensor[] {
  const { hidden, layers, intermediate, positions, types } = SHAPE;
  const next = splitmix32(SEED);
  const tensors: DrawnTensor[] = [];
  const draw = (name: string, shape: number[], value: () => number): void => {
    const values = new Float32Array(shape.reduce((product, size) => product * size, 1));
    for (let i = 0; i < values.length; i++) values[i] = value();
    tensors.push({ name, shape, values });
  };
  // Sums of four 9-bit integers, centred: close to normal, and 11 bits wide, so exact in binary16.
  const bell = (): number =>
    (next() >>> 23) + (next() >>> 23) + (next() >>> 23) + (next() >>> 23) - 1022; /* deviation 296 */
  const gentle = (): number => bell() / 2048; // deviation 0.14
  const lively = (): number => bell() / 1024; // 0.29
  const nearOne = (): number => 1 + (next() >>> 24) / 1024;
  const linear = (name: string, out: number, from: number, value: () => number): void => {
    draw(`${name}.weight`, [out, from], value);
    draw(`${name}.bias`, [out], gentle);
  };
  const norm = (name: string): void => {
    draw(`${name}.weight`, [hidden], nearOne);
    draw(`${name}.bias`, [hidden], gentle);
  };
  draw("bert.embeddings.word_embeddings.weight", [vocabulary, hidden], lively);
  draw("bert.embeddings.position_embeddings.weight", [positions, hidden], gentle);
  draw("bert.embeddings.token_type_embeddings.weight", [types, hidden], lively);
  norm("bert.embeddings.LayerNorm");
  for (let layer = 0; layer < layers; layer++) {
    const at = `bert.encoder.layer.${layer}`;
    for (const part of ["query", "key", "value"])
      linear(`${at}.attention.self.${part}`, hidden, hidden, lively);
    linear(`${at}.attention.output.dense`, hidden, hidden, gentle);
    norm(`${at}.attention.output.LayerNorm`);
    linear(`${at}.intermediate.dense`, intermediate, hidden, lively);
    linear(`${at}.output.dense`, hidden, intermediate, gentle);
    norm(`${at}.output.LayerNorm`);
  }
  linear("bert.pooler.dense", hidden, hidden, gentle);
  linear("classifier", 1, hidden, lively);
  return tensors;
}

if (process.argv[1] === import.meta.filename) {
  const models = join(import.meta.dirname, "../models");
  for (const [path, bytes] of makeTinyCrossEncoder()) {
    mkdirSync(dirname(join(models, path)), { recursive: true });
    writeFileSync(join(models, path), bytes);
    process.stdout.write(`models/${path} ${bytes.length} bytes\n`);
  }
}
