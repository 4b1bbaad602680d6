// Embeddings by the reference, kept in .cache/ between runs: a text takes it a second or so. Delete the file after a
// change of anything that they are made by.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { embedIds } from "./embedding.ts";
import { hash } from "./identity.ts";
import { openModel, readManifest, readModelFile } from "./manifest.ts";
import type { Model } from "./model.ts";
import { canonicalText } from "./text.ts";
import { tokenize, vocabularyOf } from "./tokens.ts";

const folder = join(import.meta.dirname, "../../.cache");
const SAVE_EVERY = 20;

/** SPEC §9.4 of many texts, by the named model. */
export function embedAll(name: string, texts: readonly string[]): Int16Array[] {
  const file = join(folder, `reference-embeddings.${name}.json`);
  const manifest = readManifest(name);
  const vocabulary = vocabularyOf(new TextDecoder().decode(readModelFile(manifest, "tokenizer")));
  const known = read(file);
  let model: Model | null = null;
  let fresh = 0;
  const save = (): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(known));
  };
  const vectors = texts.map((text, i) => {
    const bytes = new TextEncoder().encode(text);
    const files = new TextEncoder().encode(manifest.files.weights.sha256 + manifest.files.tokenizer.sha256);
    const key = Buffer.from(hash("reference embedding", files, bytes)).toString("hex");
    if (known[key] === undefined) {
      model ??= openModel(name).model;
      known[key] = [...embedIds(model, tokenize(vocabulary, canonicalText(bytes), manifest.limit).ids)];
      process.stderr.write(`embedded ${i + 1} of ${texts.length}\n`);
      if (++fresh % SAVE_EVERY === 0) save();
    }
    return Int16Array.from(known[key]);
  });
  if (fresh > 0) save();
  return vectors;
}

function read(file: string): Record<string, number[]> {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
