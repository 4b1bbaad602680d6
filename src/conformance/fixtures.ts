import type { Engine } from "../engine/engine.ts";
import { type LoadOptions, loadEngine } from "../engine/load.ts";
import { pageAddress } from "../engine/page-address.ts";
import { checkFile } from "../engine/pinned-file.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { OpenOptions } from "../library/open-options.ts";
import type { CrossEncoder } from "../model/cross-encoder.ts";
import {
  loadCrossEncoder,
  loadModel,
  type ModelOptions,
  readManifest,
  readModelFile,
} from "../model/load.ts";
import type { Model } from "../model/model.ts";
import { readTokenizerFile, type TokenizerFile } from "../text/tokenizer-file.ts";
import type { ReadVectors } from "./read-vectors.ts";

/**
 * How much is run. `full`: every case. `engine`, for slow devices: everything except the search of a whole library; of
 * the large model, only one forward pass and three texts.
 */
export type Effort = "full" | "engine";

/** Where a model is, as options of `loadModel`. */
export type ModelPlace = Pick<ModelOptions, "model" | "files" | "modelUrl">;

export interface BenchOptions {
  readonly load: LoadOptions;
  readonly effort: Effort;
  readonly models: readonly string[];
  readonly place: (model: string) => ModelPlace | Promise<ModelPlace>;
  readonly read: ReadVectors;
  readonly workers: number;
  readonly onProgress: ((done: number, total: number) => void) | undefined;
}

/**
 * What the suites run with: engines, models and the bytes of test-vectors/. Each is fetched when it is first needed.
 */
export class Fixtures {
  readonly effort: Effort;
  readonly #options: BenchOptions;
  readonly #models = new Map<string, Promise<Model>>();

  constructor(options: BenchOptions) {
    this.effort = options.effort;
    this.#options = options;
  }

  /** Reports the progress of a suite that takes long. */
  progress(done: number, total: number): void {
    this.#options.onProgress?.(done, total);
  }

  has(model: string): boolean {
    return this.#options.models.includes(model);
  }

  /** Returns a fresh engine, so that one suite cannot affect the next. */
  async engine(): Promise<Engine> {
    return (await loadEngine(this.#options.load)).engine;
  }

  /** Returns a model. It is loaded once and kept until `forgetModels`. */
  model(name: string): Promise<Model> {
    let loading = this.#models.get(name);
    if (loading === undefined) {
      loading = this.#load(name);
      this.#models.set(name, loading);
    }
    return loading;
  }

  forgetModels(): void {
    this.#models.clear();
  }

  async tokenizerFile(name: string): Promise<TokenizerFile> {
    const { model = name, files, modelUrl } = await this.#options.place(name);
    const named = await readManifest(model);
    const bytes = files?.tokenizer ?? (await readModelFile(named, "tokenizer", modelUrl));
    await checkFile(bytes, named.manifest.files.tokenizer);
    return readTokenizerFile(bytes, named.manifest.files.tokenizer.path);
  }

  async libraryOptions(name: string): Promise<OpenOptions> {
    const place = await this.#options.place(name);
    return { ...this.#options.load, model: name, ...place, workers: this.#options.workers };
  }

  /** Returns the bytes of a file below test-vectors/. */
  async bytes(file: string): Promise<Uint8Array> {
    const found = await this.#options.read(file);
    return typeof found === "string" ? new TextEncoder().encode(found) : found;
  }

  /** Returns the vectors of test-vectors/<name>.json. */
  async vectors<Vectors>(name: string): Promise<Vectors> {
    const text = new TextDecoder().decode(await this.bytes(`${name}.json`));
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw badVectors(name, "JSON", cause instanceof Error ? cause.message : String(cause), { cause });
    }
    const cases = (value as { readonly cases?: unknown } | null)?.cases;
    if (!Array.isArray(cases) || !cases.every((each) => typeof each === "object" && each !== null))
      throw badVectors(name, "a list of cases", "something else");
    // A suite without cases compares nothing and would pass on every device.
    if (cases.length === 0) throw badVectors(name, "cases", "none");
    return value as Vectors;
  }

  /** Returns a cross-encoder in a fresh engine. */
  async crossEncoder(name: string): Promise<CrossEncoder> {
    const place = await this.#options.place(name);
    return (await loadCrossEncoder({ ...this.#options.load, model: name, ...place })).model;
  }

  async #load(name: string): Promise<Model> {
    const place = await this.#options.place(name);
    return (await loadModel({ ...this.#options.load, model: name, ...place })).model;
  }
}

/** Returns the error for a bad vector file. It says nothing about the device. */
function badVectors(name: string, expected: string, got: string, options?: ErrorOptions): SelfsameError {
  const isPage = pageAddress() !== undefined;
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected ${name}.json to hold ${expected}, got ${got}`,
    isPage
      ? "Serve the folder test-vectors/ of the package, and pass its address as vectorsUrl"
      : "Copy the file again from test-vectors/ of the package",
    options,
  );
}
