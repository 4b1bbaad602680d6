import type { LoadOptions } from "../engine/load.ts";
import { badArgument } from "../errors/arguments.ts";
import { CrossEncoderLoader } from "../model/cross-encoder-loader.ts";
import { Embedder } from "../model/embedder.ts";
import type { ModelOptions } from "../model/load.ts";
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

  close(): void {
    for (const embedder of this.#embedders.values()) embedder.close();
    this.#embedders.clear();
    this.#crossEncoders.clear();
  }
}
