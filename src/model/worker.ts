// The thread of a pool: loads the model once, then embeds batch after batch. The same file in Node and in browsers.
import { SelfsameError } from "../errors.ts";
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
  | { readonly type: "failed"; readonly code: SelfsameError["code"]; readonly message: string };

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
    const message = error instanceof Error ? error.message : String(error);
    return { type: "failed", code: error instanceof SelfsameError ? error.code : "WORKER_FAILED", message };
  }
}

interface Port {
  postMessage(message: WorkerAnswer): void;
  addEventListener(type: "message", listener: (event: { data: WorkerRequest }) => void): void;
}

// Node's threads have the port in node:worker_threads and not in the global scope; process.getBuiltinModule finds
// it without an import that a browser's bundle would have to resolve. Node 20.16 and later have it.
type NodeProcess = { getBuiltinModule?: (name: string) => { parentPort: Port | null } };
const nodeProcess = (globalThis as { process?: NodeProcess }).process;
const port =
  nodeProcess?.getBuiltinModule?.("node:worker_threads").parentPort ?? (globalThis as unknown as Port);
port.addEventListener("message", async (event) => port.postMessage(await answer(event.data)));
