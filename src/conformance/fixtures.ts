import type { Engine } from "../engine/engine.ts";
import { type LoadOptions, loadEngine } from "../engine/load.ts";
import { pageAddress } from "../engine/page-address.ts";
import { checkFile } from "../engine/pinned-file.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import type { OpenOptions } from "../library/open-options.ts";
import { loadModel, type ModelOptions, readManifest, readModelFile } from "../model/load.ts";
import type { Model } from "../model/model.ts";
import { readTokenizerFile, type TokenizerFile } from "../text/tokenizer-file.ts";
import type { ReadVectors } from "./read-vectors.ts";

/**
 * `full`: every case. `engine`: for slow devices, all but the search of a whole library, and of the large model one
 * forward pass and three texts.
 */
export type Effort = "full" | "engine";

/** Where a model is, in the terms of `loadModel`. */
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

/** What the suites are run with: engines, models and the bytes of test-vectors/, each fetched when it is asked for. */
export class Fixtures {
  readonly effort: Effort;
  readonly #options: BenchOptions;
  readonly #models = new Map<string, Promise<Model>>();

  constructor(options: BenchOptions) {
    this.effort = options.effort;
    this.#options = options;
  }

  /** Of a suite that takes long. */
  progress(done: number, total: number): void {
    this.#options.onProgress?.(done, total);
  }

  has(model: string): boolean {
    return this.#options.models.includes(model);
  }

  /** A fresh engine: what happened in one suite cannot reach the next. */
  async engine(): Promise<Engine> {
    return (await loadEngine(this.#options.load)).engine;
  }

  /** A model, loaded once and kept until it is forgotten. */
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

  /** A file below test-vectors/. */
  async bytes(file: string): Promise<Uint8Array> {
    const found = await this.#options.read(file);
    return typeof found === "string" ? new TextEncoder().encode(found) : found;
  }

  /** The vectors of test-vectors/<name>.json. */
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
    // A suite where nothing is compared would be called the same on every device.
    if (cases.length === 0) throw badVectors(name, "cases", "none");
    return value as Vectors;
  }

  async #load(name: string): Promise<Model> {
    const place = await this.#options.place(name);
    return (await loadModel({ ...this.#options.load, model: name, ...place })).model;
  }
}

/** The file is wrong, which says nothing of the device. */
function badVectors(name: string, expected: string, got: string, options?: ErrorOptions): SelfsameError {
  const isPage = pageAddress() !== undefined;
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected ${name}.json to hold ${expected}, got ${got}`,
    isPage
      ? "They are in the package, below test-vectors/: serve that folder, and give its address as vectorsUrl"
      : "Take the file from the package again: it has them below test-vectors/",
    options,
  );
}
