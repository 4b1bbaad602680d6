// Messages between a pool and its threads.
import type { ErrorRecord } from "../errors/error-record.ts";
import type { ModelOptions } from "./load.ts";
import type { Embedding } from "./model.ts";

/** Requests that a pool sends. */
export type WorkerRequest =
  | { readonly type: "load"; readonly options: ModelOptions }
  | { readonly type: "embed"; readonly batch: number; readonly texts: readonly (string | Uint8Array)[] }
  /** Texts that are already canonical, or parts of canonical texts. */
  | { readonly type: "embed canonical"; readonly batch: number; readonly texts: readonly Uint8Array[] };

/** Answers: one for each request. */
export type WorkerAnswer =
  | { readonly type: "loaded" }
  | { readonly type: "embedded"; readonly batch: number; readonly embeddings: readonly Embedding[] }
  | { readonly type: "failed"; readonly error: ErrorRecord };
