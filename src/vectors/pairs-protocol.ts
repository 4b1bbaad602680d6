// Messages between the thread that builds a graph and its workers.
import type { Build } from "../engine/engine.ts";
import type { ErrorRecord } from "../errors/error-record.ts";

/** Size of one list as assembly/vectors/pairs.ts writes it: a count and 128 ranks. */
export const LIST_BYTES = 4 + 128 * 4;

/** Requests that a build sends. */
export type PairsRequest =
  | {
      readonly type: "load";
      readonly build: Build;
      readonly dim: number;
      readonly nodes: number;
      /** In priority order, little-endian. */
      readonly vectors: Uint8Array;
    }
  | { readonly type: "lists"; readonly first: number; readonly rows: number };

/** Answers: one for each request. */
export type PairsAnswer =
  | { readonly type: "loaded" }
  | { readonly type: "lists"; readonly first: number; readonly rows: number; readonly lists: Uint8Array }
  | { readonly type: "failed"; readonly error: ErrorRecord };
