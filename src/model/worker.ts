// The thread of a pool: loads the model once, then embeds batch after batch. The same file in Node and in browsers.
import { threads } from "../engine/threads.ts";
import { type ErrorRecord, errorRecord } from "../errors/error-record.ts";
import { loadModel, type ModelOptions } from "./load.ts";
import type { Embedding, Model } from "./model.ts";

/** What a pool sends. */
export type WorkerRequest =
  | { readonly type: "load"; readonly options: ModelOptions }
  | { readonly type: "embed"; readonly batch: number; readonly texts: readonly (string | Uint8Array)[] };

/** What comes back: one answer to each request. */
export type WorkerAnswer =
  | { readonly type: "loaded" }
  | { readonly type: "embedded"; readonly batch: number; readonly embeddings: readonly Embedding[] }
  | { readonly type: "failed"; readonly error: ErrorRecord };

let model: Model | undefined;

async function answer(request: WorkerRequest): Promise<WorkerAnswer> {
  try {
    if (request.type === "load") {
      ({ model } = await loadModel(request.options));
      return { type: "loaded" };
    }
    const embeddings = request.texts.map((text) => model!.embed(text));
    return { type: "embedded", batch: request.batch, embeddings };
  } catch (error) {
    return { type: "failed", error: errorRecord(error) };
  }
}

threads.serve((request) => answer(request as WorkerRequest));
