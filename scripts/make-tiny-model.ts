// Makes the model `tiny`: a BERT of 2 layers whose every weight comes from an integer PRNG, so that anyone makes the same
// bytes again. Fast tests, slow engines and vectors use it; it also shows that nothing is hard-wired to one model.
// `npx tsx scripts/make-tiny-model.ts` writes models/tiny/ and models/tiny.json.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { splitmix32 } from "../test/reference/prng.ts";
import { tinyVocabulary } from "./tiny-vocabulary.ts";
import { type DrawnTensor, safetensors } from "./write-safetensors.ts";

const SEED = 0x73616d65;
const HIDDEN = 32;
const LAYERS = 2;
const HEADS = 4;
const INTERMEDIATE = 64;
const POSITIONS = 64;
const TYPES = 2;

/** The files of `tiny`, by their paths in models/. */
export function makeTinyModel(): Map<string, Uint8Array> {
  const vocabulary = [...new Set(tinyVocabulary())];
  const weights = safetensors(drawTensors(vocabulary.length));
  const tokenizer = utf8ToBytes(tokenizerJson(vocabulary));
  const manifest = {
    name: "tiny",
    architecture: "bert",
    hidden: HIDDEN,
    layers: LAYERS,
    heads: HEADS,
    intermediate: INTERMEDIATE,
    vocabulary: vocabulary.length,
    positions: POSITIONS,
    types: TYPES,
    layerNormEps: 1e-12,
    limit: POSITIONS,
    pooling: "mean",
    files: {
      weights: described("tiny/model.safetensors", weights),
      tokenizer: described("tiny/tokenizer.json", tokenizer),
    },
  };
  return new Map([
    ["tiny/model.safetensors", weights],
    ["tiny/tokenizer.json", tokenizer],
    ["tiny.json", utf8ToBytes(`${JSON.stringify(manifest, null, 2)}\n`)],
  ]);
}

/** The entry of a file in a manifest. */
export function described(path: string, bytes: Uint8Array): { path: string; bytes: number; sha256: string } {
  return { path, bytes: bytes.length, sha256: bytesToHex(sha256(bytes)) };
}

/** Every tensor of SPEC §8.2, with the prefix `bert.` that some files have, drawn in the order of the file. */
function drawTensors(vocabulary: number): DrawnTensor[] {
  const next = splitmix32(SEED);
  const tensors: DrawnTensor[] = [];
  const draw = (name: string, shape: number[], value: () => number): void => {
    const values = new Float32Array(shape.reduce((product, size) => product * size, 1));
    for (let i = 0; i < values.length; i++) values[i] = value();
    tensors.push({ name: `bert.${name}`, shape, values });
  };
  // Sums of four 12-bit integers, centred: close to normal, and 14 bits wide, so exact in binary32 but not in binary16.
  const bell = (): number =>
    (next() >>> 20) + (next() >>> 20) + (next() >>> 20) + (next() >>> 20) - 8190; /* deviation 2365 */
  const gentle = (): number => bell() / 16384; // deviation 0.14
  const lively = (): number => bell() / 8192; // 0.29: scores and GELU inputs spread over several units
  const nearOne = (): number => 1 + bell() / 16384;
  // Wide rows: the sum of |q| over 64 of these passes 65,538, so that this matrix alone has Q < 32767 (SPEC §7.2).
  const flat = (): number => ((next() >>> 19) - 4095.5) / 16384;

  draw("embeddings.word_embeddings.weight", [vocabulary, HIDDEN], gentle);
  draw("embeddings.position_embeddings.weight", [POSITIONS, HIDDEN], gentle);
  draw("embeddings.token_type_embeddings.weight", [TYPES, HIDDEN], gentle);
  draw("embeddings.LayerNorm.weight", [HIDDEN], nearOne);
  draw("embeddings.LayerNorm.bias", [HIDDEN], gentle);
  for (let layer = 0; layer < LAYERS; layer++) {
    const at = `encoder.layer.${layer}`;
    for (const part of ["query", "key", "value"]) {
      draw(`${at}.attention.self.${part}.weight`, [HIDDEN, HIDDEN], part === "value" ? gentle : lively);
      draw(`${at}.attention.self.${part}.bias`, [HIDDEN], gentle);
    }
    draw(`${at}.attention.output.dense.weight`, [HIDDEN, HIDDEN], gentle);
    draw(`${at}.attention.output.dense.bias`, [HIDDEN], gentle);
    draw(`${at}.attention.output.LayerNorm.weight`, [HIDDEN], nearOne);
    draw(`${at}.attention.output.LayerNorm.bias`, [HIDDEN], gentle);
    draw(`${at}.intermediate.dense.weight`, [INTERMEDIATE, HIDDEN], lively);
    draw(`${at}.intermediate.dense.bias`, [INTERMEDIATE], gentle);
    draw(`${at}.output.dense.weight`, [HIDDEN, INTERMEDIATE], flat);
    draw(`${at}.output.dense.bias`, [HIDDEN], gentle);
    draw(`${at}.output.LayerNorm.weight`, [HIDDEN], nearOne);
    draw(`${at}.output.LayerNorm.bias`, [HIDDEN], gentle);
  }
  return tensors;
}

/** The shape of Hugging Face's tokenizer.json. The vocabulary is written by hand: a JavaScript object would move its digits to the front. */
function tokenizerJson(vocabulary: readonly string[]): string {
  const id = (token: string): number => vocabulary.indexOf(token);
  const special = (token: string) => ({ SpecialToken: { id: token, type_id: 0 } });
  const added = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map((content) => ({
    id: id(content),
    special: true,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }));
  const outside = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [special("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, special("[SEP]")],
      pair: [
        special("[CLS]"),
        { Sequence: { id: "A", type_id: 0 } },
        special("[SEP]"),
        { Sequence: { id: "B", type_id: 1 } },
        { SpecialToken: { id: "[SEP]", type_id: 1 } },
      ],
      special_tokens: {
        "[CLS]": { id: "[CLS]", ids: [id("[CLS]")], tokens: ["[CLS]"] },
        "[SEP]": { id: "[SEP]", ids: [id("[SEP]")], tokens: ["[SEP]"] },
      },
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  };
  const model = JSON.stringify({
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
  });
  const vocab = vocabulary.map((token, index) => `${JSON.stringify(token)}:${index}`).join(",");
  return `${JSON.stringify(outside).slice(0, -1)},"model":${model.slice(0, -1)},"vocab":{${vocab}}}}`;
}

if (process.argv[1] === import.meta.filename) {
  const models = join(import.meta.dirname, "../models");
  for (const [path, bytes] of makeTinyModel()) {
    mkdirSync(dirname(join(models, path)), { recursive: true });
    writeFileSync(join(models, path), bytes);
    process.stdout.write(`models/${path} ${bytes.length} bytes\n`);
  }
}
