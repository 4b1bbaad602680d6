// Selfsame's own side of the embedding benchmarks: the only file here that knows the engine's interface.
import type { Build } from "#dist/index.js";
import { EmbedPool, loadEngine, loadModel } from "#dist/library/engine-entry.js";
import type { Embedder } from "./peers.ts";

/** One build with all-MiniLM-L6-v2 loaded. */
export interface OwnEmbedder extends Embedder {
  embed(sample: { text: string }): Promise<Int16Array>;
  /** The size of the engine's memory, bytes. */
  wasmBytes(): number;
}

/** Workers with a model each; results in the order of the texts. */
export interface OwnPool {
  embedAll(texts: string[]): Promise<Int16Array[]>;
  close(): void;
}

export async function selfsameEmbedder(build: Build): Promise<OwnEmbedder> {
  const { model } = await loadModel({ build });
  return { embed: async ({ text }) => model.embed(text).vector, wasmBytes: () => model.memoryBytes };
}

export async function selfsamePool(workers: number): Promise<OwnPool> {
  const pool = await EmbedPool.create({ workers, build: "simd" });
  return {
    embedAll: async (texts) => (await pool.embedMany(texts)).map(({ vector }) => vector),
    close: () => pool.close(),
  };
}

/** MiniLM's linear layers, (k, n): query-key-value, attention output, intermediate, output. */
const SHAPES = [
  [384, 1152],
  [384, 384],
  [384, 1536],
  [1536, 384],
] as const;
const ROWS = 128;
const TRIES = 40;

/** The matrix kernel on each shape at 128 tokens, and bare integer dots beside it: the best of many runs, Gop/s. */
export async function matrixKernel(): Promise<{ shape: string; gops: number; peakGops: number }[]> {
  const { engine } = await loadEngine({ build: "simd" });
  // Not at the top: it brings in a compiler, which would count as ours in the time to the first vector.
  const { peakDotGops } = await import("../peak.ts");
  const peakGops = await peakDotGops();
  return SHAPES.map(([k, n]) =>
    engine.scope(() => {
      const out = engine.alloc(ROWS * n * 4);
      const [left, right] = [engine.alloc(ROWS * k * 2), engine.alloc(k * n * 2)];
      let bestMs = Number.POSITIVE_INFINITY;
      for (let i = 0; i < TRIES; i++) {
        const start = performance.now();
        engine.exports.kernel_matmul_panels(out, left, right, ROWS, k, n);
        bestMs = Math.min(bestMs, performance.now() - start);
      }
      return { shape: `${ROWS}×${k}·${k}×${n}`, gops: (2 * ROWS * k * n) / bestMs / 1e6, peakGops };
    }),
  );
}
