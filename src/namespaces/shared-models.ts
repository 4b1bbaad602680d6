import type { LoadOptions } from "../engine/load.ts";
import { badArgument } from "../errors/arguments.ts";
import type { OpenOptions } from "../library/open-options.ts";
import { CrossEncoderLoader } from "../model/cross-encoder-loader.ts";
import { Embedder } from "../model/embedder.ts";
import { DEFAULT_MODEL, type ModelOptions, pinnedOptions, readManifest } from "../model/load.ts";
import type { ModelManifest } from "../model/manifest.ts";

/** The models of all namespaces. Each is loaded once, whatever the number of libraries that use it. */
export class SharedModels {
  readonly #embedders = new Map<string, Embedder>();
  readonly #crossEncoders = new Map<string, CrossEncoderLoader>();

  /** Returns the embedder of a model that is given by its manifest. */
  embedder(source: ModelOptions, workers: number | undefined): Embedder {
    const { model, build = "auto" } = source;
    if (typeof model !== "object" || model instanceof URL) throw badArgument("model", "a manifest", model);
    const key = JSON.stringify([model, build]);
    let known = this.#embedders.get(key);
    if (known === undefined) {
      known = new Embedder(source, workers);
      this.#embedders.set(key, known);
    }
    return known;
  }

  /** Returns the loader of a cross-encoder. */
  crossEncoder(model: string | URL | ModelManifest, load: LoadOptions): CrossEncoderLoader {
    const key = model instanceof URL ? model.href : JSON.stringify(model);
    let known = this.#crossEncoders.get(key);
    if (known === undefined) {
      known = new CrossEncoderLoader(model, load);
      this.#crossEncoders.set(key, known);
    }
    return known;
  }

  /** Loads the model that new libraries are made with, if it can and its vectors have this length: most libraries have it. */
  async prepare(options: OpenOptions, dimension: number): Promise<void> {
    try {
      const named = await readManifest(options.model ?? DEFAULT_MODEL);
      if (named.manifest.hidden === dimension)
        await this.embedder(pinnedOptions(options, named), options.workers).prepare();
    } catch {} // whoever needs it reports that
  }

  close(): void {
    for (const embedder of this.#embedders.values()) embedder.close();
    this.#embedders.clear();
    this.#crossEncoders.clear();
  }
}
