import type { ChunkParameters } from "../chunks/chunk-parameters.ts";
import type { ModelOptions } from "../model/load.ts";
import type { ModelManifest } from "../model/manifest.ts";
import type { FeatureGenerator } from "../search/query-features.ts";
import type { IndexKind } from "./canon.ts";
import type { IndexProgress } from "./index-progress.ts";
import type { ProgressEvent } from "./progress.ts";
import type { VectorSource } from "./vector-source.ts";

/** Options for opening a library. What it was made with is remembered. */
export interface OpenOptions extends ModelOptions {
  /**
   * The model; default: `all-MiniLM-L6-v2`, or the model of this package or of `knownModels` that the library was made
   * with. A library of another model can be read; operations that need the model fail with CANON_MISMATCH.
   */
  readonly model?: string | URL | ModelManifest;
  /** Names or URLs of manifests. If `model` is not given, the one with the digests that the library records is used. */
  readonly knownModels?: readonly string[];
  /** The namespace, which separates its ids from those of other libraries; default `default`. */
  readonly namespace?: string;
  /** Which index answers; default `auto`, or what the library was made with. */
  readonly index?: IndexKind;
  /**
   * Where vectors come from: `"model"` (default), or another model outside of Selfsame, by name and dimension. Remembered.
   */
  readonly vectors?: VectorSource;
  /**
   * A cosine, in thousandths such as 0.95. A chunk that came with a vector is not ranked if its cosine with an earlier one
   * (by UUID) is larger; default null: all are ranked. Remembered.
   */
  readonly dedupeThreshold?: number | null;
  /**
   * The most distinct vectors of a segment of the index; default 131,072, or what the library was made with. Above it
   * graphs answer. It is part of the canon: other devices must use the same.
   */
  readonly segment?: number;
  /**
   * The most WebAssembly memory for vectors, in bytes; default: no limit. If they need more, segments are loaded from
   * the file in turn: the same answers, slower.
   */
  readonly maxIndexMemory?: number;
  /**
   * How many vectors the library will have, about. Memory for them is reserved when vectors are first loaded; default:
   * it grows with them. Answers do not depend on it.
   */
  readonly expectedVectors?: number;
  /** Called while graphs are built: after many additions, or if the file does not have them. */
  readonly onIndexProgress?: (event: IndexProgress) => void;
  /** How texts are split; default: by the model's limit, or what the library was made with. */
  readonly chunking?: ChunkParameters;
  /**
   * The number of threads for embedding, for building graphs and for searching many segments; default: the number of the
   * device's cores. Results do not depend on it.
   */
  readonly workers?: number;
  /** How long to wait for another process that is writing; default 5000 ms. */
  readonly timeoutMs?: number;
  /** If the library was made with another canon, rebuilds it from its own texts, instead of an error. */
  readonly rebuild?: boolean;
  /**
   * The cross-encoder that ranks memories again if a recall says `allow_cross_encoder`: the name or URL of a manifest with
   * `head: "classifier"`, or such a manifest. It is loaded when it is first needed. docs/cross-encoder.md
   */
  readonly crossEncoder?: string | URL | ModelManifest;
  /**
   * Computes the vectors of queries that come without them, with models of the application. What it gives is part of the
   * receipt. Not in browsers: a page gives `vector` and `sparse` with the search.
   */
  readonly featureGenerator?: FeatureGenerator;
  /** Stops such a rebuild; the library is then unchanged. */
  readonly signal?: AbortSignal;
  /** Called with the progress of a rebuild. */
  readonly onRebuildProgress?: (event: ProgressEvent) => void;
}

/**
 * The names of all options, since a misspelled one would have no effect. In a separate file for pages, which do not
 * open libraries themselves.
 */
export const OPEN_OPTIONS: Readonly<Record<keyof OpenOptions, true>> = {
  model: true,
  knownModels: true,
  namespace: true,
  index: true,
  segment: true,
  maxIndexMemory: true,
  expectedVectors: true,
  onIndexProgress: true,
  chunking: true,
  vectors: true,
  dedupeThreshold: true,
  workers: true,
  timeoutMs: true,
  rebuild: true,
  crossEncoder: true,
  featureGenerator: true,
  signal: true,
  onRebuildProgress: true,
  files: true,
  modelUrl: true,
  build: true,
  source: true,
};
