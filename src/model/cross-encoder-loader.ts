import type { LoadOptions } from "../engine/load.ts";
import type { CrossEncoder } from "./cross-encoder.ts";
import { loadCrossEncoder } from "./load.ts";
import type { ModelManifest } from "./manifest.ts";

/** Loads a cross-encoder when it is first needed, and keeps it. */
export class CrossEncoderLoader {
  readonly #model: string | URL | ModelManifest;
  readonly #load: LoadOptions;
  #loading: Promise<CrossEncoder> | null = null;

  constructor(model: string | URL | ModelManifest, load: LoadOptions) {
    this.#model = model;
    this.#load = load;
  }

  /** Returns the cross-encoder. After a failure, the next call tries again. */
  async get(): Promise<CrossEncoder> {
    this.#loading ??= loadCrossEncoder({ ...this.#load, model: this.#model }).then(({ model }) => model);
    const loading = this.#loading;
    return loading.catch((error) => {
      if (this.#loading === loading) this.#loading = null;
      throw error;
    });
  }
}
