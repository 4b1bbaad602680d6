// The thread of a pool. It loads the model once, then embeds batch after batch. Node and browsers use the same file.
import { threads } from "../engine/threads.ts";
import { errorRecord } from "../errors/error-record.ts";
import { loadModel } from "./load.ts";
import type { Model } from "./model.ts";
import type { WorkerAnswer, WorkerRequest } from "./pool-protocol.ts";

let model: Model | undefined;

async function answer(request: WorkerRequest): Promise<WorkerAnswer> {
  try {
    if (request.type === "load") {
      ({ model } = await loadModel(request.options));
      return { type: "loaded" };
    }
    const embeddings =
      request.type === "embed"
        ? request.texts.map((text) => model!.embed(text))
        : request.texts.map((text) => model!.embedCanonical(text));
    return { type: "embedded", batch: request.batch, embeddings };
  } catch (error) {
    return { type: "failed", error: errorRecord(error) };
  }
}

threads.serve((request) => answer(request as WorkerRequest));
