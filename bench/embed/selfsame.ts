// Selfsame's own side of the embedding benchmarks: the only file here that knows the engine's interface.
import type { Embedder } from "./peers.ts";

export type Build = "simd" | "soft" | "scalar";

/** One build with all-MiniLM-L6-v2 loaded. */
export interface OwnEmbedder extends Embedder {
  embed(sample: { text: string }): Promise<Int16Array>;
  /** The size of the engine's memory, bytes. */
  wasmBytes(): number;
}

/** Workers with a model each; results in the order of the texts. */
export interface OwnPool {
  embedAll(texts: string[]): Promise<Int16Array[]>;
  close(): Promise<void>;
}

function missing(what: string): never {
  throw new Error(`${what} is not there yet; \`--peers\` runs the peers alone`);
}

export async function selfsameEmbedder(build: Build): Promise<OwnEmbedder> {
  return missing(`the embedder of the build ${build}`);
}

export async function selfsamePool(workers: number): Promise<OwnPool> {
  return missing(`the pool of ${workers} workers`);
}

/** Speed of the matrix kernel on MiniLM's shapes and of bare integer dots beside it, in Gop/s. */
export async function matrixKernel(): Promise<{ gops: number; peakGops: number }> {
  return missing("the matrix kernel");
}
