import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Dimensions, loadModel, type Model } from "./model.ts";
import { readSafetensors } from "./safetensors.ts";

const root = join(import.meta.dirname, "../..");

interface ModelFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** models/<name>.json. Paths are relative to the package that has the files, or to models/. SPEC §8.1 */
export interface Manifest extends Dimensions {
  readonly name: string;
  readonly limit: number;
  readonly package?: string;
  readonly files: { readonly weights: ModelFile; readonly tokenizer: ModelFile };
}

export function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(root, "models", `${name}.json`), "utf8"));
}

/** The bytes of one of a model's files, checked against the manifest. */
export function readModelFile(manifest: Manifest, file: "weights" | "tokenizer"): Uint8Array {
  const { path, sha256: expected } = manifest.files[file];
  const folder = manifest.package === undefined ? "models" : join("node_modules", manifest.package);
  const bytes = readFileSync(join(root, folder, path));
  const got = createHash("sha256").update(bytes).digest("hex");
  if (got !== expected) throw new Error(`expected ${path} with sha256 ${expected}, got ${got}`);
  return bytes;
}

export function openModel(name: string): { manifest: Manifest; model: Model } {
  const manifest = readManifest(name);
  return { manifest, model: loadModel(manifest, readSafetensors(readModelFile(manifest, "weights"))) };
}
