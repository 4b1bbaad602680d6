import { TEXTS } from "./embedded-texts.ts";
import { digestOf, embedIds } from "./embedding.ts";
import { hexOfI16 } from "./hex.ts";
import { openModel, readModelFile } from "./manifest.ts";
import { canonicalText } from "./text.ts";
import { tokenize, vocabularyOf } from "./tokens.ts";

const MODELS = ["tiny", "all-MiniLM-L6-v2"] as const;

/** SPEC §9 */
export function generate() {
  const embedders = MODELS.map(embedderOf);
  return {
    _comment:
      "Text -> canonical text, tokens (their number counts [CLS] and [SEP]), forward pass, vector: 4 hex digits for each i16, two's complement (`element*n` stands for n equal ones), and its digest.",
    spec: "SPEC §9",
    parameters: { models: MODELS },
    cases: TEXTS.map((text) => {
      process.stderr.write(`embedding: ${JSON.stringify(text.slice(0, 60))}\n`);
      return { text, embeddings: embedders.map((embed) => embed(text)) };
    }),
  };
}

/** A function that makes one model's part of a case. */
export function embedderOf(name: (typeof MODELS)[number]) {
  const { manifest, model } = openModel(name);
  const vocabulary = vocabularyOf(new TextDecoder().decode(readModelFile(manifest, "tokenizer")));
  return (text: string) => {
    const { ids, truncated } = tokenize(
      vocabulary,
      canonicalText(new TextEncoder().encode(text)),
      manifest.limit,
    );
    const vector = embedIds(model, ids);
    return { model: name, tokens: ids.length, truncated, digest: digestOf(vector), vector: hexOfI16(vector) };
  };
}
