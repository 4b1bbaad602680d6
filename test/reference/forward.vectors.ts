import { Tokenizer } from "@huggingface/tokenizers";
import { TEXTS } from "./embedded-texts.ts";
import { digestOf, vectorOf } from "./embedding.ts";
import { hexOfF32, hexOfI16 } from "./hex.ts";
import { openModel, readModelFile } from "./manifest.ts";
import { forward, type Model } from "./model.ts";
import { splitmix32 } from "./prng.ts";

/** SPEC §8 */
export function generate() {
  return {
    _comment:
      "Token ids -> hidden states after the embeddings and after each layer: for `tiny` the bits of every element (8 hex digits each, tokens ascending, channels ascending; `element*n` stands for n equal ones), for other models their BLAKE3 digests (SPEC §8.5); then the vector of SPEC §9.3, 4 hex digits for each i16.",
    spec: "SPEC §8",
    parameters: { models: ["tiny", "all-MiniLM-L6-v2"] },
    cases: [...tinyCases(), ...miniLmCases()],
  };
}

export function tinyCases() {
  const { model } = openModel("tiny");
  const next = splitmix32(0x666f7277);
  const random = (length: number): number[] => Array.from({ length }, () => next() % model.vocabulary);
  const sequences = [
    [2, 3], // the empty text: [CLS] [SEP]
    [2, 1, 3],
    [0, 0, 0, 0, 0],
    [model.vocabulary - 1],
    ...[4, 7, 8, 13, 16, 33, 64].map(random),
    new Array<number>(31).fill(77),
  ];
  return sequences.map((ids) => {
    const states = forward(model, ids);
    return {
      model: "tiny",
      ids: ids.join(" "),
      states: states.map(hexOfF32),
      vector: hexOfI16(vectorOf(states.at(-1)!, model.hidden)),
    };
  });
}

function miniLmCases() {
  const { manifest, model } = openModel("all-MiniLM-L6-v2");
  const json = JSON.parse(new TextDecoder().decode(readModelFile(manifest, "tokenizer")));
  // Any ids would do; those of real texts are the likeliest to be asked for.
  const tokenizer = new Tokenizer({ ...json, padding: null, truncation: null }, {});
  const next = splitmix32(0x6d696e69);
  const random = (length: number): number[] => Array.from({ length }, () => next() % model.vocabulary);
  const texts = TEXTS.slice(0, 12).map((text) => tokenizer.encode(text).ids);
  const sequences = [...texts, ...[1, 3, 31, 64, 97, 129, 256].map(random), new Array<number>(20).fill(2000)];
  return sequences.map((ids) => {
    process.stderr.write(`forward, all-MiniLM-L6-v2: ${ids.length} tokens\n`);
    return miniLmCase(model, ids);
  });
}

/** One case, also for tests that compute it again. */
export function miniLmCase(model: Model, ids: readonly number[]) {
  const states = forward(model, ids);
  return {
    model: "all-MiniLM-L6-v2",
    ids: ids.join(" "),
    digests: states.map(digestOf),
    vector: hexOfI16(vectorOf(states.at(-1)!, model.hidden)),
  };
}
