// The tiny model of models/ for tests, and ways to make broken or different ones from it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ModelFiles, ModelManifest } from "selfsame";
import { readSafetensors, type Tensor } from "#dist/model/safetensors.js";

const file = (path: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../../models/${path}`, import.meta.url)));

export const tinyManifest = JSON.parse(new TextDecoder().decode(file("tiny.json"))) as ModelManifest;
export const tinyFiles: ModelFiles = {
  weights: file(tinyManifest.files.weights.path),
  tokenizer: file(tinyManifest.files.tokenizer.path),
};

export const tinyTensors = (): Map<string, Tensor> => readSafetensors(tinyFiles.weights, "tiny");

/** A safetensors file of the given tensors. */
export function writeSafetensors(tensors: Iterable<[string, Tensor]>): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = {};
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const [name, { dtype, shape, bytes }] of tensors) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    pieces.push(bytes);
    at += bytes.length;
  }
  return safetensors(JSON.stringify(header), Buffer.concat(pieces));
}

/** A file with any header and body, sound or not. */
export function safetensors(header: string, body: Uint8Array = new Uint8Array(0), headerLength?: bigint) {
  const json = new TextEncoder().encode(header);
  const data = new Uint8Array(8 + json.length + body.length);
  new DataView(data.buffer).setBigUint64(0, headerLength ?? BigInt(json.length), true);
  data.set(json, 8);
  data.set(body, 8 + json.length);
  return data;
}

/** The tiny manifest with digests of other files, so that what is tested is the files and not their digest. */
export function manifestOf(files: ModelFiles, changes: Partial<ModelManifest> = {}): ModelManifest {
  const named = (path: string, bytes: Uint8Array) => ({
    path,
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  });
  return {
    ...tinyManifest,
    files: {
      weights: named("test.safetensors", files.weights),
      tokenizer: named("test-tokenizer.json", files.tokenizer),
    },
    ...changes,
  };
}
