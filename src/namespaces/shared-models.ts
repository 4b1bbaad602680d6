import { badArgument } from "../errors/arguments.ts";
import { Embedder } from "../model/embedder.ts";
import type { ModelOptions } from "../model/load.ts";

/** The models of all namespaces. Each is loaded once, whatever the number of libraries that use it. */
export class SharedModels {
  readonly #embedders = new Map<string, Embedder>();

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

  close(): void {
    for (const embedder of this.#embedders.values()) embedder.close();
    this.#embedders.clear();
  }
}
