// What a pool and its threads say to each other.
import type { ErrorRecord } from "../errors/error-record.ts";
import type { ModelOptions } from "./load.ts";
import type { Embedding } from "./model.ts";

/** What a pool sends. */
export type WorkerRequest =
  | { readonly type: "load"; readonly options: ModelOptions }
  | { readonly type: "embed"; readonly batch: number; readonly texts: readonly (string | Uint8Array)[] }
  /** Of texts that are canonical already, or parts of such. */
  | { readonly type: "embed canonical"; readonly batch: number; readonly texts: readonly Uint8Array[] };

/** What comes back: one answer to each request. */
export type WorkerAnswer =
  | { readonly type: "loaded" }
  | { readonly type: "embedded"; readonly batch: number; readonly embeddings: readonly Embedding[] }
  | { readonly type: "failed"; readonly error: ErrorRecord };
