import type { ChunkParameters } from "../chunks/chunk-parameters.ts";
import type { ModelOptions } from "../model/load.ts";
import type { ModelManifest } from "../model/manifest.ts";
import type { IndexKind } from "./canon.ts";
import type { ProgressEvent } from "./progress.ts";

/** How a library is opened; what it was made with is remembered. */
export interface OpenOptions extends ModelOptions {
  /**
   * The model; default: `all-MiniLM-L6-v2`, or the model of this package or of `knownModels` that the library was made
   * with. A library of another model can be read; what needs the model is CANON_MISMATCH.
   */
  readonly model?: string | URL | ModelManifest;
  /** Names or URLs of manifests. If `model` is not given, the one with the digests that the library records is used. */
  readonly knownModels?: readonly string[];
  /** Apart from other libraries' ids; default `default`. */
  readonly namespace?: string;
  /** Which index answers; default `auto`, or what the library was made with. */
  readonly index?: IndexKind;
  /** How texts are cut; default: by the model's limit, or what the library was made with. */
  readonly chunking?: ChunkParameters;
  /** Threads for embedding; default: as many as the device has cores. Results do not depend on it. */
  readonly workers?: number;
  /** How long to wait for another process that writes; default 5000 ms. */
  readonly timeoutMs?: number;
  /** Where the library was made with another canon: make it anew from its own texts, instead of an error. */
  readonly rebuild?: boolean;
  /** Stops such a making anew: the library then is what it was. */
  readonly signal?: AbortSignal;
  /** How far it has come. */
  readonly onRebuildProgress?: (event: ProgressEvent) => void;
}

/** The names of all options: one that is spelled wrong would do nothing. Apart, for pages, which open nothing themselves. */
export const OPEN_OPTIONS: Readonly<Record<keyof OpenOptions, true>> = {
  model: true,
  knownModels: true,
  namespace: true,
  index: true,
  chunking: true,
  workers: true,
  timeoutMs: true,
  rebuild: true,
  signal: true,
  onRebuildProgress: true,
  files: true,
  modelUrl: true,
  build: true,
  source: true,
};
